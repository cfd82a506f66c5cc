"""Notices name the conflicts that they ask to settle, so that they end with them."""

import django.contrib.postgres.indexes
from django.db import migrations, models

TOLD = """
UPDATE drafts_notice SET conflicts = jsonb_build_array(split_part(about, ':', 2))
    WHERE kind IN ('conflict_opened', 'conflict_given', 'conflict_due_today', 'conflict_overdue');
UPDATE drafts_notice n SET read_at = now() FROM ledger_conflict c
    WHERE n.read_at IS NULL AND n.conflicts ? c.id::text AND c.state <> 'open';
"""


class Migration(migrations.Migration):
    dependencies = [("drafts", "0011_further_questions"), ("ledger", "0003_managed_sources")]

    operations = [
        migrations.AddField(
            model_name="notice",
            name="conflicts",
            field=models.JSONField(
                default=list,
                help_text="The ids of the conflicts that it asks to settle; once all are over, so is the notice.",
            ),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=django.contrib.postgres.indexes.GinIndex(fields=["conflicts"], name="notice_of_conflicts"),
        ),
        migrations.RunSQL(TOLD, migrations.RunSQL.noop),
    ]
