-- What the audit reads of a large ledger: the answers of each question, and the entries that break a rule. The latter
-- two hold what no constraint lets in today; their predicates stand word for word in ledger/queries/auditing.py.
SET LOCAL ROLE countersign_ledger;

CREATE INDEX entry_answers ON ledger.entry (conversation_id, question_key) WHERE kind = 'ANSWER';
CREATE INDEX entry_incomplete_corrections ON ledger.entry (conversation_id, position)
    WHERE kind = 'CORRECTION' AND NOT (
        coalesce(reason, '') ~ '[^\s\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]'
        AND coalesce(owner, '') ~ '[^\s\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]'
    );
CREATE INDEX entry_unsourced ON ledger.entry (conversation_id, position)
    WHERE kind IN ('ANSWER', 'CORRECTION') AND commitment_class <> 'information'
    AND (answer_source ->> 'doc_id' IS NULL OR answer_source ->> 'version' IS NULL);
CREATE INDEX entry_recorded ON ledger.entry (recorded_at);

SET LOCAL ROLE countersign_owner;
