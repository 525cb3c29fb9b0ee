-- A webhook may move (B 4.14): what its old URL answered says nothing of its new one.
ALTER TABLE webhooks
  -- How often its URL changed, and the last time. Null: never.
  ADD COLUMN url_changes integer NOT NULL DEFAULT 0,
  ADD COLUMN url_since timestamptz;
-- `webhooks.url_changes` as it began: which URL it was posted to.
ALTER TABLE webhook_attempts ADD COLUMN url_changes integer NOT NULL DEFAULT 0;
