-- Webhooks as their owners manage them (B 4.14, D57).

-- When its owner enabled it again: failures before that do not count towards the next five days.
ALTER TABLE webhooks ADD COLUMN enabled_at timestamptz;

-- Owners who are still to be mailed.
CREATE INDEX webhooks_to_mail ON webhooks (disabled_at) WHERE disabled_at IS NOT NULL AND disabled_mailed_at IS NULL;

-- What was answered to a range replay under an Idempotency-Key. Kept for a day.
CREATE TABLE webhook_replays (
  account_id uuid NOT NULL REFERENCES accounts,
  idempotency_key text NOT NULL,
  webhook_id text NOT NULL,
  -- Hash of what was sent.
  request text NOT NULL,
  replayed integer NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, idempotency_key)
);
CREATE INDEX webhook_replays_by_age ON webhook_replays (created_at);
