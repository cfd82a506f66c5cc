-- What tells texts apart without reading them, and the source as it is published: both worked out by the database from
-- the entry's own columns, so that neither can say anything else. They are no part of what is hashed.
SET LOCAL ROLE countersign_ledger;

-- Half of a SHA-256: enough that nobody finds two texts with the same one, and a third of the index saved.
CREATE FUNCTION ledger.digest_of(said text) RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
    SELECT substring(sha256(convert_to(said, 'UTF8')) FOR 16)
$$;

CREATE FUNCTION ledger.shown_source_of(source jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
    SELECT jsonb_build_object(
        'doc_id', source -> 'doc_id', 'version', source -> 'version', 'section', source -> 'section',
        'effective_from', source -> 'effective_from', 'retrieved_score', source -> 'retrieved_score'
    )
$$;
REVOKE ALL ON FUNCTION ledger.digest_of(text), ledger.shown_source_of(jsonb) FROM PUBLIC;

ALTER TABLE ledger.entry
    ADD COLUMN answer_digest bytea NOT NULL GENERATED ALWAYS AS (ledger.digest_of(answer_text)) STORED,
    ADD COLUMN shown_source jsonb GENERATED ALWAYS AS (ledger.shown_source_of(answer_source)) STORED;

-- Every text that a customer was told, by question: which questions were told several is read here alone.
CREATE INDEX entry_told ON ledger.entry (conversation_id, question_key, answer_digest) INCLUDE (recorded_at)
    WHERE kind <> 'WITHDRAWAL';
DROP INDEX ledger.entry_answers;
-- What was withdrawn, which is little: whether an entry was undone is asked of each that the audit looks at.
CREATE INDEX entry_undone ON ledger.entry (supersedes) WHERE kind = 'WITHDRAWAL';

-- As before, but for the source, which is read instead of put together for every row.
CREATE OR REPLACE VIEW ledger.answer_ledger AS
SELECT
    e.id AS entry_id,
    e.conversation_id,
    e.customer_id,
    e.question_key,
    e.question_canonical,
    e.matched_by,
    e.answer_text,
    e.shown_source AS answer_source,
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

-- As before, but that it names the columns it writes: the database fills in the two above.
CREATE OR REPLACE FUNCTION ledger.append(given jsonb) RETURNS ledger.entry
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
DECLARE
    e ledger.entry;
    newest ledger.head;
    facts jsonb;
BEGIN
    PERFORM ledger.check_members(given);
    e := ledger.read_given(given);
    INSERT INTO ledger.head (conversation_id, position, entry_hash)
        VALUES (e.conversation_id, 0, ledger.genesis(e.conversation_id)) ON CONFLICT (conversation_id) DO NOTHING;
    SELECT * INTO newest FROM ledger.head h WHERE h.conversation_id = e.conversation_id FOR UPDATE;
    e := ledger.linked(e, given);
    e.position := newest.position + 1;
    e.prev_hash := newest.entry_hash;
    e.recorded_at := clock_timestamp();
    e.effective_at := coalesce(e.effective_at, e.recorded_at);
    facts := ledger.facts_of(e, given);
    e.payload := ledger.payload_of(e, facts);
    e.entry_hash := sha256('\x00'::bytea || e.prev_hash || sha256(e.payload));
    INSERT INTO ledger.entry (
        id, conversation_id, customer_id, channel, position, kind, question_key, asked_key,
        question_canonical, matched_by, answer_text, answer_source, commitment_class, deciding_facts,
        supersedes, replays, restores, reason, owner, decided_by, decision_id, effective_at, recorded_at,
        payload, format_version, prev_hash, entry_hash
    ) SELECT
        e.id, e.conversation_id, e.customer_id, e.channel, e.position, e.kind, e.question_key, e.asked_key,
        e.question_canonical, e.matched_by, e.answer_text, e.answer_source, e.commitment_class,
        e.deciding_facts, e.supersedes, e.replays, e.restores, e.reason, e.owner, e.decided_by,
        e.decision_id, e.effective_at, e.recorded_at, e.payload, e.format_version, e.prev_hash, e.entry_hash;
    INSERT INTO ledger.fact
        SELECT e.id, f.ordinal, f.kind, f.unit, f.low, f.high, f.bound, f.per, f.anchor, f.applies_to, f.polarity,
            f.span_start, f.span_end, f.topics
        FROM jsonb_to_recordset(facts) AS f (
            ordinal integer, kind text, unit text, low numeric, high numeric, bound text, per text, anchor text,
            applies_to text, polarity boolean, span_start integer, span_end integer, topics jsonb
        );
    UPDATE ledger.head SET position = e.position, entry_hash = e.entry_hash
        WHERE head.conversation_id = e.conversation_id;
    RETURN e;
END $$;
SET LOCAL ROLE countersign_owner;
