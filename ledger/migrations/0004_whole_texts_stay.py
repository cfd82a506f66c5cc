"""A version in use keeps its whole text; a third party's permission to answer can be given and taken back."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql" / "managed_sources.sql"


class Migration(migrations.Migration):
    dependencies = [("ledger", "0003_managed_sources")]

    operations = [migrations.RunSQL(SQL.read_text(encoding="utf-8"))]
