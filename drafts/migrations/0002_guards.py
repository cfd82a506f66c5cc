"""What must never happen to decided things, refused by the database itself."""

from django.db import migrations

FORWARD = """
CREATE FUNCTION drafts_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% rows are written once and never changed', TG_TABLE_NAME USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER decision_never_changes BEFORE UPDATE OR DELETE ON drafts_decision
    FOR EACH ROW EXECUTE FUNCTION drafts_refuse_change();
CREATE TRIGGER draft_version_never_changes BEFORE UPDATE OR DELETE ON drafts_draftversion
    FOR EACH ROW EXECUTE FUNCTION drafts_refuse_change();
CREATE TRIGGER correction_never_changes BEFORE UPDATE OR DELETE ON drafts_correction
    FOR EACH ROW EXECUTE FUNCTION drafts_refuse_change();
CREATE TRIGGER event_never_changes BEFORE UPDATE OR DELETE ON drafts_event
    FOR EACH ROW EXECUTE FUNCTION drafts_refuse_change();

-- A decided item has its decision, and a decision its decided item, when the transaction ends.
CREATE FUNCTION drafts_item_and_decision_agree() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wanted uuid;
    decided boolean;
    found boolean;
BEGIN
    IF TG_TABLE_NAME = 'drafts_decision' THEN wanted := NEW.item_id; ELSE wanted := NEW.id; END IF;
    SELECT state IN ('approved', 'corrected', 'sent_back') INTO decided FROM drafts_reviewitem WHERE id = wanted;
    SELECT EXISTS (SELECT 1 FROM drafts_decision WHERE item_id = wanted) INTO found;
    IF decided IS NOT NULL AND decided <> found THEN
        RAISE EXCEPTION 'review item %: a decided item has one decision, an open one has none', wanted
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER item_has_its_decision AFTER INSERT OR UPDATE OF state ON drafts_reviewitem
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION drafts_item_and_decision_agree();
CREATE CONSTRAINT TRIGGER decision_has_its_item AFTER INSERT ON drafts_decision
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION drafts_item_and_decision_agree();

-- The ledger names conversations without a foreign key (a cascade would run with its owner's rights), so this
-- trigger keeps a conversation that was promised something from being deleted or renamed.
CREATE FUNCTION drafts_keep_promised_conversation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM ledger.head WHERE conversation_id = OLD.external_id) THEN
        RAISE EXCEPTION 'conversation % has ledger entries and keeps its name', OLD.external_id
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER conversation_keeps_its_name BEFORE DELETE OR UPDATE OF external_id ON drafts_conversation
    FOR EACH ROW EXECUTE FUNCTION drafts_keep_promised_conversation();
"""

BACKWARD = """
DROP TRIGGER conversation_keeps_its_name ON drafts_conversation;
DROP FUNCTION drafts_keep_promised_conversation();
DROP TRIGGER decision_has_its_item ON drafts_decision;
DROP TRIGGER item_has_its_decision ON drafts_reviewitem;
DROP FUNCTION drafts_item_and_decision_agree();
DROP TRIGGER event_never_changes ON drafts_event;
DROP TRIGGER correction_never_changes ON drafts_correction;
DROP TRIGGER draft_version_never_changes ON drafts_draftversion;
DROP TRIGGER decision_never_changes ON drafts_decision;
DROP FUNCTION drafts_refuse_change();
"""


class Migration(migrations.Migration):
    dependencies = [("drafts", "0001_initial"), ("ledger", "0002_append_only")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
