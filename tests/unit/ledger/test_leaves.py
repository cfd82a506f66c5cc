"""The whole tree against its entries and checkpoints, leaf by leaf."""

from dataclasses import replace
from datetime import timedelta

import pytest

from ledger.decisions.anchors import Copy, judged
from ledger.decisions.leaves import Covered, Leaf, TreeCheck
from ledger.gateways.signing import is_signed_by
from tests.unit.ledger.checkpoint_help import LEAVES, NOON, Key, checkpoint

KEY = Key()
FIRST = checkpoint(KEY, 4)
SECOND = checkpoint(KEY, 7, after=FIRST)
ACCEPTED = judged(
    [Copy("outside", FIRST.note), Copy("the database", SECOND.note)], trusted=[KEY.public_key], verifies=is_signed_by
).accepted


def leaves(count=9):
    return [
        Leaf(number, f"e{number}", "talk", number + 1, data, data, NOON, True) for number, data in enumerate(LEAVES)
    ][:count]


def check(given):
    tree = TreeCheck(ACCEPTED)
    found = [problem for leaf in given for problem in tree.follow(leaf)]
    return [*found, *tree.end()], tree


def test_an_untouched_tree_fits_and_says_how_far_it_is_covered():
    found, tree = check(leaves())

    assert (found, tree.covered) == ([], Covered(anywhere=7, outside=4))


def changed(index, **columns):
    def tamper(given):
        return [replace(leaf, **columns) if leaf.number == index else leaf for leaf in given]

    return tamper


TAMPERED = [
    pytest.param(changed(2, entry_hash=None), [("leaves", 2)], "is gone", id="entry-gone"),
    pytest.param(changed(2, entry_hash=b"x"), [("leaves", 2)], "its hash is another", id="entry-changed"),
    pytest.param(changed(2, fits=False), [("leaves", 2)], "stands elsewhere", id="entry-moved"),
    pytest.param(
        changed(5, entry_hash=b"x", leaf_hash=b"x"), [("checkpoints", 4)], "are as at checkpoint 1", id="both-changed"
    ),
    pytest.param(lambda given: given[:6], [("checkpoints", 4)], "at least 1 were taken out", id="end-taken-out"),
    pytest.param(lambda given: given[:3], [("checkpoints", 0), ("checkpoints", 0)], "taken out", id="more-taken-out"),
    pytest.param(
        lambda given: [*given[:5], *given[6:]], [("leaves", 5), ("checkpoints", 4)], "number 5 is missing", id="gap"
    ),
    pytest.param(
        lambda given: [replace(leaf, number=n) for n, leaf in enumerate(given[1:])],
        [("checkpoints", 0), ("checkpoints", None)],
        "1 later checkpoints do not fit",
        id="first-taken-out",
    ),
    pytest.param(
        changed(8, recorded_at=NOON - timedelta(hours=2)), [("leaves", 8)], "not there at checkpoint 2", id="backdated"
    ),
    pytest.param(
        lambda given: [*given, replace(given[0], number=None, recorded_at=NOON - timedelta(days=1))],
        [("leaves", None)],
        "by its own account",
        id="backdated-and-not-numbered",
    ),
]


@pytest.mark.parametrize(("tamper", "places", "said"), TAMPERED)
def test_tampering_is_found_and_placed(tamper, places, said):
    found, _ = check(tamper(leaves()))

    assert [(problem.layer.value, problem.number) for problem in found] == places
    assert any(said in problem.message for problem in found)


def test_an_entry_that_was_committed_a_little_late_is_not_suspicious():
    assert check(changed(8, recorded_at=NOON - timedelta(minutes=50))(leaves()))[0] == []


def test_nothing_is_said_about_a_tree_without_checkpoints():
    tree = TreeCheck(())

    assert [problem for leaf in leaves() for problem in tree.follow(leaf)] == []
    assert (list(tree.end()), tree.covered) == ([], Covered())
