"""Question keys changed on screen: one by one and from a file, with what that means shown before."""

import json

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from drafts.models import ReviewItem
from ledger import queries as ledger
from ledger.models import Conflict, QuestionKey
from tests import builders
from tests.web.conftest import signed_in
from tests.web.test_hostile_text import CORPUS, is_inert

BULB = "return_window::spare_bulb"
BOUNDARY = "A bulb goes back with its lamp."


@pytest.fixture
def desk(owner, policy):
    """The policy owner's browser, with one key that a document answers."""
    return signed_in(owner)


def sent(**changes):
    return {
        "key": BULB, "question": "How long can I return a spare bulb?", "commitment": "binding_policy",
        "facts": "received_on\n", "parent": builders.RETURN_KEY, "boundary": BOUNDARY, "owner": "owner",
        "examples": "Can the bulb go back?\n\nAnd the bulb?", "seen": "", "step": "save", **changes,
    }  # fmt: skip


def add(client, **changes):
    return client.post(reverse("key-add"), sent(**changes))


def upload(client, *keys, text=None, **more):
    content = json.dumps({"keys": keys}) if text is None else text
    file = SimpleUploadedFile("keys.json", content.encode() if isinstance(content, str) else content)
    return client.post(reverse("key-file"), {"file": file, "step": "preview", **more})


def test_a_key_is_added_with_everything_that_was_typed(desk):
    response = add(desk)

    assert (response.status_code, response.url) == (302, reverse("key", args=[BULB]))
    stored = ledger.registry()[BULB]
    assert (stored.parent, stored.boundary, stored.owner) == (builders.RETURN_KEY, BOUNDARY, "owner")
    assert (stored.deciding_facts, stored.examples) == (("received_on",), ("Can the bulb go back?", "And the bulb?"))
    assert QuestionKey.objects.get(pk=BULB).changed_by.username == "owner"


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"key": "Return::bulb"}, "key", "A key reads topic::scope"),
        ({"key": builders.RETURN_KEY}, "key", "is there already"),
        ({"question": " "}, "question", "Give the question in one sentence."),
        ({"commitment": "firm"}, "commitment", "Choose one of the three."),
        ({"boundary": ""}, "boundary", "needs the sentence that sets it off"),
        ({"parent": ""}, "boundary", "Only a key with a parent"),
        ({"parent": "return_window::moon"}, "parent", "is not in the registry"),
        ({"parent": BULB}, "parent", "cannot be its own parent"),
        ({"owner": "nobody"}, "owner", "No active person"),
        ({"owner": "agent"}, "owner", "is no policy owner and could settle no conflict"),
        ({"question": "a\x00b"}, "question", "Remove that character"),
        ({"question": "x" * 3_000}, "question", "Shorten this"),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_what_was_typed_is_kept(desk, changes, field, message):
    response = add(desk, **changes)

    assertContains(response, message, status_code=422)
    assertContains(response, f'id="problem-{field}"', status_code=422)
    assertContains(response, "Can the bulb go back?", status_code=422)
    assert BULB not in ledger.registry()


def test_a_key_belongs_to_a_key_of_its_own_and_to_no_adjacent_one(desk, owner):
    add(desk)

    chain = add(desk, key="return_window::socket", parent=BULB)
    stored = desk.get(reverse("key-change", args=[builders.RETURN_KEY])).context["typed"]
    above = desk.post(
        reverse("key-change", args=[builders.RETURN_KEY]),
        sent(parent=BULB, seen=stored.seen, key=builders.RETURN_KEY),
    )

    assertContains(chain, f"itself belongs to {builders.RETURN_KEY}", status_code=422)
    assertContains(above, "parents cannot run in a circle", status_code=422)


def test_a_preview_says_what_changes_for_open_drafts_and_changes_nothing(desk, owner):
    builders.key("return_window::general", by=owner)
    item = builders.item(question="return_window::general")
    stored = desk.get(reverse("key-change", args=["return_window::general"])).context["typed"]
    wanted = sent(key="return_window::general", seen=stored.seen, step="preview")

    response = desk.post(reverse("key-change", args=["return_window::general"]), wanted)

    assertContains(response, item.external_id)
    assertContains(response, "<strong>One source answers</strong>")
    assert ledger.registry()["return_window::general"].parent is None
    assert ReviewItem.objects.get(pk=item.pk).branch == "first_ask_no_source_found"
    assert (
        desk.post(reverse("key-change", args=["return_window::general"]), wanted | {"step": "save"}).status_code == 302
    )
    assert ReviewItem.objects.get(pk=item.pk).branch == "first_ask_key_resolved_single_active_source"


def test_a_change_of_what_was_changed_meanwhile_is_refused_and_shown(desk, owner):
    stored = desk.get(reverse("key-change", args=[builders.RETURN_KEY])).context["typed"]
    builders.key(by=owner, question_canonical="Until when can a lamp be returned?")

    response = desk.post(
        reverse("key-change", args=[builders.RETURN_KEY]), sent(parent="", boundary="", seen=stored.seen)
    )

    assertContains(response, "Somebody changed this key meanwhile", status_code=409)
    assertContains(response, "Until when can a lamp be returned?", status_code=409)
    assertContains(response, "spare bulb", status_code=409)


def test_an_unused_key_is_deleted_and_one_that_something_rests_on_says_what(desk, owner, agent):
    add(desk)
    builders.locked(agent)

    used = desk.post(reverse("key-delete", args=[builders.RETURN_KEY]))
    unused = desk.post(reverse("key-delete", args=[BULB]))

    for told in ("customers were told something", "RET-1 of returns", BULB, "drafts ask it"):
        assertContains(used, told, status_code=409)
    assert (unused.status_code, BULB in ledger.registry()) == (302, False)
    assert desk.post(reverse("key-delete", args=["no::key"])).status_code == 404


def test_the_registry_is_downloaded_and_loaded_again_without_a_change(desk):
    add(desk)

    downloaded = desk.get(reverse("keys-download"))
    response = upload(desk, text=downloaded.text)

    assert "attachment" in downloaded["Content-Disposition"]
    assertContains(response, "Nothing: everything stands like this already.")
    assertNotContains(response, ">Load it<")


def test_a_file_is_shown_first_and_loaded_by_a_second_press(desk):
    keys = [{"key": BULB, "question_canonical": "And a bulb?"}, {"key": "bulb::glass", "question_canonical": "Glass?"}]

    shown = upload(desk, *keys)
    before = BULB in ledger.registry()
    response = desk.post(reverse("key-file"), {"content": shown.context["content"], "step": "load"}, follow=True)

    assertContains(shown, "bulb::glass")
    assert not before
    assertContains(response, "2 keys saved.")
    assert ledger.registry()[BULB].question_canonical == "And a bulb?"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(b"\xff\xfe", "not UTF-8", id="bytes"),
        pytest.param("{", "line 1, file: This is no JSON", id="json"),
        pytest.param("x" * 210_000, "larger than 200 kB", id="large"),
        pytest.param(
            '{"keys": [{"key": "a::b", "question_canonical": "?"},\n'
            '{"key": "a::c", "question_canonical": "?", "owner": ["o", "p"]}]}',
            "line 2, keys[1].owner (a::c): A key has one owner.", id="two-owners",
        ),
        pytest.param(
            '{"keys": [{"key": "a::b", "question_canonical": "?"},'
            '{"key": "a::c", "question_canonical": "?", "parent": "x::y", "boundary": "z"}]}',
            "a::c, parent: The key &#x27;x::y&#x27; is not in the registry.", id="unknown-parent",
        ),
        pytest.param(
            '{"keys": [{"key": "a::b", "question_canonical": "?"},'
            '{"key": "a::c", "question_canonical": "?", "owner": "nobody"}]}',
            "a::c, owner: No active person &#x27;nobody&#x27;", id="unknown-owner",
        ),
    ],
)  # fmt: skip
@pytest.mark.parametrize("step", ["preview", "load"])
def test_a_file_with_a_fault_is_refused_whole(desk, text, message, step):
    response = upload(desk, text=text, step=step)

    assertContains(response, message, status_code=422)
    assert set(ledger.registry()) == {builders.RETURN_KEY}


def test_a_press_without_a_file_is_told(desk):
    assertContains(desk.post(reverse("key-file"), {"step": "preview"}), "Choose a file.", status_code=422)


def test_the_default_registry_adds_what_is_missing_and_leaves_the_rest(desk, owner):
    builders.key("warranty_duration::general", by=owner, question_canonical="For how long do you stand by a lamp?")

    shown = desk.post(reverse("key-file"), {"source": "default", "step": "preview"})
    desk.post(reverse("key-file"), {"content": shown.context["content"], "step": "load"})
    again = desk.get(reverse("key-file"))

    assert len(ledger.registry()) == 24
    assert ledger.registry()["warranty_duration::general"].question_canonical == "For how long do you stand by a lamp?"
    assertContains(again, "You have all of them.")


def test_a_change_that_brings_two_documents_together_says_which_conflict_opens(desk, owner):
    builders.key("return_window::leaflet", by=owner)
    builders.version(by=owner, doc_id="leaflet", name="LEAF-1", key="return_window::leaflet")

    assert not Conflict.objects.exists()
    response = desk.post(reverse("key-file"), {"content": json.dumps({"keys": [
        {"key": "return_window::leaflet", "question_canonical": "?", "parent": builders.RETURN_KEY, "boundary": "Same."}
    ]}), "step": "preview"})  # fmt: skip

    assert response.status_code == 200
    assert not Conflict.objects.exists()


@pytest.mark.parametrize("role", ["agent", "manager", "admin"])
def test_others_read_keys_and_change_none(people, policy, role):
    client = signed_in(people[role])

    assertNotContains(client.get(reverse("keys")), "Add a key")
    assertNotContains(client.get(reverse("key", args=[builders.RETURN_KEY])), "Change this key")
    for response in (client.get(reverse("key-add")), add(client), upload(client, {"key": "a::b"})):
        assertContains(response, "Changing question keys is for policy owners.", status_code=403)


@pytest.mark.parametrize("hostile", CORPUS)
def test_hostile_text_in_every_field_is_inert(desk, hostile):
    User.objects.create_user(f"o{hostile}"[:150].replace("\u202e", ""), password="x")
    typed = {"question": f"q {hostile}", "boundary": f"b {hostile}", "examples": hostile, "facts": f"f {hostile}"}

    assert is_inert(add(desk, **typed, owner=hostile))
    assert is_inert(add(desk, key=hostile))
    assert add(desk, **typed).status_code == 302
    assert is_inert(desk.get(reverse("key", args=[BULB])))
    assert is_inert(desk.get(reverse("key-change", args=[BULB])))
    assert is_inert(upload(desk, {"key": hostile, "question_canonical": hostile, hostile: hostile}))
