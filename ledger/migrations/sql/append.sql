-- The one door to the ledger. The caller says what was promised; place, time, hashes and what an entry supersedes are
-- decided here, under the lock of the conversation's head.
SET LOCAL ROLE countersign_ledger;

CREATE FUNCTION ledger.instant_text(at timestamptz) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;

-- The bytes that are hashed: every column that carries meaning, and the typed facts.
CREATE FUNCTION ledger.payload_of(e ledger.entry, facts jsonb) RETURNS bytea
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT convert_to((
        jsonb_build_object(
            'format_version', e.format_version, 'id', e.id, 'conversation_id', e.conversation_id,
            'customer_id', e.customer_id, 'channel', e.channel, 'position', e.position, 'kind', e.kind,
            'question_key', e.question_key, 'asked_key', e.asked_key, 'question_canonical', e.question_canonical,
            'matched_by', e.matched_by, 'answer_text', e.answer_text, 'answer_source', e.answer_source,
            'commitment_class', e.commitment_class, 'deciding_facts', e.deciding_facts
        ) || jsonb_build_object(
            'supersedes', e.supersedes, 'replays', e.replays, 'restores', e.restores, 'reason', e.reason,
            'owner', e.owner, 'decided_by', e.decided_by, 'decision_id', e.decision_id,
            'effective_at', ledger.instant_text(e.effective_at), 'recorded_at', ledger.instant_text(e.recorded_at),
            'prev_hash', encode(e.prev_hash, 'hex'), 'typed_facts', facts
        )
    )::text, 'UTF8')
$$;

CREATE FUNCTION ledger.check_members(given jsonb) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    known text[] := ARRAY[
        'id', 'kind', 'conversation_id', 'customer_id', 'channel', 'question_key', 'asked_key', 'question_canonical',
        'matched_by', 'answer_text', 'answer_source', 'commitment_class', 'deciding_facts', 'typed_facts', 'supersedes',
        'replays', 'reason', 'owner', 'decided_by', 'decision_id', 'effective_at'
    ];
    unknown text;
BEGIN
    IF jsonb_typeof(given) IS DISTINCT FROM 'object' THEN
        RAISE EXCEPTION 'ledger.append takes one object' USING ERRCODE = 'check_violation';
    END IF;
    SELECT string_agg(name, ', ' ORDER BY name) INTO unknown
        FROM jsonb_object_keys(given) AS name WHERE name <> ALL (known);
    IF unknown IS NOT NULL THEN
        RAISE EXCEPTION 'ledger.append decides % itself, or does not know it', unknown USING ERRCODE = 'check_violation';
    END IF;
END $$;

-- The newest entry of a question's line, replays and their withdrawals apart.
CREATE FUNCTION ledger.tip_of(conversation text, key text) RETURNS ledger.entry
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT e FROM ledger.entry e
    WHERE e.conversation_id = conversation AND e.question_key = key AND e.kind <> 'REPLAY' AND e.replays IS NULL
    ORDER BY e.position DESC LIMIT 1
$$;

CREATE FUNCTION ledger.refuse_outdated(wanted uuid, live uuid) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF wanted IS NULL THEN
        RAISE EXCEPTION 'the entry that this one builds on must be named' USING ERRCODE = 'check_violation';
    ELSIF wanted IS DISTINCT FROM live THEN
        RAISE EXCEPTION 'entry % is not the live answer of this conversation and key; that is %', wanted,
            coalesce(live::text, 'none') USING ERRCODE = 'unique_violation', CONSTRAINT = 'entry_superseded_once';
    END IF;
END $$;

-- Point an undo at what it undoes and at what it brings back.
CREATE FUNCTION ledger.withdrawn(e ledger.entry, wanted uuid, live uuid, tip ledger.entry) RETURNS ledger.entry
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    undone ledger.entry;
    earlier ledger.entry;
BEGIN
    SELECT * INTO undone FROM ledger.entry x
        WHERE x.id = wanted AND x.conversation_id = e.conversation_id AND x.question_key = e.question_key;
    IF undone.kind = 'REPLAY' THEN
        e.replays := undone.replays;
    ELSE
        PERFORM ledger.refuse_outdated(wanted, live);
        IF tip.id <> live OR (
            SELECT count(*) FILTER (WHERE r.kind = 'REPLAY') > count(*) FILTER (WHERE r.kind = 'WITHDRAWAL')
            FROM ledger.entry r WHERE r.replays = wanted
        ) THEN
            RAISE EXCEPTION 'entry % has been repeated to the customer and can only be corrected', wanted
                USING ERRCODE = 'check_violation', CONSTRAINT = 'entry_repeated_since';
        END IF;
        IF undone.kind = 'CORRECTION' THEN
            SELECT * INTO earlier FROM ledger.entry x WHERE x.id = undone.supersedes;
            e.restores := CASE WHEN earlier.kind = 'WITHDRAWAL' THEN earlier.restores ELSE earlier.id END;
        END IF;
    END IF;
    e.supersedes := undone.id;
    e.question_canonical := undone.question_canonical;
    e.answer_text := undone.answer_text;
    e.answer_source := undone.answer_source;
    e.commitment_class := undone.commitment_class;
    RETURN e;
END $$;

-- Set what an entry supersedes or replays, by the kind of entry and the state of its line (one live entry at most).
CREATE FUNCTION ledger.linked(e ledger.entry, given jsonb) RETURNS ledger.entry
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    tip ledger.entry := ledger.tip_of(e.conversation_id, e.question_key);
    live uuid := CASE WHEN tip.kind = 'WITHDRAWAL' THEN tip.restores ELSE tip.id END;
    told ledger.entry;
BEGIN
    CASE e.kind
    WHEN 'ANSWER' THEN
        IF live IS NOT NULL THEN
            RAISE EXCEPTION 'conversation %: % is already answered by entry %', e.conversation_id, e.question_key, live
                USING ERRCODE = 'unique_violation', CONSTRAINT = 'entry_one_first_answer';
        END IF;
        e.supersedes := tip.id;
    WHEN 'CORRECTION' THEN
        PERFORM ledger.refuse_outdated((given ->> 'supersedes')::uuid, live);
        e.supersedes := tip.id;
    WHEN 'REPLAY' THEN
        PERFORM ledger.refuse_outdated((given ->> 'replays')::uuid, live);
        SELECT * INTO told FROM ledger.entry x WHERE x.id = live;
        e.replays := live;
        e.question_canonical := told.question_canonical;
        e.answer_text := told.answer_text;
        e.answer_source := told.answer_source;
        e.commitment_class := told.commitment_class;
    WHEN 'WITHDRAWAL' THEN
        e := ledger.withdrawn(e, (given ->> 'supersedes')::uuid, live, tip);
    ELSE
        RAISE EXCEPTION 'kind % is none of ANSWER, REPLAY, CORRECTION, WITHDRAWAL', e.kind USING ERRCODE = 'check_violation';
    END CASE;
    RETURN e;
END $$;

-- Typed facts as they are stored and hashed: numbers as text, in the given order.
CREATE FUNCTION ledger.facts_of(e ledger.entry, given jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT coalesce(jsonb_agg(jsonb_build_object(
        'ordinal', f.ordinal - 1, 'kind', f.fact ->> 'kind', 'unit', f.fact ->> 'unit',
        'low', (f.fact ->> 'low')::numeric::text, 'high', (f.fact ->> 'high')::numeric::text,
        'bound', f.fact ->> 'bound', 'per', f.fact ->> 'per', 'anchor', f.fact ->> 'anchor',
        'applies_to', f.fact ->> 'applies_to', 'polarity', (f.fact ->> 'polarity')::boolean,
        'span_start', (f.fact ->> 'start')::integer, 'span_end', (f.fact ->> 'end')::integer,
        'topics', coalesce(f.fact -> 'topics', '[]'::jsonb)
    ) ORDER BY f.ordinal), '[]'::jsonb)
    FROM jsonb_array_elements(
        CASE WHEN e.kind IN ('ANSWER', 'CORRECTION') THEN coalesce(given -> 'typed_facts', '[]'::jsonb) ELSE '[]'::jsonb END
    ) WITH ORDINALITY AS f (fact, ordinal)
$$;

CREATE FUNCTION ledger.read_given(given jsonb) RETURNS ledger.entry
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    e ledger.entry;
BEGIN
    e.id := (given ->> 'id')::uuid;
    e.kind := given ->> 'kind';
    e.conversation_id := given ->> 'conversation_id';
    e.customer_id := given ->> 'customer_id';
    e.channel := given ->> 'channel';
    e.question_key := given ->> 'question_key';
    e.asked_key := coalesce(given ->> 'asked_key', e.question_key);
    e.question_canonical := given ->> 'question_canonical';
    e.matched_by := given ->> 'matched_by';
    e.answer_text := given ->> 'answer_text';
    e.answer_source := nullif(given -> 'answer_source', 'null'::jsonb);
    IF e.answer_source ->> 'passage' IS NOT NULL THEN
        e.answer_source := e.answer_source || jsonb_build_object(
            'passage_digest', encode(sha256(convert_to(e.answer_source ->> 'passage', 'UTF8')), 'hex')
        );
    END IF;
    e.commitment_class := given ->> 'commitment_class';
    e.deciding_facts := coalesce(nullif(given -> 'deciding_facts', 'null'::jsonb), '{}'::jsonb);
    e.reason := given ->> 'reason';
    e.owner := given ->> 'owner';
    e.decided_by := given ->> 'decided_by';
    e.decision_id := given ->> 'decision_id';
    e.effective_at := (given ->> 'effective_at')::timestamptz;
    e.format_version := 1;
    RETURN e;
END $$;

CREATE FUNCTION ledger.append(given jsonb) RETURNS ledger.entry
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
    INSERT INTO ledger.entry SELECT e.*;
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

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ledger FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.append(jsonb) TO countersign_app;
SET LOCAL ROLE countersign_owner;
