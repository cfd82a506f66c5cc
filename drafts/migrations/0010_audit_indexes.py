"""An index of the decided replies that audit check 3 is about; its predicate is that of drafts/queries/auditing.py."""

from django.db import migrations

FORWARD = """
CREATE INDEX decision_without_replay ON drafts_decision (decided_at)
    WHERE branch IN (
        'policy_changed_mid_thread', 'repeat_ask_customer_asserts_a_different_answer',
        'repeat_ask_ledger_entry_exists', 'repeat_ask_paraphrased_to_adjacent_key'
    ) AND kind IN ('approve', 'edit') AND entry_ids = '[]'::jsonb AND withdrawn_at IS NULL;
"""


class Migration(migrations.Migration):
    dependencies = [("drafts", "0009_corrections_of_what_was_said_outside")]

    operations = [migrations.RunSQL(FORWARD, "DROP INDEX decision_without_replay;")]
