"""Prove that the ledger still says what was recorded."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils import timezone

from ledger import queries
from ledger.decisions.anchors import Judged
from ledger.decisions.chain import Layer, Problem
from ledger.decisions.findings import Findings
from ledger.decisions.leaves import Covered
from ledger.gateways.checkpoint_files import FolderUnusable
from ledger.gateways.signing import KeyUnusable
from ledger.management import outside
from ledger.management.progress import Progress
from ledger.queries import Unsealed, Verified

MOST = 100
PROBLEMS, NOT_CHECKED = 1, 2


@dataclass
class _Totals:
    conversations: int = 0
    entries: int = 0
    covered: Covered | None = None
    last: str | None = None
    is_known: bool = False

    def add(self, checked: Verified) -> None:
        self.is_known = True
        if checked.entries and checked.conversation_id != self.last:
            self.conversations += 1
            self.last = checked.conversation_id
        self.entries += checked.entries
        self.covered = checked.covered or self.covered


class Command(BaseCommand):
    """Recompute every hash from the stored bytes, and hold the whole against signed checkpoints."""

    help = (
        "Check every ledger entry: readable columns against the hashed bytes, the chains, the heads, the policy "
        "passages that answers rest on, and the signed checkpoints in the database and outside. "
        "Exit status 0: everything fits; 1: something does not, and the first bad entry is named; 2: not checked."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what to check, against what, and the form of the answer."""
        parser.add_argument("--format", choices=("table", "json"), default="table")
        parser.add_argument("--most", type=int, default=MOST, metavar="N", help=f"list at most N problems ({MOST})")
        parser.add_argument("--conversation", metavar="ID", help="check one conversation, and no checkpoints")
        parser.add_argument(
            "--checkpoints",
            nargs="+",
            type=Path,
            metavar="PATH",
            help="folders or files of checkpoints kept outside, instead of CHECKPOINT_DIR",
        )
        parser.add_argument(
            "--key",
            action="append",
            metavar="KEY",
            help="trust this public key instead of our own: 64 hexadecimal digits or a file of them; may be repeated",
        )

    def handle(self, *_: object, **options: object) -> None:
        """Print each problem as it is found, then the totals and the first bad entry."""
        self._as_json = options["format"] == "json"
        self._findings = Findings(most=int(str(options["most"])))
        try:
            if options["conversation"] is None:
                paths, keys = _paths(options["checkpoints"]), _words(options["key"])
                self._verify_all(outside.judged(paths, keys, now=timezone.now()))
            else:
                self._verify_one(str(options["conversation"]))
        except (FolderUnusable, KeyUnusable) as problem:
            raise CommandError(f"Nothing was checked: {problem}", returncode=NOT_CHECKED) from problem
        except DatabaseError as problem:
            raise CommandError(f"The check was cut short: {problem}".strip(), returncode=NOT_CHECKED) from problem
        if self._findings.count:
            sys.exit(PROBLEMS)

    def _verify_all(self, judged: Judged) -> None:
        wrong = [Problem(Layer.CHECKPOINTS, None, None, None, message) for message in judged.problems]
        self._tell(self._findings.take(wrong))
        totals = self._follow(queries.verify(accepted=judged.accepted), 2 * queries.entry_count())
        self._report(totals, judged)

    def _verify_one(self, conversation_id: str) -> None:
        totals = self._follow(queries.verify(conversation_id=conversation_id), 0)
        if not totals.is_known:
            message = f"Nothing was checked: no such conversation in the ledger: {conversation_id!r}."
            raise CommandError(message, returncode=NOT_CHECKED)
        self._report(totals, None)

    def _follow(self, checks: Iterator[Verified], expected: int) -> _Totals:
        totals, progress = _Totals(), Progress(sys.stderr, expected)
        for checked in checks:
            totals.add(checked)
            if listed := self._findings.take(checked.problems):
                progress.clear()
                self._tell(listed)
            progress.add(checked.entries + checked.leaves)
        progress.clear()
        return totals

    def _tell(self, problems: Sequence[Problem]) -> None:
        for problem in problems:
            self.stdout.write(json.dumps(asdict(problem), ensure_ascii=False) if self._as_json else _line(problem))

    def _report(self, totals: _Totals, judged: Judged | None) -> None:
        first = self._findings.first(queries.places_of(self._findings.entry_ids()))
        covered = totals.covered or Covered()
        is_outside = judged is not None and any(known.is_outside for known in judged.accepted)
        size = covered.outside if is_outside else covered.anywhere
        unsealed = queries.unsealed(size=size) if judged is not None else None
        if self._as_json:
            self.stdout.write(json.dumps(self._as_dict(totals, judged, size, unsealed, first), default=str))
            return
        if self._findings.unlisted:
            self.stdout.write(f"… and {_counted(self._findings.unlisted, 'more problem')}.")
        against = f" against {_counted(len(judged.accepted), 'checkpoint')}" if judged is not None else ""
        checked = f"{_counted(totals.entries, 'entry')} in {_counted(totals.conversations, 'conversation')} checked"
        self.stdout.write(f"{checked}{against}, {_counted(self._findings.count, 'problem')}.")
        if unsealed is not None:
            self.stdout.write(_sealed(size, unsealed, is_outside=is_outside))
        if first is not None:
            self.stdout.write(f"First: {_line(first)}")

    def _as_dict(
        self, totals: _Totals, judged: Judged | None, size: int, unsealed: Unsealed | None, first: Problem | None
    ) -> dict[str, object]:
        return {
            "conversations": totals.conversations,
            "entries": totals.entries,
            "problems": self._findings.count,
            "unlisted": self._findings.unlisted,
            "checkpoints": len(judged.accepted) if judged is not None else None,
            "covered": size if judged is not None else None,
            "only_chained": asdict(unsealed) if unsealed is not None else None,
            "first": asdict(first) if first is not None else None,
        }


def _sealed(size: int, unsealed: Unsealed, *, is_outside: bool) -> str:
    where = "kept outside" if is_outside else "in the database alone; none was found outside"
    sealed = f"Covered by a fitting checkpoint {where}: {_counted(size, 'entry')}."
    if not unsealed.count:
        return sealed
    since = f" since {unsealed.since:%Y-%m-%d %H:%M:%S} UTC" if unsealed.since else ""
    return f"{sealed} Only chain-protected: {_counted(unsealed.count, 'entry')}{since}."


def _counted(number: int, name: str) -> str:
    several = f"{name.removesuffix('y')}ies" if name.endswith("y") else f"{name}s"
    return f"{number} {name if number == 1 else several}"


def _line(problem: Problem) -> str:
    if problem.conversation_id is None:
        return f"{problem.layer.value}: {problem.message}"
    row = f"entry {problem.position} ({problem.entry_id})" if problem.position else "head"
    return f"{problem.layer.value}: conversation {problem.conversation_id}, {row}: {problem.message}"


def _paths(given: object) -> list[Path] | None:
    return [path for path in given if isinstance(path, Path)] if isinstance(given, list) else None


def _words(given: object) -> list[str] | None:
    return [str(word) for word in given] if isinstance(given, list) else None
