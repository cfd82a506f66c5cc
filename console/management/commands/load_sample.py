"""Load the sample: keys, policies, and some weeks in the life of a made-up repair shop."""

from typing import override

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from console.sample.destination import deliver_at_once, put_sample_receiver
from console.sample.performing import Performance, StepRefused
from console.sample.reading import KEY_OWNER, read_policies, read_steps
from console.sample.steps import Corrected, Decision, Step
from console.sample.times import Moments
from drafts import queries
from ledger import queries as ledger
from ledger.decisions.calendar import ONE_DAY
from ledger.decisions.policy_files import Bundle
from ledger.services.loading import load

SHOWN_EVERY = 20


class Command(BaseCommand):
    """Bring in what is missing of the sample; what people have changed since stays as they left it."""

    help = "Load the sample's keys, policies and drafts. A second run changes nothing; keys of your own keep it out."
    requires_system_checks = ()

    @override
    def handle(self, *_: object, **__: object) -> None:
        """Load and say what was new."""
        moments = Moments(timezone.now(), queries.organisation_calendar())
        sample = read_policies(moments)
        if _is_in_use(sample):
            self.stdout.write("This installation has question keys of its own, so the sample was left out.")
            return
        put_sample_receiver(now=timezone.now())
        missing, steps = _missing(sample), read_steps(moments)
        load({"sample": missing}, actor=_person(KEY_OWNER), now=steps[0].at - ONE_DAY)
        performance = Performance(moments.calendar)
        try:
            self._perform(performance, steps)
        except StepRefused as refused:
            raise CommandError(str(refused)) from refused
        self._report(missing, len(performance.items))

    def _perform(self, performance: Performance, steps: tuple[Step, ...]) -> None:
        """Do every step; on a terminal the last line counts along."""
        for number, step in enumerate(steps, start=1):
            performance.perform(step, _person)
            if isinstance(step, (Decision, Corrected)) and step.item in performance.items:
                deliver_at_once(performance.items[step.item], now=step.at, calendar=performance.calendar)
            if self.stderr.isatty() and number % SHOWN_EVERY == 0:
                self.stderr.write(f"\rLoading the sample: {number} of {len(steps)} steps", ending="")
        if self.stderr.isatty():
            self.stderr.write("\r\033[K", ending="")

    def _report(self, missing: Bundle, drafts: int) -> None:
        if not (missing.keys or missing.versions or drafts):
            self.stdout.write("The sample is already loaded; nothing was changed.")
            return
        loaded = f"{len(missing.keys)} question keys, {len(missing.versions)} policy versions, {drafts} drafts"
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


def _person(name: str) -> User:
    person = User.objects.filter(username=name).first()
    if person is None:
        raise CommandError(f"The sample needs the person {name!r}: run `manage.py create_people` first.")
    return person
