"""Who works on an item in which state, and what approving a text is."""

import pytest

from drafts.decisions.transitions import approval_of, states_open_to


@pytest.mark.parametrize(
    ("roles", "states"),
    [
        pytest.param({"agent"}, ("pending",), id="agent"),
        pytest.param({"policy_owner"}, ("pending", "escalated"), id="policy-owner"),
        pytest.param({"agent", "policy_owner"}, ("pending", "escalated"), id="both"),
    ],
)
def test_an_escalated_item_is_open_to_policy_owners(roles, states):
    assert states_open_to(roles) == states


@pytest.mark.parametrize(
    ("text", "saved", "expected"),
    [
        pytest.param("model", "model", "approve", id="untouched"),
        pytest.param("mine", "model", "edit", id="typed"),
        pytest.param("mine", "mine", "edit", id="saved-before"),
        pytest.param("model", "mine", "edit", id="typed-back"),
        pytest.param("model ", "model", "edit", id="a-space-more"),
    ],
)
def test_only_the_models_own_words_are_approved_as_they_are(text, saved, expected):
    assert approval_of(text, saved=saved, original="model") == expected
