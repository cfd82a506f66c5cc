"""Retiring, ending, permitting, looking back and taking a copy."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from ledger import queries as ledger
from ledger.decisions.policy_files import read_markdown
from ledger.decisions.vocabulary import DocumentKind, VersionStatus
from ledger.models import Conflict, PolicyDocument, PolicyVersion
from tests import builders
from tests.web.conftest import signed_in
from tests.web.test_policy_writing import at


@pytest.fixture
def desk(owner):
    """The policy owner's browser."""
    return signed_in(owner)


@pytest.fixture
def sheet(policy, owner):
    """A manufacturer's sheet that says something about the same question."""
    return builders.version(
        by=owner,
        doc_id="sheet",
        name="S-1",
        kind=DocumentKind.THIRD_PARTY,
        passage="Within 60 days.",
        title="The sheet",
    )


def stored(version):
    return PolicyVersion.objects.get(version=version)


def test_retiring_shows_what_it_means_before_it_happens(desk, policy, agent):
    builders.locked(agent)
    builders.item()

    response = desk.get(at("policy-end", version="RET-1"))

    for told in ("Questions left without a source", builders.RETURN_KEY, "1 conversation", "1 open draft"):
        assertContains(response, told)
    assert stored("RET-1").status == "active"


def test_a_question_that_another_document_answers_too_is_not_left(desk, policy, owner):
    builders.version(by=owner, doc_id="promo", name="P-1", passage="Within 60 days.")

    response = desk.get(at("policy-end", version="RET-1"))

    assertContains(response, "<bdi>P-1</bdi> of <bdi>promo</bdi></a> answers it then.")
    assertNotContains(response, "left without a source")


def test_a_question_that_is_left_on_some_channels_alone_says_who_answers_it_and_where_nobody_does(desk, policy, owner):
    builders.version(by=owner, doc_id="gifts", name="G-1", passage="Within 60 days.",
                     channels=frozenset({builders.CHANNEL, "phone"}))  # fmt: skip

    response = desk.get(at("policy-end", "gifts", "G-1"))

    assertContains(response, "</bdi></a> answers it then, but nothing on <bdi>phone</bdi>.")
    assertNotContains(response, "left without a source")


def test_retiring_analyses_open_drafts_again_and_settles_conflicts(desk, policy, owner):
    builders.version(by=owner, doc_id="promo", name="P-1", passage="Within 60 days.")
    item = builders.item()
    assert item.branch == "first_ask_multiple_active_sources_conflict"

    response = desk.post(at("policy-end", "promo", "P-1"), {"step": "retire"})

    assertContains(desk.get(response.url), "P-1 is retired. 1 draft was analysed again.")
    item.refresh_from_db()
    assert (item.analysis["router"]["version"], Conflict.objects.get().state) == ("RET-1", "obsolete")
    assert (stored("P-1").status, stored("P-1").retired_by) == ("retired", owner)


def test_a_version_ends_on_an_earlier_day(desk, policy, agent):
    builders.locked(agent)

    response = desk.post(at("policy-end", version="RET-1"), {"step": "end", "on": "2027-01-01"})

    assertRedirects(response, reverse("policy", args=["returns"]))
    assert stored("RET-1").effective_until == date(2027, 1, 1)


@pytest.mark.parametrize(
    ("on", "words", "status"),
    [
        ("", "no day of the calendar", 422),
        ("2027-02-30", "no day of the calendar", 422),
        ("2026-01-01", "must lie after that", 409),
        ("2027-07-01", "ends on 1 Jul 2027 already", 409),
        ("2028-01-01", "ends on 1 Jul 2027 already", 409),
    ],
)
def test_a_day_that_ends_nothing_earlier_is_refused_and_kept(desk, policy, on, words, status):
    PolicyVersion.objects.filter(version="RET-1").update(effective_until=date(2027, 7, 1))

    response = desk.post(at("policy-end", version="RET-1"), {"step": "end", "on": on})

    assertContains(response, words, status_code=status)
    assertContains(response, f'name="on" value="{on}"', status_code=status)
    assert stored("RET-1").effective_until == date(2027, 7, 1)


def test_a_form_without_a_button_changes_nothing(desk, policy):
    assert desk.post(at("policy-end", version="RET-1"), {}).status_code == 422
    assert stored("RET-1").status == "active"


@pytest.mark.parametrize("step", [{"step": "retire"}, {"step": "end", "on": "2027-01-01"}])
def test_what_is_retired_is_not_ended_again(desk, policy, step):
    desk.post(at("policy-end", version="RET-1"), {"step": "retire"})
    before = stored("RET-1").retired_at

    response = desk.post(at("policy-end", version="RET-1"), step)

    assertContains(response, "RET-1 is retired", status_code=409)
    assert stored("RET-1").retired_at == before


def test_a_third_partys_sheet_answers_only_after_an_owner_permits_it_with_a_reason(desk, sheet, owner):
    item = builders.item()
    address = at("policy-permission", "sheet")
    assertContains(desk.get(address), "A conflict would begin")
    assert item.analysis["router"]["version"] == "RET-1"

    response = desk.post(address, {"step": "permit", "reason": "We adopted it in spring."})

    page = desk.get(response.url)
    for told in ("This document answers for us from now on", "We adopted it in spring.", owner.get_full_name(),
                 "Third party; answers for us by permission", "Also answered elsewhere"):  # fmt: skip
        assertContains(page, told)
    for place in (reverse("key", args=[builders.RETURN_KEY]), reverse("conflict", args=[Conflict.objects.get().pk])):
        assertContains(desk.get(place), "Third party; answers for us by permission")
    item.refresh_from_db()
    assert item.branch == "first_ask_multiple_active_sources_conflict"
    assert Conflict.objects.get().found_by == "publishing"


def test_a_permission_is_taken_back(desk, sheet):
    address = at("policy-permission", "sheet")
    desk.post(address, {"step": "permit", "reason": "We adopted it in spring."})
    item = builders.item()
    assertContains(desk.get(address), "We adopted it in spring.")

    desk.post(address, {"step": "take-back"})

    item.refresh_from_db()
    document = PolicyDocument.objects.get(pk="sheet")
    assert (document.answers_because, document.answers_by, document.answers_since) == (None, None, None)
    assert (item.analysis["router"]["version"], Conflict.objects.get().state) == ("RET-1", "obsolete")


@pytest.mark.parametrize(
    ("reason", "words"),
    [("", "Say why"), ("\u200b ", "Say why"), ("half\x00", "Remove that character"), ("x" * 70_000, "too long")],
)
def test_a_permission_without_a_usable_reason_is_refused(desk, sheet, reason, words):
    response = desk.post(at("policy-permission", "sheet"), {"step": "permit", "reason": reason})

    assertContains(response, words, status_code=422)
    assert PolicyDocument.objects.get(pk="sheet").answers_because is None


def test_a_permission_is_given_once_and_taken_back_once(desk, sheet):
    address = at("policy-permission", "sheet")

    assertContains(desk.post(address, {"step": "take-back"}), "nothing to take back", status_code=409)
    desk.post(address, {"step": "permit", "reason": "We adopted it."})
    assertContains(desk.post(address, {"step": "permit", "reason": "Another."}), "permitted already", status_code=409)
    assert PolicyDocument.objects.get(pk="sheet").answers_because == "We adopted it."


def test_our_own_documents_need_no_permission(desk, policy):
    assert desk.get(at("policy-permission")).status_code == 404
    assert desk.get(at("policy-permission", "nothing")).status_code == 404


def test_sending_a_third_partys_version_again_grants_nothing_and_takes_nothing_away(desk, sheet, owner):
    builders.version(by=owner, doc_id="sheet", name="S-1", kind=DocumentKind.THIRD_PARTY, passage="Within 61 days.")
    assert not ledger.versions_of(["sheet"])[0].permitted
    desk.post(at("policy-permission", "sheet"), {"step": "permit", "reason": "We adopted it."})

    builders.version(by=owner, doc_id="sheet", name="S-2", kind=DocumentKind.THIRD_PARTY, passage="Within 62 days.",
                     effective_from=date(2026, 6, 1))  # fmt: skip

    assert all(version.permitted for version in ledger.versions_of(["sheet"]))


def test_a_document_that_becomes_our_own_loses_the_permission(desk, sheet, owner):
    desk.post(at("policy-permission", "sheet"), {"step": "permit", "reason": "We adopted it."})

    builders.version(by=owner, doc_id="sheet", name="S-1", kind=DocumentKind.OWN_POLICY, passage="Within 60 days.")

    assert PolicyDocument.objects.get(pk="sheet").answers_because is None


def applied(client, **query):
    return client.get(reverse("policies-applied"), query)


def test_what_applied_on_a_day_and_channel_is_shown_with_the_passage_of_each_question(console, policy, owner):
    builders.version(by=owner, name="RET-2", passage="Within 30 days.", effective_from=date(2026, 6, 1))

    before, after = (applied(console, channel=builders.CHANNEL, on=day) for day in ("2026-05-31", "2026-06-01"))

    assertContains(before, builders.PASSAGE)
    assertContains(before, "<strong><bdi>RET-1</bdi></strong>")
    assertContains(after, "Within 30 days.")
    assertNotContains(after, builders.PASSAGE)


def test_a_version_that_was_retired_later_applied_before(console, policy, owner, desk):
    desk.post(at("policy-end", version="RET-1"), {"step": "retire"})
    today = timezone.localdate()

    earlier = applied(console, channel=builders.CHANNEL, on=(today - timedelta(days=1)).isoformat())

    assertContains(earlier, "Retired later")
    assertContains(earlier, builders.PASSAGE)
    assertContains(applied(console, channel=builders.CHANNEL, on=today.isoformat()), "No version of any document")


def test_several_answers_and_none_are_said_in_words(console, policy, owner):
    builders.key("opening_hours::shop", by=owner, question_canonical="When are you open?")
    builders.version(by=owner, doc_id="promo", name="P-1", passage="Within 60 days.")

    response = applied(console, channel=builders.CHANNEL)

    assertContains(response, "2 documents answered it")
    assertContains(response, "Questions that nothing answered (1)")
    assertContains(
        applied(console, channel=builders.CHANNEL, on="2020-01-01"), "No version of any document was in force"
    )
    assertContains(applied(console), "Choose a channel")


def test_a_third_partys_passage_applied_only_by_permission(console, sheet):
    response = applied(console, channel=builders.CHANNEL)

    assertContains(response, "Third party; never answers for us")
    assertNotContains(response, "Within 60 days.")


def test_a_version_is_taken_as_the_file_that_can_be_loaded_again(console, policy, owner):
    body = f"# Returns\n\n## 2 {{#{builders.RETURN_KEY}}}\n\n{builders.PASSAGE}\n"
    version = builders.version(by=owner, name="RET-2", effective_from=date(2026, 6, 1), body=body,
                               status=VersionStatus.DRAFT)  # fmt: skip

    response = console.get(at("policy-export", version="RET-2"))

    assert response["Content-Disposition"] == 'attachment; filename="returns--RET-2.md"'
    assert replace(read_markdown(response.content.decode()), permitted=False) == version


def test_who_was_told_is_listed_in_parts(console, policy, agent):
    names = [builders.locked(agent) for _ in range(3)]

    response = console.get(reverse("policy-told"), {"key": builders.RETURN_KEY})

    for name in names:
        assertContains(response, name)
    assertContains(response, "from <bdi>returns/RET-1</bdi>")
    assertContains(
        console.get(reverse("policy-told"), {"key": builders.RETURN_KEY, "page": "9"}), "No more conversations"
    )
    assert console.get(reverse("policy-told"), {"key": "nobody::knows"}).status_code == 404
