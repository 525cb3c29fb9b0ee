-- Outside a transaction.
-- A delivered form is stored once, under its hash, and compressed: the same page goes to many jobs. A delivery writes it to its row, as before, and the
-- sweep of jobs moves it here once no process of the release before is left, which does not know this table (`rights-after-rollout.sql`).
CREATE TABLE IF NOT EXISTS backfill_forms (
  -- SHA-256 of the form as JSON.
  hash bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
  -- The same with gzip.
  form bytea NOT NULL
);
ALTER TABLE backfill_forms ALTER form SET STORAGE EXTERNAL;
ALTER TABLE backfill_items ADD COLUMN IF NOT EXISTS form_hash bytea;
ALTER TABLE backfill_items DROP CONSTRAINT IF EXISTS backfill_items_form_stored;
-- No form goes that a row has.
ALTER TABLE backfill_items ADD CONSTRAINT backfill_items_form_stored FOREIGN KEY (form_hash) REFERENCES backfill_forms NOT VALID;
ALTER TABLE backfill_items VALIDATE CONSTRAINT backfill_items_form_stored;
ALTER TABLE backfill_items DROP CONSTRAINT IF EXISTS backfill_items_has_form;
ALTER TABLE backfill_items ADD CONSTRAINT backfill_items_has_form
  CHECK (num_nonnulls(form, form_hash) = (state = 'done')::integer AND (state = 'done') = (fetched_at IS NOT NULL)) NOT VALID;
ALTER TABLE backfill_items VALIDATE CONSTRAINT backfill_items_has_form;
ALTER TABLE backfill_items DROP CONSTRAINT IF EXISTS backfill_items_check1;
DROP INDEX CONCURRENTLY IF EXISTS backfill_items_to_store;
CREATE INDEX CONCURRENTLY backfill_items_to_store ON backfill_items (job_id, place) WHERE form IS NOT NULL;
