-- Every entry gets a number once, a leaf of one tree over the whole ledger; checkpoints are signed roots of that tree.
-- Kept elsewhere as well, they show what chains inside one database cannot: that the newest entries, a conversation or
-- a whole history were taken out or written anew.
SET LOCAL ROLE countersign_ledger;

CREATE TABLE ledger.leaf (
    number bigint PRIMARY KEY CHECK (number >= 0),
    entry_id uuid NOT NULL UNIQUE REFERENCES ledger.entry (id),
    conversation_id text NOT NULL,
    position bigint NOT NULL,
    entry_hash bytea NOT NULL CHECK (octet_length(entry_hash) = 32)
);

CREATE TABLE ledger.checkpoint (
    number bigint PRIMARY KEY CHECK (number > 0),
    size bigint NOT NULL CHECK (size > 0),
    root bytea NOT NULL CHECK (octet_length(root) = 32),
    previous bigint REFERENCES ledger.checkpoint (number) CHECK (previous < number),
    previous_hash bytea CHECK (octet_length(previous_hash) = 32),
    sealed_at timestamptz NOT NULL,
    key_id text NOT NULL CHECK (key_id COLLATE "C" ~ '^[0-9a-f]{16}$'),
    next_key_id text CHECK (next_key_id COLLATE "C" ~ '^[0-9a-f]{16}$'),
    note text NOT NULL CHECK (octet_length(note) <= 4096),
    edge bytea NOT NULL CHECK (octet_length(edge) BETWEEN 32 AND 64 * 32 AND octet_length(edge) % 32 = 0),

    CONSTRAINT checkpoint_names_what_it_extends CHECK ((previous IS NULL) = (previous_hash IS NULL))
);

CREATE FUNCTION ledger.leaf_count() RETURNS bigint
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT coalesce(max(l.number) + 1, 0) FROM ledger.leaf l
$$;

-- Numbers run on without a gap, and a leaf says what its entry says.
CREATE FUNCTION ledger.leaf_joins_the_end() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NEW.number <> (SELECT coalesce(max(l.number) + 1, 0) FROM ledger.leaf l) OR NOT EXISTS (
        SELECT FROM ledger.entry e WHERE e.id = NEW.entry_id AND e.conversation_id = NEW.conversation_id
        AND e.position = NEW.position AND e.entry_hash = NEW.entry_hash
    ) THEN
        RAISE EXCEPTION 'ledger.leaf: % is not the next number, or not that of entry %', NEW.number, NEW.entry_id
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

-- A checkpoint covers every leaf there is, and more than the one it extends unless it announces another key.
CREATE FUNCTION ledger.checkpoint_joins_the_end() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    extended ledger.checkpoint;
BEGIN
    SELECT * INTO extended FROM ledger.checkpoint c WHERE c.number = NEW.previous;
    IF NEW.number <> (SELECT coalesce(max(c.number), 0) + 1 FROM ledger.checkpoint c)
        OR NEW.size <> ledger.leaf_count()
        OR NEW.size < coalesce(extended.size, 0)
        OR (NEW.size = extended.size AND NEW.next_key_id IS NULL)
        OR NEW.previous_hash IS DISTINCT FROM sha256(convert_to(extended.note, 'UTF8'))
    THEN
        RAISE EXCEPTION 'ledger.checkpoint: % with % entries does not extend %', NEW.number, NEW.size, NEW.previous
            USING ERRCODE = 'check_violation', CONSTRAINT = 'checkpoint_extends';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER leaf_rows_stay BEFORE UPDATE OR DELETE ON ledger.leaf
    FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER leaf_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.leaf
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER leaf_joins_the_end BEFORE INSERT ON ledger.leaf
    FOR EACH ROW EXECUTE FUNCTION ledger.leaf_joins_the_end();
CREATE TRIGGER checkpoint_rows_stay BEFORE UPDATE OR DELETE ON ledger.checkpoint
    FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER checkpoint_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.checkpoint
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER checkpoint_joins_the_end BEFORE INSERT ON ledger.checkpoint
    FOR EACH ROW EXECUTE FUNCTION ledger.checkpoint_joins_the_end();

ALTER TABLE ledger.leaf ENABLE ALWAYS TRIGGER leaf_rows_stay;
ALTER TABLE ledger.leaf ENABLE ALWAYS TRIGGER leaf_stays;
ALTER TABLE ledger.leaf ENABLE ALWAYS TRIGGER leaf_joins_the_end;
ALTER TABLE ledger.checkpoint ENABLE ALWAYS TRIGGER checkpoint_rows_stay;
ALTER TABLE ledger.checkpoint ENABLE ALWAYS TRIGGER checkpoint_stays;
ALTER TABLE ledger.checkpoint ENABLE ALWAYS TRIGGER checkpoint_joins_the_end;

-- Two sealers meet at one lock, which is held until the transaction ends.
CREATE FUNCTION ledger.one_sealer_at_a_time() RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
    SELECT pg_advisory_xact_lock(7316010)
$$;

-- Number entries that have none, oldest first, and return how many. What counts is "has no leaf yet": an entry may be
-- committed after one that was recorded later, so nothing is told by the greatest number or time seen so far.
CREATE FUNCTION ledger.number_leaves(at_most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    numbered integer;
BEGIN
    PERFORM ledger.one_sealer_at_a_time();
    INSERT INTO ledger.leaf (number, entry_id, conversation_id, position, entry_hash)
        SELECT ledger.leaf_count() - 1 + row_number() OVER (ORDER BY due.recorded_at, due.conversation_id, due.position)
            AS number, due.id, due.conversation_id, due.position, due.entry_hash
        FROM (
            SELECT e.id, e.conversation_id, e.position, e.entry_hash, e.recorded_at FROM ledger.entry e
            WHERE NOT EXISTS (SELECT FROM ledger.leaf l WHERE l.entry_id = e.id)
            ORDER BY e.recorded_at, e.conversation_id, e.position LIMIT number_leaves.at_most
        ) due
        ORDER BY number;
    GET DIAGNOSTICS numbered = ROW_COUNT;
    RETURN numbered;
END $$;

-- Append a checkpoint. Its text is signed outside; here it is only seen to that it extends what is there.
CREATE FUNCTION ledger.add_checkpoint(
    number bigint, size bigint, root bytea, previous bigint, sealed_at timestamptz, key_id text, next_key_id text,
    note text, edge bytea
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM ledger.one_sealer_at_a_time();
    INSERT INTO ledger.checkpoint VALUES (
        add_checkpoint.number, add_checkpoint.size, add_checkpoint.root, add_checkpoint.previous,
        (SELECT sha256(convert_to(c.note, 'UTF8')) FROM ledger.checkpoint c WHERE c.number = add_checkpoint.previous),
        add_checkpoint.sealed_at, add_checkpoint.key_id, add_checkpoint.next_key_id, add_checkpoint.note,
        add_checkpoint.edge
    );
END $$;

REVOKE ALL ON ledger.leaf, ledger.checkpoint FROM PUBLIC;
GRANT SELECT ON ledger.leaf, ledger.checkpoint TO countersign_app, countersign_owner;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ledger FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.one_sealer_at_a_time() TO countersign_app;
GRANT EXECUTE ON FUNCTION ledger.number_leaves(integer) TO countersign_app;
GRANT EXECUTE ON FUNCTION ledger.add_checkpoint(bigint, bigint, bytea, bigint, timestamptz, text, text, text, bytea)
    TO countersign_app;
SET LOCAL ROLE countersign_owner;
