"""What must never happen to decisions that were undone and to replies on their way out, refused by the database."""

from django.db import migrations

FORWARD = """
-- A decision or a correction can be withdrawn once; apart from that its row never changes.
CREATE FUNCTION drafts_only_withdrawn() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    withdrawal text[] := ARRAY['withdrawn_at', 'withdrawn_by_id', 'withdrawn_because'];
BEGIN
    IF TG_OP = 'DELETE' OR OLD.withdrawn_at IS NOT NULL OR NEW.withdrawn_at IS NULL
        OR to_jsonb(NEW) - withdrawal IS DISTINCT FROM to_jsonb(OLD) - withdrawal
    THEN
        RAISE EXCEPTION '% rows are written once; they can be withdrawn, and nothing else', TG_TABLE_NAME
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
DROP TRIGGER decision_never_changes ON drafts_decision;
CREATE TRIGGER decision_only_withdrawn BEFORE UPDATE OR DELETE ON drafts_decision
    FOR EACH ROW EXECUTE FUNCTION drafts_only_withdrawn();
DROP TRIGGER correction_never_changes ON drafts_correction;
CREATE TRIGGER correction_only_withdrawn BEFORE UPDATE OR DELETE ON drafts_correction
    FOR EACH ROW EXECUTE FUNCTION drafts_only_withdrawn();

-- A decided item names the decision that stands, and that decision is its own and was not withdrawn.
CREATE OR REPLACE FUNCTION drafts_item_and_decision_agree() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    wanted uuid;
    named uuid;
    standing uuid;
BEGIN
    IF TG_TABLE_NAME = 'drafts_decision' THEN wanted := NEW.item_id; ELSE wanted := NEW.id; END IF;
    SELECT decision_id INTO named FROM drafts_reviewitem WHERE id = wanted;
    SELECT id INTO standing FROM drafts_decision WHERE item_id = wanted AND withdrawn_at IS NULL;
    IF named IS DISTINCT FROM standing THEN
        RAISE EXCEPTION 'review item %: a decided item names its one standing decision, an open one has none', wanted
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER item_has_its_decision ON drafts_reviewitem;
CREATE CONSTRAINT TRIGGER item_has_its_decision AFTER INSERT OR UPDATE OF state, decision_id ON drafts_reviewitem
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION drafts_item_and_decision_agree();
DROP TRIGGER decision_has_its_item ON drafts_decision;
CREATE CONSTRAINT TRIGGER decision_has_its_item AFTER INSERT OR UPDATE ON drafts_decision
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION drafts_item_and_decision_agree();

-- What leaves is what was decided, and what ended stays ended. An outdated worker cannot turn the fence back.
CREATE FUNCTION drafts_delivery_keeps_its_word() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'a delivery is never deleted' USING ERRCODE = 'check_violation';
    END IF;
    IF (NEW.id, NEW.text, NEW.conversation_id, NEW.decision_id, NEW.correction_id, NEW.created_at)
        IS DISTINCT FROM (OLD.id, OLD.text, OLD.conversation_id, OLD.decision_id, OLD.correction_id, OLD.created_at)
    THEN
        RAISE EXCEPTION 'delivery %: what was decided to leave never changes', OLD.id USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.state IN ('sent', 'undone', 'returned') AND NEW.state <> OLD.state THEN
        RAISE EXCEPTION 'delivery %: % is final', OLD.id, OLD.state USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.fence < OLD.fence OR NEW.attempts < OLD.attempts THEN
        RAISE EXCEPTION 'delivery %: fence and attempts only grow', OLD.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER delivery_keeps_its_word BEFORE UPDATE OR DELETE ON drafts_delivery
    FOR EACH ROW EXECUTE FUNCTION drafts_delivery_keeps_its_word();

-- An attempt is written before its request and completed once, after it.
CREATE FUNCTION drafts_attempt_ends_once() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    ending text[] := ARRAY['ended_at', 'outcome', 'status', 'said'];
BEGIN
    IF TG_OP = 'DELETE' OR OLD.ended_at IS NOT NULL OR to_jsonb(NEW) - ending IS DISTINCT FROM to_jsonb(OLD) - ending THEN
        RAISE EXCEPTION 'attempt % of delivery % is written once and ends once', OLD.number, OLD.delivery_id
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER attempt_ends_once BEFORE UPDATE OR DELETE ON drafts_attempt
    FOR EACH ROW EXECUTE FUNCTION drafts_attempt_ends_once();
"""

BACKWARD = """
DROP TRIGGER attempt_ends_once ON drafts_attempt;
DROP FUNCTION drafts_attempt_ends_once();
DROP TRIGGER delivery_keeps_its_word ON drafts_delivery;
DROP FUNCTION drafts_delivery_keeps_its_word();
DROP TRIGGER correction_only_withdrawn ON drafts_correction;
DROP TRIGGER decision_only_withdrawn ON drafts_decision;
DROP FUNCTION drafts_only_withdrawn();
CREATE TRIGGER decision_never_changes BEFORE UPDATE OR DELETE ON drafts_decision
    FOR EACH ROW EXECUTE FUNCTION drafts_refuse_change();
CREATE TRIGGER correction_never_changes BEFORE UPDATE OR DELETE ON drafts_correction
    FOR EACH ROW EXECUTE FUNCTION drafts_refuse_change();
DROP TRIGGER decision_has_its_item ON drafts_decision;
CREATE CONSTRAINT TRIGGER decision_has_its_item AFTER INSERT ON drafts_decision
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION drafts_item_and_decision_agree();
DROP TRIGGER item_has_its_decision ON drafts_reviewitem;
CREATE CONSTRAINT TRIGGER item_has_its_decision AFTER INSERT OR UPDATE OF state ON drafts_reviewitem
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION drafts_item_and_decision_agree();
"""


class Migration(migrations.Migration):
    dependencies = [("drafts", "0003_leaving")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
