-- Closes the months of the ledger before `p_before`, the first of a month, to their sums (D41). Returns the lines that it closed; 0 if it is run again.
CREATE OR REPLACE FUNCTION close_credits(p_before date) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  chunk regclass;
  closed bigint;
BEGIN
  -- Nothing is written to a month so long ago but by hand; such a line would be dropped uncounted. Charges of this month go on.
  FOR chunk IN SELECT show_chunks('credit_ledger', older_than => p_before) LOOP
    EXECUTE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', chunk);
  END LOOP;
  INSERT INTO credit_closed AS c (account_id, period, key_id, kind, subject, lines, credits, from_grants, overage, overage_plan)
  SELECT account_id, period, key_id, kind, subject, count(*), sum(credits), sum(from_grants), sum(overage), overage_plan
    FROM credit_ledger WHERE period < p_before AND credits > 0 GROUP BY account_id, period, key_id, kind, subject, overage_plan
  ON CONFLICT (account_id, period, key_id, kind, subject, overage_plan) DO UPDATE
     SET lines = c.lines + EXCLUDED.lines, credits = c.credits + EXCLUDED.credits, from_grants = c.from_grants + EXCLUDED.from_grants,
         overage = c.overage + EXCLUDED.overage;
  SELECT count(*) INTO closed FROM credit_ledger WHERE period < p_before;
  DELETE FROM credit_once WHERE period < p_before;
  -- A chunk has one month, and ends before the next begins.
  PERFORM drop_chunks('credit_ledger', older_than => p_before);
  RETURN closed;
END $$;
