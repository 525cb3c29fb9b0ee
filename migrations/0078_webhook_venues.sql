-- A webhook may want the events of some venues only: names in any spelling of a feed, as they were sent. Empty: all.
ALTER TABLE webhooks ADD COLUMN venues text[] NOT NULL DEFAULT '{}';
