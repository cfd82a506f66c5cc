"""Run the five checks on what customers were told."""

import json
import sys
from argparse import ArgumentParser

from django.core.management.base import BaseCommand
from django.utils import timezone

from drafts.queries import auditing
from drafts.services import auditing as services
from ledger.queries import AuditCheck


class Command(BaseCommand):
    """Count the rows of every check and show them; exit status 1 when one is above its threshold."""

    help = (
        "Run the five audit checks and record the run for the audit page. "
        "Exit status 1 when a check finds more rows than its threshold allows."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the form of the answer."""
        parser.add_argument("--format", choices=("table", "json"), default="table")
        parser.add_argument("--rows", action="store_true", help="show every row behind each number, not only the count")
        parser.add_argument("--no-record", action="store_true", help="only look; the audit page does not learn of it")

    def handle(self, *_: object, **options: object) -> None:
        """Print one line a check."""
        if options["no_record"]:
            checks = auditing.audit()
        else:
            checks = services.run(how="command", started_by=None, clock=timezone.now).checks
        for check in checks:
            if options["format"] == "json":
                self.stdout.write(json.dumps(_as_dict(check), ensure_ascii=False, default=str))
            else:
                self._show(check, with_rows=bool(options["rows"]))
        if not all(check.healthy for check in checks):
            sys.exit(1)

    def _show(self, check: AuditCheck, *, with_rows: bool) -> None:
        mark = "ok " if check.healthy else "BAD"
        self.stdout.write(f"{mark} {check.id}  {check.name}: {check.count}")
        for row in auditing.audit_rows(check.id) if with_rows and check.count else ():
            self.stdout.write("       " + ", ".join(f"{name}: {value}" for name, value in row.items()))


def _as_dict(check: AuditCheck) -> dict[str, object]:
    return {
        "id": check.id,
        "name": check.name,
        "rows": check.count,
        "threshold": check.threshold,
        "healthy": check.healthy,
        "found": check.rows,
    }
