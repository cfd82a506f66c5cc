from pytest_django.asserts import assertContains, assertRedirects

from tests import builders
from tests.web.conftest import press, worked


def test_saving_keeps_the_text_as_the_next_version(console, policy, agent, headers):
    item = builders.item(builders.UNBACKED)

    response = press(console, item, "save", text=builders.CLEAN, headers=headers)

    assert worked(response, headers)
    newest = item.draft_versions.get(number=2)
    assert (newest.text, newest.author) == (builders.CLEAN, agent)


def test_saving_what_is_already_there_makes_no_version(console, policy, headers):
    item = builders.item()

    response = press(console, item, "save", text=builders.CLEAN, headers=headers)

    assert worked(response, headers)
    assert item.draft_versions.count() == 1


def test_saving_keeps_a_reason_that_waits_beside_a_claim(console, policy, headers):
    text = builders.UNBACKED.replace("Hello", "Good morning")
    at = text.index("Our agents")
    place = f"STATUS:{at}:{text.index(' your order') + len(' your order')}"

    response = press(console, builders.item(), "save", text=text, headers=headers, **{f"reason__{place}": "A figure."})

    assertContains(response, 'value="A figure."')


def test_saving_takes_the_item(console, policy, agent):
    item = builders.item(builders.UNBACKED)

    press(console, item, "save", text=builders.CLEAN)

    item.refresh_from_db()
    assert item.holder == agent


def test_an_empty_text_is_refused(console, policy, headers):
    item = builders.item()

    response = press(console, item, "save", text="\u200b ", headers=headers)

    assertContains(response, "The text is empty", status_code=422)
    assert item.draft_versions.count() == 1


def test_the_page_shows_what_changed_since_the_original(console, policy):
    item = builders.item(builders.UNBACKED)

    response = console.get(press(console, item, "save", text=builders.CLEAN).url)

    assertContains(response, "<del>")
    assertContains(response, "What you changed")


def test_a_required_text_is_inserted_after_the_greeting(console, policy, agent, headers):
    conversation = builders.locked(agent)
    item = builders.item("Hello Ana,\n\nthanks for asking again.", conversation=conversation)

    response = press(
        console,
        item,
        "insert",
        text="Hello Ana,\n\nthanks for asking again.",
        insertion=builders.PASSAGE,
        headers=headers,
    )

    assert worked(response, headers)
    newest = item.draft_versions.get(number=2).text
    assert newest == f"Hello Ana,\n\n{builders.PASSAGE}\n\nthanks for asking again."


def test_inserting_keeps_what_was_typed_around_it(console, policy, headers):
    item = builders.item()

    response = press(console, item, "insert", text="Dear Ana, typed.", insertion=builders.PASSAGE, headers=headers)

    assert worked(response, headers)
    assert "Dear Ana, typed." in item.draft_versions.get(number=2).text


def test_a_kept_text_can_be_put_into_the_editor(console, policy, agent):
    item = builders.item()
    press(console, item, "approve", text=builders.UNBACKED)
    parked = item.parked_texts.get()

    response = console.get(f"/review/{item.pk}/?from=parked:{parked.pk}")

    assertContains(response, "The text as typed, not saved")


def test_the_original_can_be_put_into_the_editor(console, policy):
    item = builders.item(builders.UNBACKED)
    press(console, item, "save", text=builders.CLEAN)

    response = console.get(f"/review/{item.pk}/?from=version:1")

    assertContains(response, "The text as typed, not saved")
    assertContains(response, "currently reviewing")


def test_a_source_that_is_not_there_changes_nothing(console, policy):
    item = builders.item()

    for source in ("parked:999", "version:x", "nonsense", "version:99999999999999999999"):
        assertContains(console.get(f"/review/{item.pk}/", {"from": source}), "Version 1, as saved.")


def test_saving_redirects_to_the_page(console, policy):
    item = builders.item(builders.UNBACKED)

    assertRedirects(press(console, item, "save", text=builders.CLEAN), f"/review/{item.pk}/")
