-- Closes the months of the ledger that are older than 13 months by the database's clock (D37, D41) to their sums; of them only those before `p_before`,
-- the first of a month, if it is not null. Runs as its owner, because only the owner of a table may drop a part of it. Returns the lines that it
-- closed; 0 if it is run again.
CREATE OR REPLACE FUNCTION close_credits(p_before date) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
  before date := LEAST(p_before, (date_trunc('month', now() AT TIME ZONE 'UTC') - interval '13 months')::date);
  chunk regclass;
  closed bigint;
BEGIN
  -- Nothing is written to a month so long ago but by hand; such a line would be dropped uncounted. Charges of this month go on.
  FOR chunk IN SELECT show_chunks('credit_ledger', older_than => before) LOOP
    EXECUTE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', chunk);
  END LOOP;
  IF EXISTS (SELECT FROM credit_balances WHERE period < before AND open_day IS NOT NULL) THEN
    RAISE EXCEPTION 'months before % have days that are not closed', before;
  END IF;
  INSERT INTO credit_closed AS c (account_id, period, key_id, kind, subject, lines, credits, from_grants, overage, overage_plan)
  SELECT account_id, period, key_id, kind, subject, count(*), sum(credits), sum(from_grants), sum(overage), overage_plan
    FROM credit_ledger WHERE period < before AND credits > 0 GROUP BY account_id, period, key_id, kind, subject, overage_plan
  ON CONFLICT (account_id, period, key_id, kind, subject, overage_plan) DO UPDATE
     SET lines = c.lines + EXCLUDED.lines, credits = c.credits + EXCLUDED.credits, from_grants = c.from_grants + EXCLUDED.from_grants,
         overage = c.overage + EXCLUDED.overage;
  SELECT count(*) INTO closed FROM credit_ledger WHERE period < before;
  DELETE FROM credit_once WHERE period < before;
  DELETE FROM credit_late_lines WHERE period < before;
  -- A chunk has one month, and ends before the next begins.
  PERFORM drop_chunks('credit_ledger', older_than => before);
  RETURN closed;
END $$;
REVOKE ALL ON FUNCTION close_credits(date) FROM PUBLIC;
