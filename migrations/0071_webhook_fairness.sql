-- Webhooks that fail or answer slowly leave room for others, and what walked all rows walks few.

-- The last success took seconds: such an endpoint gets as little room as a failing one.
ALTER TABLE webhooks ADD COLUMN lagging boolean NOT NULL DEFAULT false;

-- What waits at an endpoint is counted for each retry that finds no room there.
DROP INDEX webhook_deliveries_retrying;
CREATE INDEX webhook_deliveries_retrying ON webhook_deliveries (webhook_id, due_at) WHERE status = 'retrying';
-- It returns one column more.
DROP FUNCTION IF EXISTS take_retry(text, text[], timestamptz, interval);

-- A range replay passes by price moves, by far the most of all rows.
CREATE INDEX webhook_deliveries_replayable ON webhook_deliveries (webhook_id, created_at)
  WHERE replay_of IS NULL AND NOT test AND kind <> 'odds.change';

-- Price moves go after days, all others after weeks.
DROP INDEX events_by_age;
CREATE INDEX events_by_age ON events ((kind = 'odds.change'), written_at);
