-- What one customer was told, over all their conversations, for analysts and for the customer's page.
SET LOCAL ROLE countersign_ledger;
CREATE INDEX entry_customer ON ledger.entry (customer_id, recorded_at) WHERE customer_id IS NOT NULL;
SET LOCAL ROLE countersign_owner;
