-- Price alerts: an owner is mailed once, when a runner pays at least a price. A level that is compared every few seconds: what was true in between is
-- not mailed. An alert is open until its price is reached or it ends.
CREATE TABLE IF NOT EXISTS price_alerts (
  alert_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  account_id uuid NOT NULL REFERENCES accounts,
  race_id uuid NOT NULL,
  -- The folded name decides: a number that changes hands is another runner. Number and name are those of the card when it was made.
  runner_key text NOT NULL CHECK (runner_key <> ''),
  runner_number smallint NOT NULL,
  runner_name text NOT NULL,
  market text NOT NULL CHECK (market IN ('win', 'place')),
  -- As prices of books are stored, so that an equal price is equal.
  at_least double precision NOT NULL CHECK (at_least > 1),
  created_at timestamptz NOT NULL,
  -- When the price was seen (wall), with the price, its book and the instant of that book's poll (race time).
  reached_at timestamptz,
  price double precision CHECK (price >= at_least),
  bookmaker_key text,
  polled_at timestamptz,
  -- Its mail. Null although the price was reached: the account had the mails of the day.
  mail_id uuid,
  ended_at timestamptz,
  end_reason text CHECK (end_reason IN ('jumped', 'abandoned', 'scratched', 'gone', 'stopped')),
  -- One that its race ended waits again if the race is ahead again; never once the owner has stopped all.
  reopens boolean NOT NULL DEFAULT true,
  -- A form that is sent again makes no second alert.
  UNIQUE (account_id, race_id, runner_key, market, at_least),
  CHECK (num_nulls(reached_at, price, bookmaker_key, polled_at) IN (0, 4)),
  CHECK (mail_id IS NULL OR reached_at IS NOT NULL),
  CHECK ((ended_at IS NULL) = (end_reason IS NULL)),
  CHECK (reached_at IS NULL OR ended_at IS NULL),
  CHECK (end_reason <> 'stopped' OR NOT reopens)
);
CREATE INDEX IF NOT EXISTS price_alerts_open ON price_alerts (race_id) WHERE reached_at IS NULL AND ended_at IS NULL;
CREATE INDEX IF NOT EXISTS price_alerts_reopen ON price_alerts (race_id) WHERE ended_at IS NOT NULL AND reopens;
-- What is done is deleted after some days.
CREATE INDEX IF NOT EXISTS price_alerts_done ON price_alerts ((COALESCE(reached_at, ended_at))) WHERE COALESCE(reached_at, ended_at) IS NOT NULL;
CREATE OR REPLACE TRIGGER alert_of_open_account BEFORE INSERT ON price_alerts FOR EACH ROW EXECUTE FUNCTION account_is_open();

-- How many alerts were mailed to an account in a day (AET): a bound, which a deleted alert does not give back.
CREATE TABLE IF NOT EXISTS price_alert_days (
  account_id uuid NOT NULL REFERENCES accounts,
  day date NOT NULL,
  mails integer NOT NULL CHECK (mails > 0),
  PRIMARY KEY (account_id, day)
);
