"""Parents of question keys stay flat whatever writes them: no chain, no circle, not even by two sessions at once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection, transaction
from django.db.utils import IntegrityError
from django.utils import timezone

from ledger.models import QuestionKey

FLAT = "question_key_parent_is_a_root"


def key(name, parent=None):
    return QuestionKey(
        key=name, question_canonical="How long?", commitment_class="binding_policy", parent_id=parent,
        boundary="Apart." if parent else None, changed_at=timezone.now(),
    )  # fmt: skip


def refused(act):
    """Do something that must be refused and return the constraint that did."""
    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        act()
    return refusal.value.__cause__.diag.constraint_name


@pytest.fixture
def family(db):
    for one in (key("a::root"), key("a::child", "a::root"), key("a::other")):
        one.save(force_insert=True)


def move(name, parent):
    return QuestionKey.objects.filter(key=name).update(parent_id=parent, boundary="Apart.")


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda: key("a::grandchild", "a::child").save(force_insert=True), id="chain-below"),
        pytest.param(lambda: move("a::root", "a::other"), id="chain-above"),
        pytest.param(lambda: move("a::root", "a::child"), id="circle"),
        pytest.param(
            lambda: QuestionKey.objects.bulk_create([key("b::x", "b::y"), key("b::y", "b::x")]), id="circle-at-once"
        ),
        pytest.param(
            lambda: QuestionKey.objects.bulk_create([key("b::x", "b::y"), key("b::y", "b::z"), key("b::z", "b::x")]),
            id="circle-of-three",
        ),
    ],
)
def test_a_chain_or_circle_is_refused(family, act):
    assert refused(act) == FLAT


def test_its_own_parent_is_refused(family):
    assert refused(lambda: move("a::other", "a::other")) in {FLAT, "question_key_not_its_own_parent"}


def test_a_key_may_be_written_again_as_it_stands_and_moved_to_another_root(family):
    assert move("a::child", "a::root") == 1
    assert move("a::child", "a::other") == 1


@pytest.mark.django_db(transaction=True)
def test_two_sessions_cannot_close_a_circle_together():
    for name in ("c::x", "c::y"):
        key(name).save(force_insert=True)
    start = Barrier(2)

    def point(name, parent):
        start.wait()
        try:
            return move(name, parent)
        except IntegrityError as refusal:
            return refusal.__cause__.diag.constraint_name
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        came = list(pool.map(point, ("c::x", "c::y"), ("c::y", "c::x")))

    assert sorted(map(str, came)) == ["1", FLAT]
