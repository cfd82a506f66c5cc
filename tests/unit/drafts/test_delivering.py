"""What follows from an attempt: taken, asked for again with growing waits, of unknown fate, or given up."""

from datetime import UTC, datetime, timedelta

import pytest

from drafts.decisions.delivering import (
    LONGEST_WAIT,
    SETTLES_IN,
    WAITS,
    Answered,
    DeliveryState,
    Outcome,
    after,
    may_have_arrived,
    outcome_of,
)

NOW = datetime(2026, 10, 4, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(("status", "outcome"), [
    (200, Outcome.TAKEN), (204, Outcome.TAKEN), (299, Outcome.TAKEN), (302, Outcome.REFUSED), (400, Outcome.REFUSED),
    (429, Outcome.REFUSED), (499, Outcome.REFUSED), (500, Outcome.FAILED), (503, Outcome.FAILED),
])  # fmt: skip
def test_only_a_success_means_that_it_was_taken(status, outcome):
    assert outcome_of(status) is outcome


@pytest.mark.parametrize(("outcomes", "maybe"), [
    ([], False), ([Outcome.REFUSED, Outcome.NOT_REACHED], False), ([Outcome.REFUSED, Outcome.NO_ANSWER], True),
    ([Outcome.FAILED], True), ([Outcome.INTERRUPTED], True), ([None], True),
])  # fmt: skip
def test_what_may_have_arrived_is_known_from_its_attempts(outcomes, maybe):
    assert may_have_arrived(outcomes) is maybe


def test_a_taken_reply_is_sent():
    step = after(Answered(Outcome.TAKEN, 200), attempts=1, now=NOW, chance=0.5)

    assert (step.state, step.due_at) == (DeliveryState.SENT, None)


@pytest.mark.parametrize("attempts", range(1, len(WAITS) + 1))
@pytest.mark.parametrize("chance", [0, 0.5, 1])
def test_waits_grow_and_spread_by_up_to_a_fifth(attempts, chance):
    step = after(Answered(Outcome.FAILED, 500, "boom"), attempts=attempts, now=NOW, chance=chance)

    wait = WAITS[attempts - 1]
    assert step.state is DeliveryState.RETRYING
    assert NOW + wait <= step.due_at <= NOW + wait * 1.2


@pytest.mark.parametrize("outcome", [Outcome.NO_ANSWER, Outcome.INTERRUPTED])
def test_a_reply_of_unknown_fate_is_asked_for_again_not_too_soon(outcome):
    step = after(Answered(outcome, said="nothing came back"), attempts=1, now=NOW, chance=0)

    assert (step.state, step.due_at) == (DeliveryState.UNKNOWN, NOW + SETTLES_IN)


@pytest.mark.parametrize(("outcome", "state"), [
    (Outcome.FAILED, DeliveryState.DEAD), (Outcome.REFUSED, DeliveryState.DEAD),
    (Outcome.NOT_REACHED, DeliveryState.DEAD), (Outcome.NO_ANSWER, DeliveryState.UNKNOWN),
    (Outcome.INTERRUPTED, DeliveryState.UNKNOWN),
])  # fmt: skip
def test_after_the_last_wait_a_person_is_needed(outcome, state):
    step = after(Answered(outcome, said="so"), attempts=len(WAITS) + 1, now=NOW, chance=0)

    assert (step.state, step.due_at) == (state, None)
    assert step.because


def test_a_receiver_that_is_gone_is_not_asked_again():
    step = after(Answered(Outcome.REFUSED, 410), attempts=1, now=NOW, chance=0)

    assert (step.state, step.due_at) == (DeliveryState.DEAD, None)


@pytest.mark.parametrize(("asked_for", "kept"), [
    (timedelta(seconds=1), WAITS[0]), (timedelta(minutes=3), timedelta(minutes=3)), (timedelta(days=30), LONGEST_WAIT),
])  # fmt: skip
def test_a_wait_that_the_receiver_names_is_kept_within_reason(asked_for, kept):
    step = after(Answered(Outcome.REFUSED, 429, "busy", asked_for), attempts=1, now=NOW, chance=0)

    assert step.due_at == NOW + kept
