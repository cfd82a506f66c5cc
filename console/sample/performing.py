"""Perform the sample's steps through the services that people and bots use; nothing is written past them."""

from collections.abc import Callable, Iterable
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User

from console.sample import steps
from console.sample.steps import Step
from drafts.services import correcting, deciding, editing, holding, updates
from drafts.services.intake import ExternalIdReused, take_in
from drafts.services.outcomes import Overtaken, Refused
from ledger.decisions.calendar import BusinessCalendar


class StepRefused(Exception):
    """A step of the sample was refused; the sample contradicts the rules of the desk."""

    def __init__(self, step: Step, reasons: Iterable[str]) -> None:
        super().__init__(f"{type(step).__name__} of {step.item!r} was refused: {' '.join(reasons)}")


class Performance:
    """Performs steps in order. What follows a draft is done only where this run brought the draft in."""

    def __init__(self, calendar: BusinessCalendar, *, goes_on: bool = False) -> None:
        self.calendar = calendar
        self.goes_on = goes_on
        """The drafts that are here already were brought in by this very loading, before it was cut short."""
        self.items: dict[str, UUID] = {}
        """The drafts that this run brought in, by external id."""

    def perform(self, step: Step, person: Callable[[str], User]) -> None:
        """Do one step. Raises StepRefused; `person` finds somebody by user name."""
        match step:
            case steps.Arrived():
                self._arrive(step)
            case _ if step.item not in self.items:
                pass  # loaded before: people may have worked on it since
            case steps.Said():
                updates.tell_message(
                    conversation_id=step.conversation, message=step.message, now=step.at, calendar=self.calendar
                )
            case steps.TicketChanged():
                updates.update_ticket(
                    ticket_id=step.ticket, changes=step.fields, as_of=step.at, now=step.at, calendar=self.calendar
                )
            case steps.Corrected():
                self._correct(step, person(step.by))
            case _:
                self._work(step, person(step.by))

    def _arrive(self, step: steps.Arrived) -> None:
        try:
            taken = take_in(step.draft, now=step.at, calendar=self.calendar)
        except ExternalIdReused:
            return  # loaded on another day: its dates count from that one
        if taken.created or self.goes_on:
            self.items[step.item] = taken.item.pk

    def _correct(self, step: steps.Corrected, actor: User) -> None:
        try:
            correcting.correct(
                conversation_id=step.conversation,
                question_key=step.key,
                wanted=correcting.CorrectionWanted(step.answer_text, step.reason, step.owner),
                actor=actor,
                now=step.at,
                calendar=self.calendar,
            )
        except correcting.CorrectionRefused as refused:
            raise StepRefused(step, (blocker.message for blocker in refused.blockers)) from refused

    def _work(
        self, step: steps.Settled | steps.KeyChosen | steps.Saved | steps.Taken | steps.Decision, actor: User
    ) -> None:
        item = self.items[step.item]
        try:
            outcome = self._outcome(step, actor, item)
        except holding.Held as held:
            raise StepRefused(step, (str(held),)) from held
        if isinstance(outcome, Refused):
            raise StepRefused(step, (blocker.message for blocker in outcome.blockers))
        if isinstance(outcome, Overtaken):
            raise StepRefused(step, (outcome.message,))

    def _outcome(
        self,
        step: steps.Settled | steps.KeyChosen | steps.Saved | steps.Taken | steps.Decision,
        actor: User,
        item: UUID,
    ) -> object:
        if isinstance(step, steps.Taken):
            return holding.take(item_id=item, actor=actor)
        if isinstance(step, steps.Decision):
            return self._decide(step, actor, item)
        edited = self._edit(step, actor, item, step.at)
        holding.release(item_id=item, actor=actor)
        return edited

    def _edit(
        self, step: steps.Settled | steps.KeyChosen | steps.Saved, actor: User, item: UUID, at: datetime
    ) -> object:
        match step:
            case steps.Settled():
                marked = deciding.Dismiss(step.start, step.end, step.subject, step.reason)
                return editing.settle(item_id=item, dismissed=[marked], actor=actor, now=at, calendar=self.calendar)
            case steps.KeyChosen():
                return editing.choose_key(item_id=item, key=step.key, actor=actor, now=at, calendar=self.calendar)
            case steps.Saved():
                return editing.save_text(
                    item_id=item,
                    text=step.text,
                    seen_version=step.seen_version,
                    actor=actor,
                    now=at,
                    calendar=self.calendar,
                )

    def _decide(self, step: steps.Decision, actor: User, item: UUID) -> object:
        wanted = deciding.Wanted(
            step.kind,
            seen_version=step.seen_version,
            text=step.text,
            reason=step.reason,
            owner=step.owner,
            answer_text=step.answer_text,
        )
        return deciding.decide(item_id=item, wanted=wanted, actor=actor, now=step.at, calendar=self.calendar)
