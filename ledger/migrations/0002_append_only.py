"""The ledger itself, and the rules of its sources that a constraint on one row cannot express."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql"
PARTS = ("entries.sql", "append_only.sql", "append.sql", "sources.sql")


class Migration(migrations.Migration):
    dependencies = [("ledger", "0001_initial")]

    operations = [migrations.RunSQL((SQL / part).read_text(encoding="utf-8")) for part in PARTS]
