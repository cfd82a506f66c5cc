"""Load the sample: keys, policies, and some weeks in the life of a made-up repair shop."""

from typing import override

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from console.sample.destination import put_sample_receiver
from console.sample.performing import Performance, StepRefused
from console.sample.reading import KEY_OWNER, read_policies, read_steps
from console.sample.resuming import Progress, loading_under_way
from console.sample.steps import Step
from console.sample.times import Moments
from drafts import queries
from drafts.services.publishing import load_files
from ledger import queries as ledger
from ledger.decisions.calendar import ONE_DAY
from ledger.decisions.policy_files import Bundle

SHOWN_EVERY = 20


class Command(BaseCommand):
    """Bring in what is missing of the sample; what people have changed since stays as they left it."""

    help = "Load the sample's keys, policies and drafts. A second run changes nothing; keys of your own keep it out."
    requires_system_checks = ()

    @override
    def handle(self, *_: object, **__: object) -> None:
        """Load and say what was new."""
        calendar = queries.organisation_calendar()
        documents = _documents(read_policies(Moments(timezone.now(), calendar)))
        is_new = not ledger.versions_of(documents)
        if is_new and ledger.registry():
            self.stdout.write("This installation has question keys of its own, so the sample was left out.")
            return
        put_sample_receiver(now=timezone.now())
        actor = _person(KEY_OWNER)
        loading, was_cut = loading_under_way(is_new=is_new, now=timezone.now())
        moments = Moments(loading.started_at if loading else timezone.now(), calendar)
        missing, steps = _missing(read_policies(moments)), read_steps(moments)
        load_files({"sample": missing}, actor=actor, now=steps[0].at - ONE_DAY, calendar=None)
        performance = Performance(calendar, goes_on=was_cut)
        try:
            self._perform(Progress(performance, loading, was_cut=was_cut), steps)
        except StepRefused as refused:
            raise CommandError(str(refused)) from refused
        if was_cut:
            self.stdout.write(f"The rest of the sample is loaded: {len(performance.items)} drafts in all.")
        else:
            self._report(missing, len(performance.items))

    def _perform(self, progress: Progress, steps: tuple[Step, ...]) -> None:
        """Do every step; on a terminal the last line counts along."""
        try:
            for number, step in enumerate(steps, start=1):
                progress.go(number, step, _person)
                if self.stderr.isatty() and number % SHOWN_EVERY == 0:
                    self.stderr.write(f"\rLoading the sample: {number} of {len(steps)} steps", ending="")
            progress.finish()
        finally:
            if self.stderr.isatty():
                self.stderr.write("\r\033[K", ending="")

    def _report(self, missing: Bundle, drafts: int) -> None:
        if not (missing.keys or missing.versions or drafts):
            self.stdout.write("The sample is already loaded; nothing was changed.")
            return
        loaded = f"{len(missing.keys)} question keys, {len(missing.versions)} policy versions, {drafts} drafts"
        self.stdout.write(f"Sample loaded: {loaded}.")


def _documents(sample: Bundle) -> set[str]:
    return {version.doc_id for version in sample.versions}


def _missing(sample: Bundle) -> Bundle:
    keys = ledger.registry()
    stored = {(v.doc_id, v.version) for v in ledger.versions_of(_documents(sample))}
    return Bundle(
        tuple(key for key in sample.keys if key.key not in keys),
        tuple(version for version in sample.versions if (version.doc_id, version.version) not in stored),
    )


def _person(name: str) -> User:
    person = User.objects.filter(username=name).first()
    if person is None:
        raise CommandError(f"The sample needs the person {name!r}: run `manage.py create_people` first.")
    return person
