-- What was written stays: no UPDATE, DELETE or TRUNCATE, whoever asks and however the rows are reached.
SET LOCAL ROLE countersign_ledger;

CREATE FUNCTION ledger.refuse_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'ledger.% is append-only: % is refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'check_violation', HINT = 'Write a CORRECTION or a WITHDRAWAL instead.';
END $$;

CREATE TRIGGER entry_rows_stay BEFORE UPDATE OR DELETE ON ledger.entry
    FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER entry_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.entry
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER fact_rows_stay BEFORE UPDATE OR DELETE ON ledger.fact
    FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER fact_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger.fact
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER head_rows_stay BEFORE DELETE ON ledger.head
    FOR EACH ROW EXECUTE FUNCTION ledger.refuse_change();
CREATE TRIGGER head_stays BEFORE DELETE OR TRUNCATE ON ledger.head
    FOR EACH STATEMENT EXECUTE FUNCTION ledger.refuse_change();

-- A head only ever moves on to the entry that has just been written behind the one it names.
CREATE FUNCTION ledger.head_moves_on() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.position = 0 AND NEW.entry_hash = ledger.genesis(NEW.conversation_id) THEN
            RETURN NEW;
        END IF;
    ELSIF NEW.conversation_id = OLD.conversation_id AND NEW.position = OLD.position + 1 AND EXISTS (
        SELECT FROM ledger.entry e
        WHERE e.conversation_id = NEW.conversation_id AND e.position = NEW.position AND e.entry_hash = NEW.entry_hash
    ) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'ledger.head: % must stay with the newest entry', NEW.conversation_id USING ERRCODE = 'check_violation';
END $$;

CREATE FUNCTION ledger.entry_joins_the_end() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM ledger.head h
        WHERE h.conversation_id = NEW.conversation_id AND h.position = NEW.position - 1 AND h.entry_hash = NEW.prev_hash
    ) THEN
        RAISE EXCEPTION 'ledger.entry: % does not follow the newest entry of %', NEW.id, NEW.conversation_id
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION ledger.genesis(conversation text) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
    SELECT sha256(convert_to('countersign ledger 1' || chr(10) || conversation, 'UTF8'))
$$;

CREATE TRIGGER head_moves_on BEFORE INSERT OR UPDATE ON ledger.head
    FOR EACH ROW EXECUTE FUNCTION ledger.head_moves_on();
CREATE TRIGGER entry_joins_the_end BEFORE INSERT ON ledger.entry
    FOR EACH ROW EXECUTE FUNCTION ledger.entry_joins_the_end();

ALTER TABLE ledger.entry ENABLE ALWAYS TRIGGER entry_rows_stay;
ALTER TABLE ledger.entry ENABLE ALWAYS TRIGGER entry_stays;
ALTER TABLE ledger.entry ENABLE ALWAYS TRIGGER entry_joins_the_end;
ALTER TABLE ledger.fact ENABLE ALWAYS TRIGGER fact_rows_stay;
ALTER TABLE ledger.fact ENABLE ALWAYS TRIGGER fact_stays;
ALTER TABLE ledger.head ENABLE ALWAYS TRIGGER head_rows_stay;
ALTER TABLE ledger.head ENABLE ALWAYS TRIGGER head_stays;
ALTER TABLE ledger.head ENABLE ALWAYS TRIGGER head_moves_on;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ledger FROM PUBLIC;
SET LOCAL ROLE countersign_owner;
