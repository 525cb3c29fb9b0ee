-- Charges accounts, each call wholly or not at all, in their order; one row back for each. Used are first the credits of the plan in the call's
-- month (`allowance`), then granted ones, then `overage`. Verdict: `charged`, `spent` (too few credits), or the call's own refusal. A call that
-- is already recorded is `charged` and changes nothing. Balances are locked in one order, so that charges never deadlock.
CREATE OR REPLACE FUNCTION charge_accounts(p_calls credit_charge[])
RETURNS TABLE (place integer, verdict text, used bigint, overage bigint, remaining bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  call credit_charge;
  balance credit_balances;
  granted bigint := 0;
  of_plan bigint;
  of_overage bigint;
  grants_part integer;
  overage_part integer;
  balances credit_balances[] := '{}';
  -- Place of the locked balance in this list.
  n integer := 0;
  charged integer[] := '{}';
  once uuid[] := '{}';
  grants_parts integer[] := '{}';
  overage_parts integer[] := '{}';
  -- The day that a line counts on (`credit_days`): that of its instant, or the first that is not closed.
  day date;
  is_late boolean := false;
  days date[] := '{}';
BEGIN
  FOR call IN SELECT * FROM unnest(p_calls) c ORDER BY c.account_id, c.period, c.place LOOP
    place := call.place;
    used := NULL;
    overage := NULL;
    remaining := NULL;
    IF call.account_id IS NULL OR (call.refusal IS NOT NULL AND NOT call.again) THEN
      verdict := call.refusal;
      RETURN NEXT;
      CONTINUE;
    END IF;
    IF n = 0 OR balance.account_id <> call.account_id THEN
      SELECT g.remaining INTO granted FROM credit_grants g WHERE g.account_id = call.account_id FOR UPDATE;
      granted := COALESCE(granted, 0);
    END IF;
    IF n = 0 OR balance.account_id <> call.account_id OR balance.period <> call.period THEN
      SELECT * INTO balance FROM credit_balances b WHERE b.account_id = call.account_id AND b.period = call.period FOR UPDATE;
      IF NOT FOUND THEN
        INSERT INTO credit_balances (account_id, period) VALUES (call.account_id, call.period) ON CONFLICT DO NOTHING;
        SELECT * INTO balance FROM credit_balances b WHERE b.account_id = call.account_id AND b.period = call.period FOR UPDATE;
      END IF;
      n := n + 1;
      balances[n] := balance;
    END IF;
    of_plan := greatest(0, call.allowance - (balance.used - balance.from_grants - balance.overage));
    of_overage := greatest(0, call.overage - balance.overage);
    IF call.charge_id = ANY (once)
       OR (call.again AND EXISTS (SELECT FROM credit_ledger l WHERE l.charge_id = call.charge_id AND l.period = call.period AND l.kind = 'charge'))
       OR (call.once AND EXISTS (SELECT FROM credit_once o WHERE o.charge_id = call.charge_id)) THEN
      verdict := 'charged';
    ELSIF call.refusal IS NOT NULL THEN
      verdict := call.refusal;
      RETURN NEXT;
      CONTINUE;
    ELSIF call.cost > of_plan + granted + of_overage THEN
      verdict := 'spent';
    ELSE
      verdict := 'charged';
      grants_part := least(granted, greatest(0, call.cost - of_plan));
      overage_part := greatest(0, call.cost - of_plan - grants_part);
      IF grants_part > 0 THEN
        granted := granted - grants_part;
        UPDATE credit_grants g SET remaining = granted WHERE g.account_id = call.account_id;
      END IF;
      balance.used := balance.used + call.cost;
      balance.from_grants := balance.from_grants + grants_part;
      balance.overage := balance.overage + overage_part;
      day := greatest((call.at AT TIME ZONE 'UTC')::date, call.period, balance.closed_day + 1);
      is_late := is_late OR day > (call.at AT TIME ZONE 'UTC')::date;
      balance.open_day := least(balance.open_day, day);
      balances[n] := balance;
      of_plan := of_plan - (call.cost - grants_part - overage_part);
      of_overage := of_overage - overage_part;
      charged := charged || call.place;
      days := days || day;
      IF call.once THEN once := once || call.charge_id; END IF;
      grants_parts := grants_parts || grants_part;
      overage_parts := overage_parts || overage_part;
    END IF;
    used := balance.used;
    overage := balance.overage;
    remaining := of_plan + granted + of_overage;
    RETURN NEXT;
  END LOOP;
  IF cardinality(charged) = 0 THEN RETURN; END IF;
  UPDATE credit_balances b SET used = c.used, from_grants = c.from_grants, overage = c.overage, open_day = c.open_day
    FROM unnest(balances) c
   WHERE b.account_id = c.account_id AND b.period = c.period AND b.used <> c.used;
  INSERT INTO credit_once (charge_id, period) SELECT c.charge_id, c.period FROM unnest(p_calls) c WHERE c.once AND c.place = ANY (charged);
  IF is_late THEN
    INSERT INTO credit_late_lines (account_id, period, day, charge_id)
    SELECT c.account_id, c.period, d.day, c.charge_id
      FROM unnest(p_calls) c JOIN unnest(charged, days) AS d (place, day) USING (place) WHERE d.day > (c.at AT TIME ZONE 'UTC')::date;
  END IF;
  WITH lines AS (
    INSERT INTO credit_ledger (period, at, account_id, kind, key_id, subject, credits, from_grants, charge_id, overage, overage_plan)
    SELECT c.period, c.at, c.account_id, 'charge', c.key_id, c.subject, c.cost, p.grants_part, c.charge_id, p.overage_part,
           CASE WHEN p.overage_part > 0 THEN c.plan END
      FROM unnest(p_calls) c JOIN unnest(charged, grants_parts, overage_parts) AS p (place, grants_part, overage_part) USING (place)
    RETURNING *
  )
  -- Under the lock of the balance, so in the same order.
  INSERT INTO credit_usage AS u (account_id, day, key_id, subject, calls, credits, last_at)
  SELECT account_id, (at AT TIME ZONE 'UTC')::date, key_id, subject, count(*), sum(credits), max(at) FROM lines GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (account_id, day, key_id, subject) DO UPDATE
     SET calls = u.calls + EXCLUDED.calls, credits = u.credits + EXCLUDED.credits, last_at = greatest(u.last_at, EXCLUDED.last_at);
END $$;
