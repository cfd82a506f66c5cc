"""Question keys: grammar, roots and boundaries."""

import pytest

from ledger.decisions.keys import boundary_of, root_of, topic_of, valid_key
from ledger.decisions.vocabulary import KeyEntry


def registry(*pairs: tuple[str, str | None]) -> dict[str, KeyEntry]:
    return {key: KeyEntry(key, "?", parent=parent, boundary="Apart." if parent else None) for key, parent in pairs}


@pytest.mark.parametrize("key", ["a::b", "delivery_time::express_24", "0::_"])
def test_a_key_is_topic_and_scope(key):
    assert valid_key(key)


@pytest.mark.parametrize(
    "key",
    [
        "", "::", "a::", "::b", "a:b", "a::b::c", "A::b", "a::b ", " a::b", "a::b\n", "a::b\u200b", "\u0430::b",
        "\uff41::b", "a::b\u0301", "a-b::c", "a::b/c", "\u00e9::b",
    ],
)  # fmt: skip
def test_look_alikes_are_no_keys(key):
    assert not valid_key(key)


def test_the_topic_is_what_stands_before_the_colons():
    assert topic_of("delivery_time::express") == "delivery_time"


def test_an_adjacent_key_has_the_root_of_its_parent():
    known = registry(("a::root", None), ("a::child", "a::root"), ("a::grandchild", "a::child"))

    assert {root_of(key, known) for key in known} == {"a::root"}


def test_an_unknown_key_is_its_own_root():
    assert root_of("a::b", {}) == "a::b"


def test_parents_in_a_circle_agree_on_one_root():
    known = registry(("a::x", "a::y"), ("a::y", "a::z"), ("a::z", "a::x"), ("a::w", "a::z"))

    assert {root_of(key, known) for key in known} == {"a::x"}


def test_only_an_adjacent_key_has_a_boundary():
    known = registry(("a::root", None), ("a::child", "a::root"))

    assert (boundary_of("a::child", known), boundary_of("a::root", known), boundary_of("a::b", known)) == (
        "Apart.", None, None,
    )  # fmt: skip
