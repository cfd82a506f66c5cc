"""A part of the form that lacks something stays open, with the field marked, explained and focused."""

import re

import pytest

from tests import builders
from tests.web.conftest import press

FILLED = {"new_answer": "Within 14 days.", "reason__correct": "Wrong before.", "owner": "agent"}


@pytest.fixture
def answered(policy, agent):
    """An item of a customer who was told something, so that every part of the form is there."""
    return builders.item(builders.UNBACKED, conversation=builders.locked(agent))


def part(response, name):
    """The foldable part of this id, from its opening tag on."""
    return re.search(rf'<details id="{name}".*?</details>', response.text, re.DOTALL)[0]


def marked(html):
    """The fields that are marked as refused, by name."""
    return re.findall(r'name="([^"]+)"[^>]* aria-invalid="true" aria-describedby="problem" autofocus', html)


@pytest.mark.parametrize(
    ("pressed", "expected"),
    [
        (("send-back", {}), ("reason-send_back", "Say why")),
        (("escalate", {"reason__escalate": " "}), ("reason-escalate", "Say why")),
        (("correct", {**FILLED, "new_answer": ""}), ("new_answer", "the answer that holds from now on")),
        (("correct", {**FILLED, "reason__correct": ""}), ("reason-correct", "Say why")),
        (("correct", {**FILLED, "owner": ""}), ("owner", "needs an owner")),
        (("correct", {**FILLED, "owner": "nobody"}), ("owner", "No active person")),
    ],
)
def test_what_is_missing_is_marked_where_it_is_missing(console, answered, pressed, expected, headers):
    (action, sent), (field, sentence) = pressed, expected

    response = press(console, answered, action, headers=headers, **sent)

    shown = part(response, action)
    assert response.status_code == 422
    assert shown.startswith(f'<details id="{action}" open>')
    assert marked(response.text) == marked(shown) == [field]
    assert sentence in re.search(r'<span class="error" id="problem">(.*?)</span>', shown)[1]
    assert response["HX-Reswap"] == "outerHTML show:none"


def test_a_preview_without_an_answer_marks_the_answer(console, answered, headers):
    response = press(console, answered, "preview", headers=headers)

    assert marked(part(response, "correct")) == ["new_answer"]


def test_an_empty_reply_is_marked(console, answered, headers):
    response = press(console, answered, "save", text=" ", headers=headers)

    assert marked(response.text) == ["text"]


def test_a_claim_without_a_reason_stays_open_at_its_own_field(console, answered, headers):
    claim = answered.claims.filter(tier="claim").exclude(verdict="SUPPORTED").get()
    value = f"{claim.cls}:{claim.start}:{claim.end}"

    response = press(console, answered, "settle", text=builders.UNBACKED, dismiss=value, headers=headers)

    assert marked(response.text) == [f"reason-{value}"]
    assert '<details class="settle" id="because-1" open>' in response.text


def test_nothing_is_marked_where_nothing_was_refused(console, answered):
    page = console.get(f"/review/{answered.pk}/").text

    assert marked(page) == []
    assert 'id="problem"' not in page
    assert not part(console.get(f"/review/{answered.pk}/"), "send-back").startswith('<details id="send-back" open')
