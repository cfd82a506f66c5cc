"""The audit on screen: what the last run found, the rows behind each number, settling, past runs, and the files."""

import csv
import io
from datetime import timedelta

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains

from drafts.models import AuditRun, OutsideCommitment
from drafts.services import updates
from ledger.queries.auditing import TITLES
from tests import builders
from tests.web.conftest import signed_in

OTHER = "An unused lamp can be returned within 30 days of receipt."
QUERIES = 12


@pytest.fixture
def talk(policy, agent):
    """A customer who was answered here, and told something else in the helpdesk."""
    name = builders.locked(agent)
    told_outside(name, OTHER)
    return name


def told_outside(name, text):
    message = builders.message(text, role="agent")
    updates.tell_message(conversation_id=name, message=message, now=timezone.now(), calendar=builders.calendar())


def commitment(talk):
    return OutsideCommitment.objects.get(conversation__external_id=talk)


def lines(response):
    return list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode().removeprefix("\ufeff"))))


def test_before_the_first_run_the_page_says_so(console):
    assertContains(console.get("/audit/"), "No run yet")


def test_a_manager_runs_the_audit_and_sees_what_it_found(manager, talk):
    client = signed_in(manager)

    answer = client.post("/audit/run", follow=True)

    run = AuditRun.objects.get()
    assertContains(answer, "One of the five checks found something to put right.")
    assertContains(answer, "none allowed")
    assertContains(answer, "Repeats answered anew")
    assertContains(answer, "On demand by <bdi>")
    assert (run.how, run.started_by, run.is_healthy) == ("person", manager, False)
    assert run.results.get(check_number=3).first_rows[0]["conversation_id"] == talk


def test_an_agent_sees_the_audit_and_cannot_run_it(console, talk):
    assertNotContains(console.get("/audit/"), "Run now")
    assertContains(console.post("/audit/run"), "Running the audit is for managers", status_code=403)
    assert not AuditRun.objects.exists()


def test_the_rows_of_a_check_lead_to_conversation_question_and_remedy(console, talk):
    page = console.get("/audit/checks/3/")

    conversation = commitment(talk).conversation
    assertContains(page, reverse("conversation", args=[conversation.pk]))
    assertContains(page, reverse("key", args=[builders.RETURN_KEY]))
    assertContains(page, reverse("conversation-correct", args=[conversation.pk, builders.RETURN_KEY]))
    assertContains(page, reverse("audit-settle", args=[commitment(talk).pk]))
    assertContains(page, "another value")


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_a_check_without_rows_says_so(console, number):
    page = console.get(f"/audit/checks/{number}/")

    assert page.status_code == 200
    if number in {2, 3}:  # ledger rows of other tests may break the others
        assertContains(page, "No row breaks this check now.")


@pytest.mark.parametrize("address", ["/audit/checks/6/", "/audit/checks/0.csv", "/audit/runs/999999/"])
def test_what_is_no_check_and_no_run_is_not_found(console, address):
    assert console.get(address).status_code == 404


def test_a_contested_question_leads_to_its_conflict(console, owner, policy):
    builders.version(by=owner, doc_id="leaflet", name="L-1", passage=OTHER)

    page = console.get("/audit/checks/2/")

    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM ledger_conflict WHERE state = 'open'")
        (conflict,) = cursor.fetchone()
    assertContains(page, reverse("conflict", args=[conflict]))
    assertContains(page, reverse("policy", args=["leaflet"]))


def test_settling_needs_a_reason_and_keeps_what_was_typed(console, talk):
    url = reverse("audit-settle", args=[commitment(talk).pk])

    refused = console.post(url, {"reason": " \n "})
    hostile = console.post(url, {"reason": "seen\u0000"})

    assertContains(refused, "Say why this is settled", status_code=422)
    assertContains(hostile, "Not settled", status_code=422)
    assert commitment(talk).settled_at is None


def test_a_settled_reply_leaves_the_check_and_keeps_its_reason(console, agent, talk):
    answer = console.post(
        reverse("audit-settle", args=[commitment(talk).pk]), {"reason": "Phoned her: 14 days."}, follow=True
    )

    settled = commitment(talk)
    assertContains(answer, "Settled. Your reason is kept")
    assertContains(answer, "No row breaks this check now.")
    assert (settled.settled_by, settled.settled_because) == (agent, "Phoned her: 14 days.")


def test_a_second_settling_is_refused_and_an_unknown_one_too(console, talk):
    url = reverse("audit-settle", args=[commitment(talk).pk])
    console.post(url, {"reason": "Phoned her."})

    again = console.post(url, {"reason": "Me too."})

    assertContains(again, "A colleague has settled this meanwhile.", status_code=422)
    assertContains(console.post(reverse("audit-settle", args=[999999]), {"reason": "x"}), "not known", status_code=422)
    assert commitment(talk).settled_because == "Phoned her."


def test_an_administrator_cannot_settle(administrator, talk):
    client = signed_in(administrator)

    assertNotContains(client.get("/audit/checks/3/"), "Settle with a reason")
    assert client.post(reverse("audit-settle", args=[commitment(talk).pk]), {"reason": "x"}).status_code == 403


def test_a_past_run_shows_the_rows_as_they_were_then(manager, talk):
    client = signed_in(manager)
    client.post("/audit/run")
    client.post(reverse("audit-settle", args=[commitment(talk).pk]), {"reason": "Phoned her."})

    page = client.get(f"/audit/runs/{AuditRun.objects.get().pk}/")

    assertContains(page, "within 30 days of receipt")
    assertContains(page, talk)


def test_the_file_of_a_check_holds_every_row(console, talk):
    told_outside(talk, "=You get 40 days to return it.")

    rows = lines(console.get("/audit/checks/3.csv"))

    assert [row["conversation_id"] for row in rows] == [talk, talk]
    assert rows[1]["text"].startswith("'=")
    assert rows[0]["differs"] == "True"


def test_many_rows_come_in_parts(console, talk):
    for days in range(31, 31 + 30):
        told_outside(talk, f"You can return it within {days} days.")

    first, second = console.get("/audit/checks/3/"), console.get("/audit/checks/3/?page=2")

    assertContains(first, "31 rows")
    assertContains(first, "?page=2")
    assertContains(second, "within 60 days")
    assertContains(console.get("/audit/checks/3/?page=9"), "No more rows")


def test_the_pages_ask_the_database_a_fixed_number_of_times(manager, talk, django_assert_max_num_queries):
    client = signed_in(manager)
    for _ in range(5):
        client.post("/audit/run")
    for days in range(31, 31 + 20):
        told_outside(talk, f"You can return it within {days} days.")

    with django_assert_max_num_queries(QUERIES):
        client.get("/audit/")
    with django_assert_max_num_queries(QUERIES):
        client.get("/audit/checks/3/")


def test_the_history_is_drawn_and_stands_in_a_table(manager, talk):
    client = signed_in(manager)
    client.post("/audit/run")

    drawn = client.get("/audit/chart.svg?dark=1")

    assert (drawn.status_code, drawn["Content-Type"]) == (200, "image/svg+xml")
    page = client.get("/audit/")
    for number, title in TITLES.items():
        assertContains(page, f'<th scope="col" class="number">{number}. {title}</th>')


def test_older_runs_are_on_further_parts(manager, db):
    now = timezone.now()
    AuditRun.objects.bulk_create(
        AuditRun(how="nightly", started_at=now - timedelta(days=n), finished_at=now, is_healthy=True) for n in range(25)
    )
    client = signed_in(manager)

    assertContains(client.get("/audit/"), "Next page")
    assertContains(client.get("/audit/?page=2"), "Previous page")


def test_a_corrected_question_is_among_those_with_several_answers(console, manager, talk):
    from tests.db.test_audit_checks import correct

    correct(talk, manager)

    page = console.get("/audit/answers/?days=30")
    rows = lines(console.get("/audit/answers.csv?days=30"))

    assertContains(page, talk)
    assert [(row["distinct_answers"], row["times_asked"]) for row in rows if row["conversation_id"] == talk] == [
        ("2", "2")
    ]


@pytest.mark.parametrize("asked", ["", "?days=7", "?days=x"])
def test_the_usual_stretch_of_time_is_ninety_days(console, asked):
    assertContains(console.get(f"/audit/answers/{asked}"), "in the last 90 days")


def test_hostile_words_of_a_reply_stay_words(console, talk):
    told_outside(talk, "<script>alert(1)</script> You can return it within 99 days.\u202e")

    page = console.get("/audit/checks/3/")

    assertNotContains(page, "<script>alert")
    assertContains(page, "&lt;script&gt;alert")
