"""Loading the sample a step at a time, so that a loading that was cut short goes on where it stopped."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from django.contrib.auth.models import User

from console.models import SampleLoading
from console.sample import steps
from console.sample.destination import deliver_at_once
from console.sample.performing import Performance, StepRefused
from console.sample.steps import Step
from drafts.queries.happenings import acted_since, happened
from drafts.services import holding


def loading_under_way(*, is_new: bool, now: datetime) -> tuple[SampleLoading | None, bool]:
    """Return the first loading and whether it was cut short before; a loading after the first is none."""
    cut = SampleLoading.objects.filter(is_finished=False).first()
    if cut is None and is_new:
        return SampleLoading.objects.create(started_at=now), False
    return cut, cut is not None


class Progress:
    """Performs the steps in order and remembers each, in the database, once it is done."""

    def __init__(self, performance: Performance, loading: SampleLoading | None, *, was_cut: bool) -> None:
        self.performance = performance
        self._loading = loading
        self._was_cut = was_cut
        self._done_before = loading.steps_done if loading else 0

    def go(self, number: int, step: Step, person: Callable[[str], User]) -> None:
        """Do the step of this number, from 1, unless it was done before the cut. Raises StepRefused."""
        with _uninterrupted():
            if number > self._done_before or isinstance(step, steps.Arrived):
                self._perform(number, step, person)
            if self._loading is not None and number > self._loading.steps_done:
                self._loading.steps_done = number
                self._loading.save(update_fields=["steps_done"])

    def finish(self) -> None:
        """Remember that the loading is complete."""
        if self._loading is not None:
            self._loading.is_finished = True
            self._loading.save(update_fields=["is_finished"])

    def _perform(self, number: int, step: Step, person: Callable[[str], User]) -> None:
        if self._was_cut and not isinstance(step, steps.Arrived):
            self._perform_after_cut(number, step, person)
        else:
            self.performance.perform(step, person)
        items = self.performance.items
        if isinstance(step, (steps.Decision, steps.Corrected)) and step.item in items:
            deliver_at_once(items[step.item], now=step.at, calendar=self.performance.calendar)

    def _perform_after_cut(self, number: int, step: Step, person: Callable[[str], User]) -> None:
        """Do a step unless it is done; an item that people have worked on since the cut stays as they left it."""
        items = self.performance.items
        item, first = items.get(step.item), number == self._done_before + 1
        if item is None or self._loading is None:
            return
        if acted_since(item, since=self._loading.started_at):
            del items[step.item]
            return
        by = getattr(step, "by", None)
        # Of the first step one cannot know whether the cut came before it or between it and the note of it.
        if first and happened(item, by=by, at=step.at):
            if isinstance(step, (steps.Settled, steps.KeyChosen, steps.Saved)):
                holding.release(item_id=item, actor=person(step.by))
            return
        try:
            self.performance.perform(step, person)
        except StepRefused:
            if not first:
                del items[step.item]


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait until the block is done."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
