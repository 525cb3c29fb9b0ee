-- Charges calls that were answered, each wholly or not at all, in their order; one row back for each. A call is charged if its key works and
-- has not changed since it was judged, and if the account has the credits: those of the plan (`allowance`) in the call's month first, granted
-- ones after them. Verdict: `charged`, `spent` (too few credits), `changed` or `revoked`. Balances are locked in one order, so that charges
-- never deadlock.
CREATE OR REPLACE FUNCTION charge_credits(
  p_keys bytea[], p_epochs integer[], p_endpoints text[], p_costs integer[], p_allowances bigint[], p_periods date[], p_ats timestamptz[])
RETURNS TABLE (place integer, verdict text, used bigint, remaining bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  call record;
  balance record;
  granted bigint;
  of_plan bigint;
  of_grants integer;
  accounts uuid[] := '{}';
  months date[] := '{}';
  used_now bigint[] := '{}';
  from_grants_now bigint[] := '{}';
  -- Place of the locked balance in these lists.
  n integer := 0;
  charged integer[] := '{}';
  parts integer[] := '{}';
BEGIN
  FOR call IN
    SELECT c.place::integer AS place, c.epoch, c.cost, c.allowance, c.period, k.account_id, k.epoch AS epoch_now,
           k.key_hash IS NULL OR k.revoked_at IS NOT NULL OR COALESCE(k.expires_at <= c.at, false) AS revoked
      FROM unnest(p_keys, p_epochs, p_costs, p_allowances, p_periods, p_ats) WITH ORDINALITY
             AS c (key_hash, epoch, cost, allowance, period, at, place)
      LEFT JOIN api_keys k ON k.key_hash = c.key_hash
     ORDER BY k.account_id, c.period, c.place
  LOOP
    place := call.place;
    used := NULL;
    remaining := NULL;
    IF call.revoked OR call.epoch_now <> call.epoch THEN
      verdict := CASE WHEN call.revoked THEN 'revoked' ELSE 'changed' END;
      RETURN NEXT;
      CONTINUE;
    END IF;
    IF n = 0 OR accounts[n] <> call.account_id OR months[n] <> call.period THEN
      INSERT INTO credit_balances (account_id, period) VALUES (call.account_id, call.period) ON CONFLICT DO NOTHING;
      SELECT b.used, b.from_grants INTO balance FROM credit_balances b
       WHERE b.account_id = call.account_id AND b.period = call.period FOR UPDATE;
      SELECT g.remaining INTO granted FROM credit_grants g WHERE g.account_id = call.account_id FOR UPDATE;
      n := n + 1;
      accounts[n] := call.account_id;
      months[n] := call.period;
      used_now[n] := balance.used;
      from_grants_now[n] := balance.from_grants;
    END IF;
    of_plan := greatest(0, call.allowance - (used_now[n] - from_grants_now[n]));
    IF call.cost > of_plan + COALESCE(granted, 0) THEN
      verdict := 'spent';
    ELSE
      verdict := 'charged';
      of_grants := greatest(0, call.cost - of_plan);
      IF of_grants > 0 THEN
        granted := granted - of_grants;
        UPDATE credit_grants g SET remaining = granted WHERE g.account_id = call.account_id;
      END IF;
      used_now[n] := used_now[n] + call.cost;
      from_grants_now[n] := from_grants_now[n] + of_grants;
      of_plan := of_plan - (call.cost - of_grants);
      charged := charged || call.place;
      parts := parts || of_grants;
    END IF;
    used := used_now[n];
    remaining := of_plan + COALESCE(granted, 0);
    RETURN NEXT;
  END LOOP;
  IF charged = '{}' THEN RETURN; END IF;
  UPDATE credit_balances b SET used = c.used, from_grants = c.from_grants
    FROM unnest(accounts, months, used_now, from_grants_now) AS c (account_id, period, used, from_grants)
   WHERE b.account_id = c.account_id AND b.period = c.period AND b.used <> c.used;
  WITH lines AS (
    INSERT INTO credit_ledger (period, at, account_id, kind, key_id, subject, credits, from_grants)
    SELECT p_periods[c.place], p_ats[c.place], k.account_id, 'charge', k.key_id, p_endpoints[c.place], p_costs[c.place], c.part
      FROM unnest(charged, parts) AS c (place, part) JOIN api_keys k ON k.key_hash = p_keys[c.place]
    RETURNING *
  )
  -- Under the lock of the balance, so in the same order.
  INSERT INTO credit_usage AS u (account_id, day, key_id, subject, calls, credits, last_at)
  SELECT account_id, (at AT TIME ZONE 'UTC')::date, key_id, subject, count(*), sum(credits), max(at) FROM lines GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (account_id, day, key_id, subject) DO UPDATE
     SET calls = u.calls + EXCLUDED.calls, credits = u.credits + EXCLUDED.credits, last_at = greatest(u.last_at, EXCLUDED.last_at);
END $$;
