-- A key belongs to a key of its own, never to an adjacent one: so no chain and no circle of parents can come to be.
-- One change of parents at a time, or two sessions that cannot see each other could close a circle together.
CREATE FUNCTION public.ledger_keep_parents_flat() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('ledger_questionkey.parent_id'));
    IF EXISTS (SELECT FROM public.ledger_questionkey k WHERE k.key = NEW.parent_id AND k.parent_id IS NOT NULL) THEN
        RAISE EXCEPTION 'question key % cannot belong to %, which belongs to another key itself', NEW.key, NEW.parent_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'question_key_parent_is_a_root';
    ELSIF EXISTS (SELECT FROM public.ledger_questionkey k WHERE k.parent_id = NEW.key) THEN
        RAISE EXCEPTION 'question key % cannot belong to %: other keys belong to it', NEW.key, NEW.parent_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'question_key_parent_is_a_root';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER question_key_parents_stay_flat BEFORE INSERT OR UPDATE OF parent_id ON public.ledger_questionkey
    FOR EACH ROW WHEN (NEW.parent_id IS NOT NULL) EXECUTE FUNCTION public.ledger_keep_parents_flat();
