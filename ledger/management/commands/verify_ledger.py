"""Prove that the ledger still says what was recorded."""

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict

from django.core.management.base import BaseCommand

from ledger import queries
from ledger.decisions.chain import Problem

BEAT = 1000


class Command(BaseCommand):
    """Recompute every hash from the stored bytes; exit status 1 when anything does not fit, naming row and layer."""

    help = (
        "Check every ledger entry: readable columns against the hashed bytes, the chain, the heads, and the policy "
        "passages that answers rest on. Exit status 1 with problems."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the form of the answer."""
        parser.add_argument("--format", choices=("table", "json"), default="table")

    def handle(self, *_: object, **options: object) -> None:
        """Print each problem as it is found, then the totals."""
        as_json = options["format"] == "json"
        conversations = entries = problems = 0
        for checked in queries.verify():
            conversations += checked.entries > 0
            entries += checked.entries
            problems += len(checked.problems)
            for problem in checked.problems:
                self.stdout.write(json.dumps(asdict(problem), ensure_ascii=False) if as_json else _line(problem))
            if conversations % BEAT == 0 and checked.entries and sys.stderr.isatty():
                self.stderr.write(f"\r{entries} entries", ending="")
        totals = {"conversations": conversations, "entries": entries, "problems": problems}
        words = f"{entries} entries in {conversations} conversations checked, {problems} problems."
        self.stdout.write(json.dumps(totals) if as_json else words)
        if problems:
            sys.exit(1)


def _line(problem: Problem) -> str:
    row = f"entry {problem.position} ({problem.entry_id})" if problem.position else "head"
    return f"{problem.layer.value}: conversation {problem.conversation_id}, {row}: {problem.message}"
