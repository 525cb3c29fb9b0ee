-- Whether its events named one of the account once: from then on only the primary key manages it and reads its deliveries.
ALTER TABLE webhooks ADD COLUMN IF NOT EXISTS primary_only boolean NOT NULL DEFAULT false;
