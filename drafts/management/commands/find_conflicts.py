"""Look for questions that several documents answer."""

import json
from argparse import ArgumentParser

from django.core.management.base import BaseCommand
from django.utils import timezone

from drafts import queries
from drafts.services.conflicts import search
from ledger import queries as ledger


class Command(BaseCommand):
    """Open a conflict for every question and channel that several documents answer, as the nightly search does."""

    help = "Find questions that more than one active document answers, open their conflicts and tell their owners."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the shape of the answer."""
        parser.add_argument("--format", choices=("table", "json"), default="table")

    def handle(self, *_: object, **options: object) -> None:
        """Search, and print every conflict that is open, new ones marked."""
        new = set(search(now=timezone.now(), calendar=queries.organisation_calendar()))
        standing = ledger.conflicts(state="open")
        for view in standing:
            named = {
                "id": view.id, "new": view.id in new, "question_key": view.question_key, "channel": view.channel,
                "versions": list(view.versions), "owner": view.owner, "due_at": view.due_at.isoformat(),
            }  # fmt: skip
            if options["format"] == "json":
                self.stdout.write(json.dumps(named, ensure_ascii=False))
            else:
                mark = "new " if named["new"] else "open"
                self.stdout.write(f"{mark} {view.question_key} on {view.channel}: {', '.join(view.versions)}")
        if options["format"] != "json":
            self.stdout.write(f"{len(standing)} open, {len(new)} of them new.")
