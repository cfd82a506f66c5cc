"""Indexes for the audit and for analysts, who ask for a stretch of time."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql" / "audit.sql"
BACKWARD = """
SET LOCAL ROLE countersign_ledger;
DROP INDEX ledger.entry_answers, ledger.entry_incomplete_corrections, ledger.entry_unsourced, ledger.entry_recorded;
SET LOCAL ROLE countersign_owner;
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0006_checkpoints")]

    operations = [migrations.RunSQL(SQL.read_text(encoding="utf-8"), BACKWARD)]
