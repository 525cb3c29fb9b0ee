-- Takes charges back whose calls failed (D7), whether they were recorded or not: one that arrives after its return is kept out. What was used
-- last is returned first: overage, then grants; of overage only what was charged under one plan, the charge's own or that of the last use, at
-- whose price it is billed. Once each, however often it is called. `p_calls`: a JSON array with the account, the month and
-- what a line of the ledger says of the charge; `download`, of a part of a file, is its version: the charge stays if another part went under it,
-- otherwise the download ends with it (D47). `shared`, of a call under an Idempotency-Key, is its name: the charge under which it went is taken
-- back when all calls under it are (D68).
CREATE OR REPLACE FUNCTION return_credits(p_calls json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  call record;
  line credit_ledger;
  balance credit_balances;
  overage_part integer;
  overage_left bigint;
  grants_part integer;
  -- The day that the line counts on.
  day date;
  is_shared boolean;
  stay uuid[] := '{}';
  shared shared_charges;
  -- Calls that stand for a charge of another one.
  those uuid[] := '{}';
  charges uuid[] := '{}';
  months date[] := '{}';
BEGIN
  -- Before any balance is locked, as in `charge_download`. A row is written where there is none: a charge that arrives now waits for it.
  FOR call IN
    SELECT c.* FROM json_to_recordset(p_calls) AS c (charge_id uuid, account_id uuid, download text)
     WHERE c.download IS NOT NULL ORDER BY c.account_id, c.download
  LOOP
    INSERT INTO bulk_downloads AS d (account_id, name, charge_id, begun_at)
    VALUES (call.account_id, call.download, call.charge_id, '-infinity')
    ON CONFLICT (account_id, name) DO UPDATE
       SET begun_at = CASE WHEN d.charge_id = EXCLUDED.charge_id AND NOT d.shared THEN '-infinity' ELSE d.begun_at END
    RETURNING d.charge_id = call.charge_id AND d.shared INTO is_shared;
    IF is_shared THEN stay := stay || call.charge_id; END IF;
  END LOOP;
  FOR call IN
    SELECT c.* FROM json_to_recordset(p_calls) AS c (charge_id uuid, account_id uuid, shared text)
     WHERE c.shared IS NOT NULL ORDER BY c.account_id, c.shared, c.charge_id
  LOOP
    PERFORM lock_shared_charge(call.account_id, call.shared);
    UPDATE shared_charges s SET failed = CASE WHEN call.charge_id = ANY (s.failed) THEN s.failed ELSE s.failed || call.charge_id END
     WHERE s.account_id = call.account_id AND s.name = call.shared AND call.charge_id = ANY (s.sends) RETURNING * INTO shared;
    CONTINUE WHEN NOT FOUND;
    IF cardinality(shared.sends) > cardinality(shared.failed) THEN
      stay := stay || call.charge_id;
    ELSE
      those := those || call.charge_id;
      charges := charges || shared.charge_id;
      months := months || date_trunc('month', shared.begun_at AT TIME ZONE 'UTC')::date;
    END IF;
  END LOOP;
  FOR call IN
    SELECT COALESCE(s.charge, c.charge_id) AS charge_id, c.account_id, c.key_id, c.subject, COALESCE(s.month, c.period) AS period, c.at,
           return_id(COALESCE(s.charge, c.charge_id)) AS return_id
      FROM json_to_recordset(p_calls) AS c (charge_id uuid, account_id uuid, key_id uuid, subject text, period date, at timestamptz)
      LEFT JOIN unnest(those, charges, months) AS s (call, charge, month) ON s.call = c.charge_id
     WHERE c.charge_id <> ALL (stay)
     ORDER BY c.account_id, 5, 1
  LOOP
    PERFORM FROM credit_grants g WHERE g.account_id = call.account_id FOR UPDATE;
    INSERT INTO credit_balances (account_id, period) VALUES (call.account_id, call.period) ON CONFLICT DO NOTHING;
    SELECT * INTO balance FROM credit_balances b WHERE b.account_id = call.account_id AND b.period = call.period FOR UPDATE;
    SELECT * INTO line FROM credit_ledger l WHERE l.charge_id = call.charge_id AND l.period = call.period;
    IF line.kind IS NULL THEN
      INSERT INTO credit_ledger (period, at, account_id, kind, key_id, subject, credits, charge_id)
      VALUES (call.period, call.at, call.account_id, 'return', call.key_id, call.subject, 0, call.charge_id);
    ELSIF line.kind = 'charge'
      AND NOT EXISTS (SELECT FROM credit_ledger l WHERE l.charge_id = call.return_id AND l.period = call.period) THEN
      overage_part := 0;
      IF balance.overage > 0 THEN
        SELECT l.overage_plan, sum(CASE l.kind WHEN 'return' THEN -l.overage ELSE l.overage END) INTO line.overage_plan, overage_left
          FROM credit_ledger l WHERE l.account_id = line.account_id AND l.period = line.period AND l.overage > 0
         GROUP BY 1 HAVING sum(CASE l.kind WHEN 'return' THEN -l.overage ELSE l.overage END) > 0
         ORDER BY (l.overage_plan = line.overage_plan) DESC NULLS LAST, max(l.at) FILTER (WHERE l.kind = 'charge') DESC LIMIT 1;
        overage_part := least(line.credits, COALESCE(overage_left, 0));
      END IF;
      grants_part := least(line.credits - overage_part, balance.from_grants);
      -- With the instant of its charge, so that the sums of a day add up.
      INSERT INTO credit_ledger (period, at, account_id, kind, key_id, subject, credits, from_grants, charge_id, overage, overage_plan)
      SELECT line.period, line.at, line.account_id, 'return', line.key_id, line.subject, line.credits, grants_part, call.return_id, overage_part,
             CASE WHEN overage_part > 0 THEN line.overage_plan END;
      day := greatest((line.at AT TIME ZONE 'UTC')::date, line.period, balance.closed_day + 1);
      IF day > (line.at AT TIME ZONE 'UTC')::date THEN
        INSERT INTO credit_late_lines (account_id, period, day, charge_id) VALUES (line.account_id, line.period, day, call.return_id);
      END IF;
      UPDATE credit_balances b SET used = b.used - line.credits, from_grants = b.from_grants - grants_part, overage = b.overage - overage_part,
             open_day = least(b.open_day, day)
       WHERE b.account_id = call.account_id AND b.period = call.period;
      UPDATE credit_grants g SET remaining = g.remaining + grants_part WHERE g.account_id = call.account_id AND grants_part > 0;
      UPDATE credit_usage u SET calls = u.calls - 1, credits = u.credits - line.credits
       WHERE u.account_id = line.account_id AND u.day = (line.at AT TIME ZONE 'UTC')::date AND u.key_id = line.key_id AND u.subject = line.subject;
    END IF;
  END LOOP;
END $$;
