"""Policy owners write a version, see what publishing it changes, and publish it."""

import re
from datetime import date

import pytest
from django.contrib.auth.models import Group, User
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from ledger.decisions.vocabulary import DocumentKind, Statement, VersionStatus
from ledger.models import Conflict, PolicyDocument, PolicyVersion
from tests import builders
from tests.web.conftest import signed_in
from tests.web.test_hostile_text import CORPUS, is_inert

NEW_PASSAGE = "An unused lamp can be returned within 30 days of receipt."
BODY = f"Returns\n\n1 Time\n\n{NEW_PASSAGE}\n\n2 Condition\n\nIt must be unused.\n"
QUERIES_OF_THE_PREVIEW = 34


@pytest.fixture
def desk(owner):
    """The policy owner's browser."""
    return signed_in(owner)


@pytest.fixture
def owner2(people):
    """A second policy owner."""
    person = User.objects.create_user("owner2", password="x", first_name="Olga", last_name="Berg")
    person.groups.add(Group.objects.get(name="policy_owner"))
    return person


def at(route, doc_id="returns", version=None, **more):
    query = {"document": doc_id, **({"version": version} if version else {}), **more}
    return reverse(route, query=query)


def filled(**changes):
    """What a browser sends of the form."""
    fields = {
        "doc_id": "leaflet", "version": "LEAF-1", "title": "Leaflet", "kind": "own_policy",
        "deciding_date": "received_on", "channels": "online-store", "effective_from": "2026-12-01",
        "effective_until": "", "body": BODY, "seen": "", "rows": "1", "key-0": builders.RETURN_KEY,
        "section-0": "1 Time", "passage-0": NEW_PASSAGE, "step": "save",
    }  # fmt: skip
    return {**fields, **{name.replace("__", "-"): value for name, value in changes.items()}}


def stored(version, doc_id="leaflet"):
    return PolicyVersion.objects.get(document=doc_id, version=version)


def seen_on(response):
    return re.search(r'name="seen" value="([0-9a-f]*)"', response.text)[1]


def draft(by, version="RET-2", **changes):
    """A draft of the returns policy that somebody prepared."""
    fields = {"doc_id": "returns", "version": version, "title": "Returns, new", **changes}
    response = signed_in(by).post(at("policy-new"), filled(**fields))
    assert response.status_code == 302, response.text
    return stored(version, "returns")


def publish(client, version="RET-2", doc_id="returns", **fields):
    """Look at the preview and press its button."""
    address = at("policy-publish", doc_id, version)
    seen = seen_on(client.get(address))
    return client.post(address, {"seen": seen, **fields})


def test_a_new_document_is_saved_as_a_draft_with_text_passage_and_author(desk, policy, owner):
    response = desk.post(reverse("policy-new"), filled())

    assertRedirects(response, reverse("policy", args=["leaflet"]))
    row = stored("LEAF-1")
    assert (row.status, row.body, row.prepared_by, row.published_at) == ("draft", BODY, owner, None)
    assert [(s.question_key_id, s.section, s.text) for s in row.statements.all()] == [
        (builders.RETURN_KEY, "1 Time", NEW_PASSAGE)
    ]


def test_line_ends_of_a_browser_are_stored_as_single_line_feeds(desk, policy):
    desk.post(reverse("policy-new"), filled(body=BODY.replace("\n", "\r\n")))

    assert stored("LEAF-1").body == BODY


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"doc_id": " "}, "doc_id", "Give the document a short name"),
        ({"doc_id": "returns"}, "doc_id", "There is a document of this name already"),
        ({"version": ""}, "version", "Give the version a name"),
        ({"doc_id": ".."}, "doc_id", "no address leads there"),
        ({"doc_id": "a\u200bb"}, "doc_id", "cannot be seen (U+200B, zero width space)"),
        ({"version": "V\u202e1"}, "version", "cannot be seen (U+202E, right-to-left override)"),
        ({"title": ""}, "title", "Give it a title"),
        ({"kind": "rumour"}, "kind", "Send one of"),
        ({"deciding_date": "Received On"}, "deciding_date", "Name a fact in lower case"),
        ({"channels": " , "}, "channels", "Name at least one channel"),
        ({"channels": "all"}, "channels", "stands for no channel"),
        ({"effective_from": ""}, "effective_from", "Give the first day"),
        ({"effective_from": "2026-02-30"}, "effective_from", "no day of the calendar"),
        ({"effective_from": "0001-01-01"}, "effective_from", "Give a day between 1 Jan 2000 and 31 Dec 2999."),
        ({"effective_until": "9999-12-31"}, "effective_until", "Give a day between 1 Jan 2000 and 31 Dec 2999."),
        ({"effective_until": "soon"}, "effective_until", "no day of the calendar"),
        ({"effective_until": "2026-12-01"}, "effective_until", "must lie after “In force from”"),
        ({"key__0": ""}, "key-0", "Choose the question"),
        ({"key__0": "nobody::knows"}, "key-0", "is not in the registry"),
        ({"passage__0": " "}, "passage-0", "Mark or paste the passage"),
        ({"passage__0": "Within 31 days."}, "passage-0", "does not stand in the whole text"),
        ({"body": "x" * 70_000}, "body", "too long"),
        ({"title": "T\x00"}, "title", "Remove that character"),
    ],
)
def test_a_fault_stands_at_its_field_and_nothing_typed_is_lost(desk, policy, change, field, words):
    response = desk.post(reverse("policy-new"), filled(**change))

    assert response.status_code in {409, 422}
    assert re.search(rf'id="problem-{field}"><bdi>[^<]*{re.escape(words)}', response.text), response.text
    assertContains(response, "2 Condition" if "body" not in change else "x" * 70_000, status_code=response.status_code)
    assert not PolicyVersion.objects.filter(document="leaflet").exists()


def test_every_passage_that_does_not_stand_in_the_text_is_named(desk, policy, owner):
    builders.key("opening_hours::shop", by=owner, question_canonical="When are you open?")
    two = {"rows": "2", "passage__0": "Within 31 days.", "key__1": "opening_hours::shop", "section__1": "",
           "passage__1": "We open at nine."}  # fmt: skip

    response = desk.post(reverse("policy-new"), filled(**two))

    for field in ("passage-0", "passage-1"):
        assertContains(response, f'id="problem-{field}"', status_code=422)


def test_a_passage_may_run_over_lines_of_the_text(desk, policy):
    desk.post(reverse("policy-new"), filled(body=BODY.replace("within 30", "within\n   30")))

    assert stored("LEAF-1").statements.get().text == NEW_PASSAGE


def test_without_a_whole_text_a_passage_stands_alone(desk, policy):
    desk.post(reverse("policy-new"), filled(body=""))

    assert (stored("LEAF-1").body, stored("LEAF-1").statements.get().text) == ("", NEW_PASSAGE)


def test_a_question_is_tied_to_one_passage(desk, policy):
    response = desk.post(reverse("policy-new"), filled(rows="2", key__1=builders.RETURN_KEY, passage__1=NEW_PASSAGE))

    assertContains(response, "at most one statement", status_code=422)
    assertContains(response, 'id="problem-key-1"', status_code=422)


def test_passages_are_added_and_removed_without_script_and_the_rest_stays(desk, policy):
    more = desk.post(reverse("policy-new"), filled(step="add", title="Half typ"))
    fewer = desk.post(
        reverse("policy-new"), filled(rows="2", key__1="", section__1="", passage__1="The second.", step="remove-0")
    )

    assertContains(more, 'name="passage-1"')
    assertContains(more, 'value="Half typ"')
    assertContains(more, NEW_PASSAGE)
    assertContains(fewer, "The second.")
    assertNotContains(fewer, 'name="passage-1"')
    assert not PolicyDocument.objects.filter(pk="leaflet").exists()


@pytest.mark.parametrize("step", ["remove-9", "remove-x", "remove-²", "nothing"])
def test_an_odd_button_breaks_nothing(desk, policy, step):
    assert desk.post(reverse("policy-new"), filled(step=step, title="")).status_code in {200, 422}


@pytest.mark.parametrize("rows", ["999", "-1", "²", "", "x"])
def test_an_odd_number_of_passages_breaks_nothing(desk, policy, rows):
    assert desk.post(reverse("policy-new"), filled(rows=rows)).status_code in {200, 302, 422}


def test_a_new_version_begins_with_what_its_predecessor_says(desk, policy):
    fresh = desk.get(at("policy-new"))
    copied = desk.get(at("policy-new", **{"from": "RET-1"}))

    assertContains(fresh, "Returns in the online store")
    assertNotContains(fresh, builders.PASSAGE)
    assertContains(copied, builders.PASSAGE)
    assertContains(copied, 'name="version" value=""')
    assertNotContains(copied, 'name="kind"')


def test_what_versions_share_cannot_be_sent_along(desk, owner, policy):
    row = draft(owner, kind="third_party", deciding_date="ordered_on")

    assert (row.document_id, row.document.kind, row.document.deciding_date) == ("returns", "own_policy", "received_on")


def test_a_version_of_the_same_name_is_not_overwritten(desk, policy, owner):
    draft(owner)

    for name in ("RET-1", "RET-2"):
        response = desk.post(at("policy-new"), filled(version=name, title="Mine"))
        assertContains(response, 'id="problem-version"', status_code=409)
        assertContains(response, 'value="Mine"', status_code=409)


def test_a_draft_is_edited_by_whoever_looks_at_it_now(desk, policy, owner, owner2):
    draft(owner)
    address = at("policy-edit", version="RET-2")
    form = signed_in(owner2).get(address)

    response = signed_in(owner2).post(address, filled(title="Better", seen=seen_on(form)))

    assertRedirects(response, reverse("policy", args=["returns"]))
    row = stored("RET-2", "returns")
    assert (row.title, row.prepared_by, row.status) == ("Better", owner2, "draft")


def test_a_draft_that_moved_on_is_not_overwritten_and_the_typed_text_stays(desk, policy, owner):
    draft(owner)
    address = at("policy-edit", version="RET-2")
    seen = seen_on(desk.get(address))
    desk.post(address, filled(title="First", seen=seen))

    response = desk.post(address, filled(title="Second", seen=seen))

    assertContains(response, "changed or discarded while you wrote", status_code=409)
    assertContains(response, 'value="Second"', status_code=409)
    assert stored("RET-2", "returns").title == "First"


def test_a_whole_text_can_be_taken_out_of_a_draft_again(desk, policy, owner):
    draft(owner)
    address = at("policy-edit", version="RET-2")

    desk.post(address, filled(body="", seen=seen_on(desk.get(address))))

    assert stored("RET-2", "returns").body == ""


def test_a_published_version_is_not_edited(desk, policy):
    response = desk.get(at("policy-edit", version="RET-1"), follow=True)

    assertContains(response, "RET-1 is active, so it stays as it is")


def test_a_draft_answers_nobody(policy, owner):
    draft(owner, effective_from="2026-01-01", version="RET-0")

    assert builders.item().analysis["router"]["version"] == "RET-1"


def test_the_preview_tells_what_publishing_changes(desk, policy, owner, agent, django_assert_max_num_queries):
    conversation = builders.locked(agent)
    builders.item()
    draft(owner, channels="online-store, email")

    with django_assert_max_num_queries(QUERIES_OF_THE_PREVIEW):
        response = desk.get(at("policy-publish", version="RET-2"))

    assertContains(response, "<strong><bdi>RET-1</bdi></strong> ends on")
    assertContains(response, '<time datetime="2026-12-01">1 Dec 2026</time>')
    for told in (
        "email, online-store",
        "<ins>",
        "14 days",
        "30 days",
        "Clara Lindqvist",
        "1 conversation",
        "1 open draft",
    ):
        assertContains(response, told)
    assertContains(desk.get(at("policy-told").split("?")[0], {"key": builders.RETURN_KEY}), conversation)


def test_publishing_ends_the_predecessor_and_analyses_open_drafts_again(desk, policy, owner):
    item = builders.item(facts={"received_on": "2026-10-02"})
    draft(owner, effective_from="2026-10-01")

    response = publish(desk)

    assertContains(desk.get(response.url), "RET-2 is published. 1 draft was analysed again.")
    row = stored("RET-2", "returns")
    assert (row.status, row.published_by, row.prepared_by) == ("active", owner, owner)
    assert stored("RET-1", "returns").effective_until == date(2026, 10, 1)
    item.refresh_from_db()
    assert item.analysis["router"]["version"] == "RET-2"


def test_a_conflict_is_foretold_and_opened_by_publishing(desk, policy):
    desk.post(reverse("policy-new"), filled())
    preview = desk.get(at("policy-publish", "leaflet", "LEAF-1"))

    assertContains(preview, "A conflict would begin")
    assertContains(preview, "</bdi></a>, on <bdi>online-store</bdi>.")
    assertContains(preview, reverse("policy", args=["returns"]))
    assert not Conflict.objects.exists()
    response = publish(desk, "LEAF-1", "leaflet")

    assertContains(desk.get(response.url), "A conflict is open")
    assert Conflict.objects.get().found_by == "publishing"


@pytest.mark.parametrize("what", ["draft", "rival", "predecessor"])
def test_what_moved_on_since_the_preview_is_not_published(desk, policy, owner, what):
    row = draft(owner)
    address = at("policy-publish", version="RET-2")
    seen = seen_on(desk.get(address))
    if what == "draft":
        PolicyVersion.objects.filter(pk=row.pk).update(title="Another")
    elif what == "rival":
        builders.version(by=owner, doc_id="promo", name="P-1", passage="Within 60 days.")
    else:
        PolicyVersion.objects.filter(version="RET-1").update(effective_until=date(2026, 7, 1))

    response = desk.post(address, {"seen": seen})

    assertContains(response, "has changed. Nothing was published; look again.", status_code=409)
    assert seen_on(response) != seen
    assert stored("RET-2", "returns").status == "draft"


def test_nobody_publishes_what_they_prepared_while_somebody_else_can(desk, policy, owner, owner2):
    draft(owner)

    own = desk.get(at("policy-publish", version="RET-2"))
    pressed = publish(desk)
    other = publish(signed_in(owner2))

    assertContains(own, "Somebody else has to publish it")
    assertContains(own, "Olga Berg")
    assertNotContains(own, "Publish <bdi>RET-2</bdi></button>")
    assert (pressed.status_code, other.status_code) == (409, 302)
    assert stored("RET-2", "returns").published_by == owner2


def test_a_disabled_owner_is_nobody_else(desk, policy, owner, owner2):
    User.objects.filter(pk=owner2.pk).update(is_active=False)
    draft(owner)

    assert publish(desk).status_code == 302


def test_what_cannot_be_published_says_why_and_offers_no_button(desk, policy, owner):
    draft(owner, effective_from="2026-01-01")

    response = desk.get(at("policy-publish", version="RET-2"))

    assertContains(response, "This cannot be published yet")
    assertContains(response, "RET-2 overlaps RET-1")
    assertNotContains(response, 'class="weighty"')


def test_a_published_version_is_not_published_again(desk, policy):
    response = desk.get(at("policy-publish", version="RET-1"), follow=True)

    assertContains(response, "RET-1 is active already")


def test_a_draft_is_discarded_after_it_was_shown(desk, policy, owner):
    draft(owner)
    address = at("policy-discard", version="RET-2")

    assertContains(desk.get(address), "This is gone for good")
    assert PolicyVersion.objects.filter(version="RET-2").exists()
    assertRedirects(desk.post(address), reverse("policy", args=["returns"]))
    assert not PolicyVersion.objects.filter(version="RET-2").exists()


def test_a_document_of_which_nothing_is_left_goes_with_its_draft(desk, policy):
    desk.post(reverse("policy-new"), filled())

    assertRedirects(desk.post(at("policy-discard", "leaflet", "LEAF-1")), reverse("policies"))
    assert not PolicyDocument.objects.filter(pk="leaflet").exists()


def test_a_published_version_is_not_discarded(desk, policy):
    response = desk.post(at("policy-discard", version="RET-1"))

    assertContains(response, "Only a draft can be discarded", status_code=409)
    assert PolicyVersion.objects.filter(version="RET-1").exists()


@pytest.mark.parametrize("route", ["policy-edit", "policy-publish", "policy-discard", "policy-end", "policy-export"])
@pytest.mark.parametrize("query", [{}, {"document": "returns"}, {"document": "returns", "version": "none"},
                                   {"document": "a\x00", "version": "b"}])  # fmt: skip
def test_a_version_that_is_not_there_is_not_found(desk, policy, route, query):
    assert desk.get(reverse(route), query).status_code == 404


@pytest.mark.parametrize("hostile", CORPUS)
def test_hostile_text_is_inert_wherever_a_version_is_written(desk, policy, owner, hostile):
    fields = filled(
        doc_id=f"leaflet {hostile}", version=f"L {hostile}", title=f"T {hostile}", channels=f"web,{hostile}",
        section__0=hostile, passage__0=f"{hostile} within 30 days", body=f"{hostile} within 30 days",
    )  # fmt: skip
    passage = f"Within 30 days {hostile} of receipt."

    assert is_inert(desk.post(reverse("policy-new"), {**fields, "effective_from": hostile}))
    builders.named_before("odd", f"L {hostile}")
    builders.version(
        by=owner, doc_id="odd", name=f"L {hostile}", title=f"T {hostile}", status=VersionStatus.DRAFT,
        kind=DocumentKind.THIRD_PARTY, channels=frozenset({f"web {hostile}"}), body=passage,
        statements=(Statement(builders.RETURN_KEY, hostile, passage),),
    )  # fmt: skip
    for route in ("policy-edit", "policy-publish", "policy-discard", "policy-end"):
        assert is_inert(desk.get(at(route, "odd", f"L {hostile}"))), route
    assert is_inert(desk.post(at("policy-permission", "odd"), {"reason": f"{hostile}\x00"}))
    assert is_inert(desk.get(reverse("policy", args=["odd"])))
