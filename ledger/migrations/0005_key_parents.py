"""Keep the parents of question keys flat: what a constraint on one row cannot express."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).parent / "sql" / "key_parents.sql"


class Migration(migrations.Migration):
    dependencies = [("ledger", "0004_whole_texts_stay")]

    operations = [
        migrations.RunSQL(
            SQL.read_text(encoding="utf-8"),
            "DROP TRIGGER question_key_parents_stay_flat ON public.ledger_questionkey;"
            "DROP FUNCTION public.ledger_keep_parents_flat()",
        )
    ]
