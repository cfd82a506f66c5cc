"""Load the sample: keys, policies and drafts of a made-up company."""

from collections import Counter
from uuid import UUID

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from console.sample.reading import KEY_OWNER, READING_TIME, Step, read_policies, read_steps
from drafts import queries
from drafts.decisions.transitions import DecisionKind
from drafts.services import deciding
from drafts.services.intake import ExternalIdReused, take_in
from drafts.services.outcomes import Decided, Refused
from ledger import queries as ledger
from ledger.decisions.calendar import BusinessCalendar
from ledger.decisions.policy_files import Bundle
from ledger.services.loading import load


class Command(BaseCommand):
    """Bring in what is missing of the sample; what people have changed since stays as they left it."""

    help = "Load the sample's keys, policies and drafts. A second run changes nothing; keys of your own keep it out."
    requires_system_checks = ()

    def handle(self, *_: object, **__: object) -> None:
        """Load and say what was new."""
        now, calendar = timezone.now(), queries.organisation_calendar()
        sample = read_policies(now.astimezone(calendar.zone).date())
        if _is_in_use(sample):
            self.stdout.write("This installation has question keys of its own, so the sample was left out.")
            return
        missing = _missing(sample)
        load({"sample": missing}, actor=_person(KEY_OWNER), now=now)
        drafts = Counter(_load(step, calendar) for step in read_steps(now, calendar.zone))
        self._report(missing, drafts)

    def _report(self, missing: Bundle, drafts: Counter[bool]) -> None:
        if not (missing.keys or missing.versions or drafts[True]):
            self.stdout.write("The sample is already loaded; nothing was changed.")
            return
        loaded = f"{len(missing.keys)} question keys, {len(missing.versions)} policy versions, {drafts[True]} drafts"
        self.stdout.write(f"Sample loaded: {loaded}.")


def _is_in_use(sample: Bundle) -> bool:
    """Say whether somebody works here already: there are keys, and no document of the sample."""
    return bool(ledger.registry()) and not ledger.versions_of({v.doc_id for v in sample.versions})


def _missing(sample: Bundle) -> Bundle:
    keys = ledger.registry()
    stored = {(v.doc_id, v.version) for v in ledger.versions_of({v.doc_id for v in sample.versions})}
    return Bundle(
        tuple(key for key in sample.keys if key.key not in keys),
        tuple(version for version in sample.versions if (version.doc_id, version.version) not in stored),
    )


def _load(step: Step, calendar: BusinessCalendar) -> bool:
    """Take a draft in, approve it where the sample says so, and say whether it was new."""
    try:
        taken = take_in(step.draft, now=step.at, calendar=calendar)
    except ExternalIdReused:
        return False  # loaded on another day: its dates count from that one
    if taken.created and step.approved_by is not None:
        _approve(step, taken.item.pk, calendar)
    return taken.created


def _approve(step: Step, item_id: UUID, calendar: BusinessCalendar) -> None:
    wanted = deciding.Wanted(DecisionKind.APPROVE, seen_version=1)
    actor = _person(str(step.approved_by))
    outcome = deciding.decide(
        item_id=item_id, wanted=wanted, actor=actor, now=step.at + READING_TIME, calendar=calendar
    )
    if not isinstance(outcome, Decided):
        reasons = [b.message for b in outcome.blockers] if isinstance(outcome, Refused) else [outcome.message]
        raise CommandError(f"{step.draft.external_id} could not be approved: {' '.join(reasons)}")


def _person(name: str) -> User:
    person = User.objects.filter(username=name).first()
    if person is None:
        raise CommandError(f"The sample needs the person {name!r}: run `manage.py create_people` first.")
    return person
