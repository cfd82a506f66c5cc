-- The ledger's tables, owned by countersign_ledger. Written for PostgreSQL 15 and later.
SET LOCAL ROLE countersign_ledger;

CREATE FUNCTION ledger.is_visible(said text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
    SELECT said ~ '[^\s\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]'
$$;

CREATE TABLE ledger.head (
    conversation_id text PRIMARY KEY CHECK (ledger.is_visible(conversation_id)),
    position bigint NOT NULL CHECK (position >= 0),
    entry_hash bytea NOT NULL CHECK (octet_length(entry_hash) = 32)
);

CREATE TABLE ledger.entry (
    id uuid PRIMARY KEY,
    conversation_id text NOT NULL REFERENCES ledger.head (conversation_id),
    customer_id text,
    channel text,
    position bigint NOT NULL CHECK (position > 0),
    kind text NOT NULL CHECK (kind IN ('ANSWER', 'REPLAY', 'CORRECTION', 'WITHDRAWAL')),
    question_key text NOT NULL,
    asked_key text NOT NULL,
    question_canonical text NOT NULL,
    matched_by text NOT NULL CHECK (matched_by IN ('form', 'classifier', 'person')),
    answer_text text NOT NULL,
    answer_source jsonb,
    commitment_class text NOT NULL CHECK (commitment_class IN ('binding_policy', 'estimate', 'information')),
    deciding_facts jsonb NOT NULL CHECK (jsonb_typeof(deciding_facts) = 'object'),
    supersedes uuid,
    replays uuid,
    restores uuid,
    reason text,
    owner text,
    decided_by text NOT NULL,
    decision_id text NOT NULL,
    effective_at timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL,
    payload bytea NOT NULL CHECK (octet_length(payload) <= 262144),
    format_version smallint NOT NULL CHECK (format_version = 1),
    prev_hash bytea NOT NULL CHECK (octet_length(prev_hash) = 32),
    entry_hash bytea NOT NULL UNIQUE,

    CONSTRAINT entry_key_grammar CHECK (
        question_key COLLATE "C" ~ '^[a-z0-9_]+::[a-z0-9_]+$' AND asked_key COLLATE "C" ~ '^[a-z0-9_]+::[a-z0-9_]+$'
    ),
    CONSTRAINT entry_says_something CHECK (ledger.is_visible(answer_text) AND ledger.is_visible(question_canonical)),
    CONSTRAINT entry_names_who_decided CHECK (ledger.is_visible(decided_by) AND ledger.is_visible(decision_id)),
    CONSTRAINT entry_hash_follows CHECK (entry_hash = sha256('\x00'::bytea || prev_hash || sha256(payload))),
    CONSTRAINT entry_one_place UNIQUE (conversation_id, position),
    CONSTRAINT entry_superseded_once UNIQUE (supersedes),
    CONSTRAINT entry_supersedes_another CHECK (supersedes <> id AND replays <> id AND restores <> id),
    CONSTRAINT entry_within_its_line UNIQUE (id, conversation_id, question_key),
    CONSTRAINT entry_supersedes_in_line FOREIGN KEY (supersedes, conversation_id, question_key)
        REFERENCES ledger.entry (id, conversation_id, question_key),
    CONSTRAINT entry_replays_in_line FOREIGN KEY (replays, conversation_id, question_key)
        REFERENCES ledger.entry (id, conversation_id, question_key),
    CONSTRAINT entry_restores_in_line FOREIGN KEY (restores, conversation_id, question_key)
        REFERENCES ledger.entry (id, conversation_id, question_key),
    CONSTRAINT entry_correction_complete CHECK (
        kind <> 'CORRECTION'
        OR (supersedes IS NOT NULL AND replays IS NULL AND coalesce(ledger.is_visible(reason), false)
            AND coalesce(ledger.is_visible(owner), false))
    ),
    CONSTRAINT entry_replay_complete CHECK (
        kind <> 'REPLAY' OR (replays IS NOT NULL AND supersedes IS NULL AND reason IS NULL)
    ),
    CONSTRAINT entry_withdrawal_complete CHECK (kind <> 'WITHDRAWAL' OR supersedes IS NOT NULL),
    CONSTRAINT entry_answer_complete CHECK (kind <> 'ANSWER' OR (replays IS NULL AND reason IS NULL)),
    CONSTRAINT entry_only_corrections_have_owners CHECK (kind = 'CORRECTION' OR owner IS NULL),
    CONSTRAINT entry_only_withdrawals_restore CHECK (kind = 'WITHDRAWAL' OR restores IS NULL),
    CONSTRAINT entry_commitment_has_a_source CHECK (
        kind NOT IN ('ANSWER', 'CORRECTION')
        OR (commitment_class = 'information' AND answer_source IS NULL)
        OR coalesce(
            jsonb_typeof(answer_source) = 'object'
            AND ledger.is_visible(answer_source ->> 'doc_id') AND ledger.is_visible(answer_source ->> 'version')
            AND ledger.is_visible(answer_source ->> 'passage') AND ledger.is_visible(answer_source ->> 'passage_digest')
            AND answer_source ->> 'effective_from' ~ '^\d{4}-\d{2}-\d{2}$',
            false
        )
    )
);

CREATE UNIQUE INDEX entry_one_first_answer ON ledger.entry (conversation_id, question_key)
    WHERE kind = 'ANSWER' AND supersedes IS NULL;
CREATE INDEX entry_line ON ledger.entry (conversation_id, question_key, position DESC)
    WHERE kind <> 'REPLAY' AND replays IS NULL;
CREATE INDEX entry_replays ON ledger.entry (replays) WHERE replays IS NOT NULL;
CREATE INDEX entry_restores ON ledger.entry (restores) WHERE restores IS NOT NULL;
CREATE INDEX entry_source ON ledger.entry ((answer_source ->> 'doc_id'), (answer_source ->> 'version'));
CREATE INDEX entry_question_key ON ledger.entry (question_key);
CREATE INDEX entry_asked_key ON ledger.entry (asked_key);
CREATE INDEX entry_corrections ON ledger.entry (recorded_at DESC, id) WHERE kind = 'CORRECTION';

CREATE TABLE ledger.fact (
    entry_id uuid NOT NULL REFERENCES ledger.entry (id),
    ordinal integer NOT NULL CHECK (ordinal >= 0),
    kind text NOT NULL,
    unit text NOT NULL,
    low numeric,
    high numeric,
    bound text NOT NULL,
    per text,
    anchor text,
    applies_to text,
    polarity boolean NOT NULL,
    span_start integer NOT NULL,
    span_end integer NOT NULL,
    topics jsonb NOT NULL CHECK (jsonb_typeof(topics) = 'array'),
    PRIMARY KEY (entry_id, ordinal),
    CONSTRAINT fact_span CHECK (0 <= span_start AND span_start <= span_end),
    CONSTRAINT fact_limits CHECK (low <= high)
);

-- The row that holds a conversation's question now: the entry itself, or what an undone correction brought back.
CREATE VIEW ledger.answer_ledger AS
SELECT
    e.id AS entry_id,
    e.conversation_id,
    e.customer_id,
    e.question_key,
    e.question_canonical,
    e.matched_by,
    e.answer_text,
    CASE WHEN e.answer_source IS NOT NULL THEN jsonb_build_object(
        'doc_id', e.answer_source -> 'doc_id', 'version', e.answer_source -> 'version',
        'section', e.answer_source -> 'section', 'effective_from', e.answer_source -> 'effective_from',
        'retrieved_score', e.answer_source -> 'retrieved_score'
    ) END AS answer_source,
    e.commitment_class,
    e.kind <> 'REPLAY' AND (
        NOT EXISTS (SELECT FROM ledger.entry next WHERE next.supersedes = e.id)
        OR EXISTS (
            SELECT FROM ledger.entry undo
            WHERE undo.restores = e.id AND NOT EXISTS (SELECT FROM ledger.entry next WHERE next.supersedes = undo.id)
        )
    ) AS locked,
    e.recorded_at AS locked_at,
    e.supersedes,
    CASE WHEN e.kind = 'REPLAY' THEN 0 ELSE (
        SELECT count(*) FILTER (WHERE r.kind = 'REPLAY') - count(*) FILTER (WHERE r.kind = 'WITHDRAWAL')
        FROM ledger.entry r WHERE r.replays = e.id
    ) END::integer AS replay_count,
    CASE WHEN e.kind = 'CORRECTION' THEN jsonb_build_object(
        'reason', e.reason, 'owner', e.owner, 'decided_by', e.decided_by, 'old_text', told.answer_text,
        'new_text', e.answer_text,
        'corrected_at', to_char(e.recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
    ) END AS correction_event
FROM ledger.entry e
LEFT JOIN ledger.entry prior ON prior.id = e.supersedes
LEFT JOIN ledger.entry told ON told.id = coalesce(prior.restores, prior.id)
WHERE e.kind <> 'WITHDRAWAL';

REVOKE ALL ON ALL TABLES IN SCHEMA ledger FROM PUBLIC;
GRANT SELECT ON ALL TABLES IN SCHEMA ledger TO countersign_app, countersign_owner;
SET LOCAL ROLE countersign_owner;

-- The same rows under a plain name, for analysts.
CREATE VIEW public.answer_ledger AS SELECT * FROM ledger.answer_ledger;
REVOKE ALL ON public.answer_ledger FROM countersign_app;
GRANT SELECT ON public.answer_ledger TO countersign_app;
