"""The tree over the whole ledger, and its signed checkpoints."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql"


class Migration(migrations.Migration):
    dependencies = [("ledger", "0005_key_parents")]

    operations = [migrations.RunSQL((SQL / "checkpoints.sql").read_text(encoding="utf-8"))]
