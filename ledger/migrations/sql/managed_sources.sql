-- The whole text of a version that an answer rests on stays as it is, and so does who prepared it.
CREATE OR REPLACE FUNCTION public.ledger_keep_used_version() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF public.ledger_rests_on(OLD.document_id, OLD.version) THEN
        IF TG_OP = 'DELETE' THEN
            RAISE EXCEPTION 'policy version %/% is in use: answers rest on it', OLD.document_id, OLD.version
                USING ERRCODE = 'check_violation', CONSTRAINT = 'policy_version_in_use';
        ELSIF NEW.status = 'draft'
            OR (NEW.id, NEW.document_id, NEW.version, NEW.title, NEW.channels, NEW.effective_from, NEW.body,
                NEW.prepared_by_id)
                IS DISTINCT FROM (OLD.id, OLD.document_id, OLD.version, OLD.title, OLD.channels, OLD.effective_from,
                OLD.body, OLD.prepared_by_id)
            OR coalesce(NEW.effective_until, 'infinity') > coalesce(OLD.effective_until, 'infinity')
        THEN
            RAISE EXCEPTION 'policy version %/% is in use: only its status and an earlier end can change',
                OLD.document_id, OLD.version USING ERRCODE = 'check_violation', CONSTRAINT = 'policy_version_in_use';
        END IF;
    END IF;
    RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;

-- Whether a third party's document may answer from now on is no matter of what was promised from it before.
CREATE OR REPLACE FUNCTION public.ledger_keep_used_document() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF (
        TG_OP = 'DELETE'
        OR (NEW.doc_id, NEW.kind, NEW.deciding_date) IS DISTINCT FROM (OLD.doc_id, OLD.kind, OLD.deciding_date)
    ) AND public.ledger_rests_on(OLD.doc_id, NULL) THEN
        RAISE EXCEPTION 'document % is in use: answers rest on it, so its kind and deciding date stay', OLD.doc_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'policy_document_in_use';
    END IF;
    RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
