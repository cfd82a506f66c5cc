"""Which checkpoints count, whoever wrote them."""

import re
from datetime import timedelta

import pytest

from ledger.decisions.anchors import IN_DATABASE, Copy, judged, lacking, overtaken, unannounced, uncopied
from ledger.gateways.signing import is_signed_by
from tests.unit.ledger.checkpoint_help import NOON, Key, checkpoint

OURS, NEXT, FORGER = Key(), Key(), Key()
ONE = checkpoint(OURS, 3)
TWO = checkpoint(OURS, 5, after=ONE)
THREE = checkpoint(OURS, 8, after=TWO)
ANNOUNCING = checkpoint(OURS, 5, after=TWO, next_key=NEXT.public_key)
FOUR = checkpoint(NEXT, 9, after=ANNOUNCING)


def judge(*checkpoints, trusted=(OURS,), vouched=(), where="outside"):
    copies = [Copy(where, one.note) for one in checkpoints]
    return judged(
        copies,
        trusted=[key.public_key for key in trusted],
        vouched=[key.public_key for key in vouched],
        verifies=is_signed_by,
    )


def numbers(found):
    return [known.number for known in found.accepted]


def test_a_row_of_checkpoints_counts_in_any_order():
    found = judge(THREE, ONE, TWO, ONE)

    assert (numbers(found), found.problems) == ([1, 2, 3], ())


@pytest.mark.parametrize("trusted", [(OURS,), (NEXT,), (OURS, NEXT)], ids=["first", "last", "both"])
def test_a_rotated_key_counts_whichever_of_the_two_is_known(trusted):
    found = judge(ONE, TWO, ANNOUNCING, FOUR, trusted=trusted)

    assert (numbers(found), found.problems) == ([1, 2, 3, 4], ())


WRONG = [
    pytest.param([ONE, checkpoint(FORGER, 5, after=ONE)], [1], "does not announce", id="forged-end"),
    pytest.param([checkpoint(FORGER, 3)], [], "nobody here knows", id="forged-whole"),
    pytest.param([TWO], [2], "checkpoint 1, which checkpoint 2 .* is missing", id="gap"),
    pytest.param([ONE, checkpoint(OURS, 4)], [1, 1], "exists in 2 forms", id="fork"),
    pytest.param([checkpoint(OURS, 4), TWO], [1, 2], "is not the one that it extends", id="other-past"),
    pytest.param([ONE, checkpoint(OURS, 2, after=ONE)], [1, 2], "covers less", id="smaller"),
    pytest.param(
        [ONE, checkpoint(OURS, 5, after=ONE, sealed_at=NOON - timedelta(1))], [1, 2], "is older", id="earlier"
    ),
    pytest.param([ONE, checkpoint(OURS, 5, number=2)], [1, 2], "extends nothing", id="second-beginning"),
    pytest.param(
        [ONE, checkpoint(OURS, 5, after=ONE, origin="countersign/ledger/" + "0" * 16)],
        [1, 2],
        "another ledger",
        id="origin",
    ),
    pytest.param(
        [ANNOUNCING, checkpoint(OURS, 9, after=ANNOUNCING), ONE, TWO], [1, 2, 3, 4], "not announce", id="retired"
    ),
]


@pytest.mark.parametrize(("given", "counting", "said"), WRONG)
def test_what_is_wrong_is_said(given, counting, said):
    found = judge(*given)

    assert numbers(found) == counting
    assert any(re.search(said, problem) for problem in found.problems), found.problems


def test_a_changed_text_and_a_text_that_is_none_do_not_count():
    changed = Copy("file", TWO.note.replace("\n5\n", "\n6\n"))
    found = judged([Copy("x", ONE.note), changed, Copy("y", "?")], trusted=[OURS.public_key], verifies=is_signed_by)

    assert numbers(found) == [1]
    assert len(found.problems) == 2


def test_a_key_that_could_not_be_announced_may_be_vouched_for():
    begun_anew = checkpoint(FORGER, 5, after=ONE)

    assert judge(ONE, begun_anew, trusted=(OURS, FORGER)).problems
    assert judge(ONE, begun_anew, trusted=(OURS, FORGER), vouched=(OURS, FORGER)).problems == ()


def test_vouching_does_not_bring_a_retired_key_back():
    found = judge(ONE, TWO, ANNOUNCING, checkpoint(OURS, 9, after=ANNOUNCING), vouched=(OURS,))

    assert any("does not announce" in problem for problem in found.problems)


def test_a_copy_outside_that_is_newer_than_the_database_is_told():
    copies = [Copy(IN_DATABASE, ONE.note), Copy("file", ONE.note), Copy("file", TWO.note)]
    newer = judged(copies, trusted=[OURS.public_key], verifies=is_signed_by).accepted

    assert "the database ends with checkpoint 1" in overtaken(newer)
    assert overtaken(newer[:1]) is None
    assert "holds none" in overtaken(newer[1:])
    assert overtaken(()) is None


def test_what_a_folder_lacks_is_what_the_database_holds_and_it_does_not():
    copies = [Copy(IN_DATABASE, ONE.note), Copy(IN_DATABASE, TWO.note), Copy("file", THREE.note)]
    accepted = judged(copies, trusted=[OURS.public_key], verifies=is_signed_by).accepted

    due = max(one.says.sealed_at for one in (ONE, TWO))

    assert uncopied(accepted, {3}, due=due) == (1, 2)
    assert uncopied(accepted, {1, 2, 9}, due=due) == ()
    assert uncopied((), set(), due=due) == ()


def test_only_what_is_newer_than_every_copy_may_still_be_on_its_way():
    copies = [Copy(IN_DATABASE, one.note) for one in (ONE, TWO, THREE)]
    accepted = judged(copies, trusted=[OURS.public_key], verifies=is_signed_by).accepted
    long_ago = NOON - timedelta(days=9)

    assert uncopied(accepted, {1}, due=long_ago) == ()
    assert uncopied(accepted, {1}, due=THREE.says.sealed_at) == (2, 3)
    assert uncopied(accepted, {1, 3}, due=long_ago) == (2,)
    assert uncopied(accepted, set(), due=long_ago) == (1, 2, 3)
    assert uncopied(accepted[:1], set(), due=long_ago) == ()
    assert uncopied(accepted[:1], set(), due=ONE.says.sealed_at) == (1,)


@pytest.mark.parametrize(
    ("missing", "there", "said"),
    [
        ((1, 2), (), "the/folder holds none of the database's checkpoints: it is gone"),
        ((2,), (1, 3), "the/folder lacks checkpoint 2, which the database holds"),
        ((2, 3), (1,), "the/folder lacks checkpoints 2, 3, which"),
        (tuple(range(2, 9)), (1,), "lacks checkpoints 2, 3, 4, 5, 6 and 2 more, which"),
    ],
)
def test_a_folder_that_lacks_checkpoints_is_told_with_what_to_do(missing, there, said):
    sentence = lacking(missing, there, "the/folder")

    assert said in sentence
    assert "`manage.py export_checkpoint --all` writes what is missing" in sentence


def test_only_the_announced_key_signs_next():
    assert unannounced(OURS.public_key, None) is None
    assert unannounced(OURS.public_key, ONE) is None
    assert unannounced(NEXT.public_key, ANNOUNCING) is None
    assert "is for key" in unannounced(OURS.public_key, ANNOUNCING)
    assert "is for key" in unannounced(NEXT.public_key, ONE)
