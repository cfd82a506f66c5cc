-- Rules of keys and policies: no two versions of one document at once, and nothing that an answer rests on is changed.
CREATE FUNCTION public.ledger_channels_named(channels jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
    SELECT jsonb_typeof(channels) = 'array' AND jsonb_array_length(channels) > 0 AND NOT EXISTS (
        SELECT FROM jsonb_array_elements(CASE WHEN jsonb_typeof(channels) = 'array' THEN channels ELSE '[]' END) AS c
        WHERE jsonb_typeof(c) <> 'string' OR c #>> '{}' !~ '\S' OR lower(c #>> '{}') IN ('*', 'all', 'any')
    )
$$;
ALTER TABLE public.ledger_policyversion ADD CONSTRAINT policy_version_channels_named
    CHECK (public.ledger_channels_named(channels));
ALTER TABLE public.ledger_questionkey ADD CONSTRAINT question_key_lists
    CHECK (jsonb_typeof(deciding_facts) = 'array' AND jsonb_typeof(examples) = 'array');

ALTER TABLE public.ledger_policycoverage ADD CONSTRAINT policy_versions_do_not_overlap
    EXCLUDE USING gist (document_id WITH =, channel WITH =, daterange(valid_from, valid_until) WITH &&);

CREATE FUNCTION public.ledger_cover() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM public.ledger_policycoverage WHERE version_id = OLD.id;
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.status = 'active' THEN
        INSERT INTO public.ledger_policycoverage (version_id, document_id, channel, valid_from, valid_until)
            SELECT DISTINCT NEW.id, NEW.document_id, c, NEW.effective_from, NEW.effective_until
            FROM jsonb_array_elements_text(NEW.channels) AS c;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER policy_version_is_covered AFTER INSERT OR UPDATE OR DELETE ON public.ledger_policyversion
    FOR EACH ROW EXECUTE FUNCTION public.ledger_cover();
REVOKE INSERT, UPDATE, DELETE ON public.ledger_policycoverage FROM countersign_app;

CREATE FUNCTION public.ledger_rests_on(doc_id text, version text) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM ledger.entry e
        WHERE e.answer_source ->> 'doc_id' = ledger_rests_on.doc_id
        AND (ledger_rests_on.version IS NULL OR e.answer_source ->> 'version' = ledger_rests_on.version)
    )
$$;

-- Of a version that an answer rests on, only the status and an earlier end can change.
CREATE FUNCTION public.ledger_keep_used_version() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF public.ledger_rests_on(OLD.document_id, OLD.version) THEN
        IF TG_OP = 'DELETE' THEN
            RAISE EXCEPTION 'policy version %/% is in use: answers rest on it', OLD.document_id, OLD.version
                USING ERRCODE = 'check_violation', CONSTRAINT = 'policy_version_in_use';
        ELSIF NEW.status = 'draft'
            OR (NEW.id, NEW.document_id, NEW.version, NEW.title, NEW.channels, NEW.effective_from)
                IS DISTINCT FROM (OLD.id, OLD.document_id, OLD.version, OLD.title, OLD.channels, OLD.effective_from)
            OR coalesce(NEW.effective_until, 'infinity') > coalesce(OLD.effective_until, 'infinity')
        THEN
            RAISE EXCEPTION 'policy version %/% is in use: only its status and an earlier end can change',
                OLD.document_id, OLD.version USING ERRCODE = 'check_violation', CONSTRAINT = 'policy_version_in_use';
        END IF;
    END IF;
    RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER policy_version_in_use_stays BEFORE UPDATE OR DELETE ON public.ledger_policyversion
    FOR EACH ROW EXECUTE FUNCTION public.ledger_keep_used_version();

-- The version's row is locked first, so that no answer can come to rest on a passage while it is being changed.
CREATE FUNCTION public.ledger_keep_used_statement() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    held record;
BEGIN
    FOR held IN
        SELECT v.document_id, v.version FROM public.ledger_policyversion v
        WHERE v.id IN (CASE WHEN TG_OP <> 'INSERT' THEN OLD.version_id END, CASE WHEN TG_OP <> 'DELETE' THEN NEW.version_id END)
        ORDER BY v.id FOR NO KEY UPDATE
    LOOP
        IF public.ledger_rests_on(held.document_id, held.version) THEN
            RAISE EXCEPTION 'policy version %/% is in use: its passages cannot change', held.document_id, held.version
                USING ERRCODE = 'check_violation', CONSTRAINT = 'policy_version_in_use';
        END IF;
    END LOOP;
    RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER policy_statement_in_use_stays BEFORE INSERT OR UPDATE OR DELETE ON public.ledger_policystatement
    FOR EACH ROW EXECUTE FUNCTION public.ledger_keep_used_statement();

CREATE FUNCTION public.ledger_keep_used_document() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF (TG_OP = 'DELETE' OR NEW IS DISTINCT FROM OLD) AND public.ledger_rests_on(OLD.doc_id, NULL) THEN
        RAISE EXCEPTION 'document % is in use: answers rest on it, so its kind and deciding date stay', OLD.doc_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'policy_document_in_use';
    END IF;
    RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER policy_document_in_use_stays BEFORE UPDATE OR DELETE ON public.ledger_policydocument
    FOR EACH ROW EXECUTE FUNCTION public.ledger_keep_used_document();

-- A key under which something was promised keeps its place: another parent would hide the promise from the gate.
CREATE FUNCTION public.ledger_keep_used_key() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF (TG_OP = 'DELETE' OR (NEW.key, NEW.parent_id) IS DISTINCT FROM (OLD.key, OLD.parent_id)) AND EXISTS (
        SELECT FROM ledger.entry e WHERE e.question_key = OLD.key OR e.asked_key = OLD.key
    ) THEN
        RAISE EXCEPTION 'question key % has ledger entries: it keeps its name and its parent', OLD.key
            USING ERRCODE = 'check_violation', CONSTRAINT = 'question_key_in_use';
    END IF;
    RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER question_key_in_use_stays BEFORE UPDATE OR DELETE ON public.ledger_questionkey
    FOR EACH ROW EXECUTE FUNCTION public.ledger_keep_used_key();
