"""Corrections of what was said past the desk, and a log of corrections that stays quick however long it grows."""

import django.db.models.deletion
from django.db import migrations, models

COPY_THE_DOCUMENTS = """
ALTER TABLE drafts_correction DISABLE TRIGGER correction_only_withdrawn;
UPDATE drafts_correction c SET source_document = e.answer_source ->> 'doc_id'
    FROM ledger.entry e WHERE e.id = c.entry_id AND e.answer_source ->> 'doc_id' IS NOT NULL;
ALTER TABLE drafts_correction ENABLE TRIGGER correction_only_withdrawn;
"""


class Migration(migrations.Migration):
    dependencies = [("drafts", "0008_drift_parts")]

    operations = [
        migrations.AddField(
            model_name="correction",
            name="outside_message",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="corrections",
                to="drafts.message",
            ),
        ),
        migrations.AddField(
            model_name="correction",
            name="source_document",
            field=models.TextField(
                blank=True,
                db_default="",
                help_text="The document that its entry rests on, copied so that the log can be narrowed.",
            ),
        ),
        migrations.RunSQL(COPY_THE_DOCUMENTS, migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name="correction",
            index=models.Index(fields=["-corrected_at", "id"], name="correction_newest"),
        ),
    ]
