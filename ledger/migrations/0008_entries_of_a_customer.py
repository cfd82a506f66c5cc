"""An index of what each customer was told."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql" / "customers.sql"
BACKWARD = "SET LOCAL ROLE countersign_ledger; DROP INDEX ledger.entry_customer; SET LOCAL ROLE countersign_owner;"


class Migration(migrations.Migration):
    dependencies = [("ledger", "0007_audit_indexes")]

    operations = [migrations.RunSQL(SQL.read_text(encoding="utf-8"), BACKWARD)]
