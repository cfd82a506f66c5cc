"""The pages of drift reports: who may begin one, what is refused, how far it is, what it shows, and its files."""

import csv
import io
import json
import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from drafts.decisions import drift_files
from drafts.models import DriftReport
from tests import builders
from tests import drifting as made
from tests.drifting import ASKED, LIFETIME, TWELVE, TWENTY_FOUR
from tests.web.conftest import HTMX, signed_in

QUERIES = 12
LIST = "/drift/"
HOSTILE = "<script>alert(1)</script>\u202e{{ 7 }}"
READERS = ("agent", "owner", "manager", "admin")
REPORTERS = ("owner", "manager", "admin")


@pytest.fixture
def reporter(manager):
    """The manager's browser."""
    return signed_in(manager)


@pytest.fixture
def report(manager):
    """A report of thirty conversations that has ended."""
    return made.read(manager, made.mixed(30))


@pytest.fixture
def waiting(manager):
    """A report that no worker has seen."""
    return made.begun(manager, made.mixed(30))


def page_of(report, name="report"):
    return reverse(f"drift-{name}", args=[report.pk])


def upload(client, content, name="archive.jsonl"):
    return client.post("/drift/file", {"file": SimpleUploadedFile(name, content)})


# Who may


@pytest.mark.parametrize("role", READERS)
def test_every_role_reads_reports(people, report, role):
    client = signed_in(people[role])

    for url in (LIST, *(page_of(report, name) for name in ("report", "print", "chart", "json", "csv"))):
        assert (client.get(url).status_code, client.post(url).status_code) == (200, 405), url


@pytest.mark.parametrize("role", READERS)
def test_managers_policy_owners_and_administrators_begin_cancel_and_delete(people, waiting, role):
    client = signed_in(people[role])
    allowed = role in REPORTERS

    answered = [
        upload(client, made.file(made.mixed(1))).status_code,
        client.post("/drift/own-past").status_code,
        client.post(page_of(waiting, "cancel")).status_code,
        client.get(page_of(waiting, "delete")).status_code,
        client.post(page_of(waiting, "delete")).status_code,
    ]

    assert answered == ([302, 302, 302, 200, 302] if allowed else [403] * 5)
    assert DriftReport.objects.count() == (2 if allowed else 1)


def test_an_agent_is_offered_no_button_and_told_who_may(console, waiting):
    response = console.get(LIST)

    assertContains(response, "Reports are begun by managers, policy owners and administrators.")
    assertNotContains(response, 'type="file"')
    assertNotContains(console.get(page_of(waiting)), "Cancel</button>")


def test_whoever_has_no_role_is_refused(django_user_model, report):
    client = signed_in(django_user_model.objects.create_user("nobody-yet", password="x"))

    assert client.get(LIST).status_code == 403
    assert client.get(page_of(report)).status_code == 403


@pytest.mark.parametrize("name", ["report", "print", "chart", "json", "csv", "delete"])
def test_a_report_that_is_not_there_is_not_found(reporter, name):
    assert reporter.get(reverse(f"drift-{name}", args=[uuid.uuid4()])).status_code == 404


# Beginning


def test_a_file_is_taken_in_and_its_report_shown(reporter):
    response = upload(reporter, made.file(made.mixed(2)), name="old threads.jsonl")

    report = DriftReport.objects.get()
    assert response.url == page_of(report)
    assertContains(reporter.get(response.url), "old threads.jsonl")
    assert (report.source, report.state, report.parts.count()) == ("file", "waiting", 1)


def test_a_csv_file_is_read_as_one(reporter):
    content = f"conversation_id,role,text\nc-1,customer,{ASKED}\nc-1,agent,{TWELVE}\nc-1,agent,{TWENTY_FOUR}\n"
    upload(reporter, content.encode(), name="old.csv")

    report = made.worked_off(DriftReport.objects.get())

    assert [(row.conversation_id, row.distinct) for row in report.rows.all()] == [("c-1", 2)]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "The file is empty."),
        (b"\x1f\x8b\x08", "compressed"),
        (b"\xff\xfa", "not UTF-8"),
        (b"a,b\n", "header lacks"),
    ],
)
def test_a_file_that_is_plainly_none_is_refused_in_plain_words(reporter, content, told):
    response = upload(reporter, content)

    assertContains(response, told, status_code=422)
    assertContains(response, 'aria-invalid="true"', status_code=422)
    assert not DriftReport.objects.exists()


def test_without_a_file_one_is_asked_for(reporter):
    assertContains(reporter.post("/drift/file"), "Choose a file.", status_code=422)


def test_a_file_beyond_the_limit_is_refused_and_another_way_told(reporter, monkeypatch):
    monkeypatch.setattr("console.uploads.LARGEST_FILE", 1_000)
    monkeypatch.setattr("console.drift_forms.LARGEST_FILE", 1_000)

    response = upload(reporter, b"{" + b"x" * 70_000)

    assertContains(response, "The file is larger than 50 MB.", status_code=422)
    assertContains(response, "manage.py drift FILE", status_code=422)
    assert not DriftReport.objects.exists()


def test_the_limit_holds_behind_the_form_too(reporter, monkeypatch):
    monkeypatch.setattr(drift_files, "LARGEST_FILE", 1_000)

    assertContains(upload(reporter, b"{" + b"x" * 70_000), "The file is larger than", status_code=422)


@pytest.mark.parametrize(
    ("days", "name"),
    [
        ({}, "All our conversations"),
        ({"since": "2026-03-01"}, "Our conversations since 1 Mar 2026"),
        ({"until": "2026-03-31"}, "Our conversations until 31 Mar 2026"),
        ({"since": "2026-03-01", "until": "2026-03-31"}, "Our conversations, 1 Mar 2026 to 31 Mar 2026"),
    ],
)
def test_our_own_past_is_read_for_some_days_or_all(reporter, days, name):
    response = reporter.post("/drift/own-past", days)

    report = DriftReport.objects.get()
    assert (response.url, report.name, report.source) == (page_of(report), name, "own_past")
    assert [str(day) if day else None for day in (report.since, report.until)] == [days.get("since"), days.get("until")]


@pytest.mark.parametrize(
    ("days", "told"),
    [
        ({"since": "soon"}, "Write the day as year-month-day"),
        ({"since": "2026-03-02", "until": "2026-03-01"}, "This day lies before the first one."),
    ],
)
def test_days_that_cannot_be_used_are_told(reporter, days, told):
    assertContains(reporter.post("/drift/own-past", days), told, status_code=422)
    assert not DriftReport.objects.exists()


# While it is read


def test_a_report_that_is_read_tells_how_far_it_is(reporter, waiting):
    DriftReport.objects.update(state="running", total=30, done=10, counts={"conversations": 10})

    response = reporter.get(page_of(waiting))

    assertContains(response, "10 of 30 conversations read")
    assertContains(response, '<progress id="bar" value="10" max="30">')
    assertContains(response, ">Refresh</a>")
    assertContains(response, 'hx-trigger="every 2s"')
    assertContains(reporter.get(LIST), "10 of 30 conversations")


def test_an_open_page_gets_only_the_progress_and_loads_again_at_the_end(reporter, waiting):
    running = reporter.get(page_of(waiting), headers=HTMX)
    made.worked_off(waiting)
    ended = reporter.get(page_of(waiting), headers=HTMX)

    assertContains(running, "The conversations are being counted")
    assertNotContains(running, "<html")
    assert (ended.headers["HX-Refresh"], ended.content) == ("true", b"")


def test_a_cancelled_report_says_of_what_its_numbers_are(reporter, waiting):
    response = reporter.post(page_of(waiting, "cancel"), follow=True)

    assertContains(response, "The report is stopped.")
    assertContains(response, "This report was cancelled after 0 of 0 conversations.")
    assertContains(reporter.post(page_of(waiting, "cancel"), follow=True), "The report had ended already.")


def test_a_failed_report_says_why_and_opens_what_could_not_be_read(reporter, manager):
    failed = made.read(manager, ["{broken"])

    response = reporter.get(page_of(failed))

    assertContains(response, "No line of this file could be read as a conversation.")
    assertContains(response, "1 line could not be read")
    assertContains(response, "Line 1:")


def test_a_report_is_deleted_after_a_question(reporter, report):
    asked = reporter.get(page_of(report, "delete"))
    assertContains(asked, "Delete this report?")
    assert DriftReport.objects.exists()

    response = reporter.post(page_of(report, "delete"), follow=True)

    assertContains(response, "The report is deleted.")
    assertContains(response, "No report yet")
    assert not DriftReport.objects.exists()


# What it shows


def test_what_was_found_is_told_in_words(reporter, report):
    text = " ".join(reporter.get(page_of(report)).text.split())

    assert (
        "Of <strong>30</strong> conversations, <strong>20</strong> asked one question three times or more. "
        "<strong>20</strong> got two answers or more to one question, <strong>10</strong> of them three or more."
    ) in text
    assertContains(
        reporter.get(LIST), "Of 30 conversations, 20 asked one question three times or more; 20 got two answers"
    )


def test_a_row_shows_the_answers_side_by_side_with_their_sentences(reporter, manager, owner):
    builders.key("warranty_duration::repair_general", by=owner, deciding_facts=(), question_canonical="How long, then?")
    builders.version(
        by=owner, doc_id="promotion", name="P-2023", passage=TWENTY_FOUR, key="warranty_duration::repair_general"
    )
    report = made.read(manager, [made.conversation("c-1", TWELVE, TWENTY_FOUR, TWELVE)])

    response = reporter.get(page_of(report))

    for told in (
        "How long, then?", "asked 3 times", "2 answers", TWELVE, TWENTY_FOUR, "Message 2,", "Message 4,", "Message 6,",
        "No document says this.", "promotion", "P-2023", "1 Mar 2026, 00:30", "The messages of the file are not kept",
    ):  # fmt: skip
        assertContains(response, told)


def test_a_row_of_our_own_past_leads_to_its_conversation(reporter, manager, policy):
    ours = builders.item(messages=made.thread(ASKED, TWELVE, ASKED, TWENTY_FOUR, ASKED)).conversation
    report = made.worked_off(made.begun_past(manager))

    assertContains(reporter.get(page_of(report)), f'href="/conversations/{ours.pk}/"')


def test_a_change_that_was_a_correction_is_marked(reporter, report):
    report.rows.filter(conversation_id="conversation-2").update(corrected=1)

    assertContains(reporter.get(page_of(report), {"answers": "all"}), "1 change recorded as a correction")


@pytest.mark.parametrize(
    ("asked", "fitting"),
    [
        ({}, 20),
        ({"answers": "two"}, 20),
        ({"answers": "three"}, 10),
        ({"answers": "asked"}, 20),
        ({"answers": "all"}, 30),
        ({"answers": "nonsense"}, 20),
        ({"key": "warranty_duration"}, 20),
        ({"key": "nonsense"}, 20),
        ({"q": "lifetime WARRANTY"}, 10),
        ({"q": "conversation-29"}, 1),
        ({"q": "24 months", "answers": "three"}, 10),
        ({"q": "turn"}, 0),
        ({"q": 'it\'s "100%" _\\'}, 0),
    ],
)
def test_rows_are_narrowed_by_what_is_asked_for(reporter, report, asked, fitting):
    response = reporter.get(page_of(report), asked)

    assertContains(response, f": {fitting}</h2>")
    assert len(
        list(csv.DictReader(io.StringIO(body(reporter.get(page_of(report, "csv"), asked)).lstrip("\ufeff"))))
    ) >= (fitting)


def test_words_with_signs_of_json_are_found(reporter, manager):
    said = 'The warranty is 12 months, "für Ana\\".'
    report = made.read(manager, [made.conversation("c-1", said, TWENTY_FOUR)])

    assertContains(reporter.get(page_of(report), {"q": '12 months, "für Ana\\'}), ": 1</h2>")


def test_rows_come_in_pages_the_worst_first(reporter, manager):
    report = made.read(manager, made.mixed(63))

    first = reporter.get(page_of(report))
    second = reporter.get(page_of(report), {"page": 2})

    assert first.text.count('<article class="drift-row">') == 20
    assertContains(first, "3 answers")
    assertNotContains(first, "2 answers")
    assertContains(second, "?page=3")
    assertContains(reporter.get(page_of(report), {"page": 9}), "This is behind the last page.")


def test_a_report_without_any_repeated_question_says_so(reporter, manager):
    report = made.read(manager, [made.conversation("c-1", "Thank you.", asked="Hello.")])

    assertContains(reporter.get(page_of(report)), "No question was asked twice")


def test_a_list_without_reports_says_what_to_do(reporter, console):
    assertContains(reporter.get(LIST), "Choose a file above, or begin with our own past.")
    assertContains(console.get(LIST), "When somebody reads an archive")


def test_hostile_texts_are_shown_to_the_letter(reporter, manager):
    given = made.conversation(f"c {HOSTILE}", f"{TWELVE} {HOSTILE}", f"{TWENTY_FOUR} {HOSTILE}")
    report = made.read(manager, [given, f'{{"{HOSTILE}'], name=f"{HOSTILE}.jsonl")
    DriftReport.objects.update(broken=[{"line": 2, "why": HOSTILE}])

    for url in (LIST, *(page_of(report, name) for name in ("report", "print", "delete"))):
        response = reporter.get(url)
        assertNotContains(response, "<script>alert")
        assertNotContains(response, "\u202e")
        assertContains(response, "&lt;script&gt;alert(1)&lt;/script&gt;")


def test_a_page_of_rows_needs_a_bounded_number_of_queries(reporter, manager, policy):
    for _one in range(8):
        builders.item(messages=made.thread(ASKED, TWELVE, ASKED, TWENTY_FOUR, ASKED))
    report = made.worked_off(made.begun_past(manager))

    for url in (LIST, page_of(report), page_of(report, "print")):
        with CaptureQueriesContext(
            connection,
        ) as counted:
            reporter.get(url)
        assert len(counted) <= QUERIES, url


# Its files


def body(response):
    return b"".join(response.streaming_content).decode()


def test_the_json_file_has_the_shape_of_the_command(reporter, report):
    response = reporter.get(page_of(report, "json"))

    given = json.loads(body(response))
    assert {name: count for name, count in given.items() if name != "rows"} == {
        "conversations": 30, "asked_three_or_more": 20, "two_answers_or_more": 20, "three_answers_or_more": 10,
    }  # fmt: skip
    assert len(given["rows"]) == 30
    row = next(row for row in given["rows"] if row["conversation_id"] == "conversation-2")
    assert (row["question_key"], row["times_asked"], len(row["distinct_answers"])) == ("warranty_duration", 3, 3)
    assert [(one["turn"], one["text"]) for one in row["evidence"]] == [(1, TWELVE), (3, TWENTY_FOUR), (5, LIFETIME)]
    assert response["Content-Disposition"].startswith("attachment; ")


def test_a_report_without_rows_is_valid_json_too(reporter, manager):
    empty = made.read(manager, [made.conversation("c-1", "Thank you.", asked="Hello.")])

    assert json.loads(body(reporter.get(page_of(empty, "json"))))["rows"] == []


def test_the_spreadsheet_has_one_line_for_each_answer_and_no_formula(reporter, manager):
    report = made.read(manager, [made.conversation("=1+1", TWELVE, TWENTY_FOUR, TWELVE)])

    lines = list(csv.DictReader(io.StringIO(body(reporter.get(page_of(report, "csv"))).lstrip("\ufeff"))))

    assert [(line["conversation_id"], line["answer"], line["messages"]) for line in lines] == [
        ("'=1+1", "12 months", "2, 6"),
        ("'=1+1", "24 months", "4"),
    ]
    assert lines[0]["sentences"] == f"{TWELVE} | {TWELVE}"


def test_the_page_for_paper_holds_every_row_that_fits(reporter, manager):
    report = made.read(manager, made.mixed(63))

    response = reporter.get(page_of(report, "print"), {"answers": "three"})

    assert response.text.count('<article class="drift-row">') == 21
    assertContains(response, "Three answers or more: 21")


def test_questions_are_charted_where_there_are_several(reporter, manager, report):
    asked = "How long can I return the lamp?"
    fourteen, thirty = (f"An unused lamp can be returned within {days} days of receipt." for days in (14, 30))
    several = made.read(manager, [*made.mixed(3), made.conversation("c-9", fourteen, thirty, asked=asked)])

    assertContains(reporter.get(page_of(several)), "chart.svg")
    assertNotContains(reporter.get(page_of(report)), "chart.svg")
    drawn = reporter.get(page_of(several, "chart"))
    assert (drawn["Content-Type"], drawn.content[:5]) == ("image/svg+xml", b"<?xml")


def test_a_reply_that_was_not_understood_is_named_beside_the_answers_and_stands_in_the_file(reporter, manager):
    said = [made.conversation("one", TWELVE, "Members have 24 months, you know.")]
    report = made.read(manager, said)

    page = reporter.get(page_of(report), {"answers": "all"})
    assertContains(page, "1 reply not understood")
    assertContains(page, "Members have 24 months, you know.")
    assertNotContains(page, "One answer</span>")
    (row,) = json.loads(reporter.get(page_of(report, "json")).getvalue())["rows"]
    assert [one["answer"] for one in row["evidence"]] == ["12 months"]
    assert [(one["turn"], one["text"]) for one in row["unread"]] == [(3, "Members have 24 months, you know.")]
