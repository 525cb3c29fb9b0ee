-- Charges the calls that an account sends under one Idempotency-Key once (D68), and records with the charge which calls went under it. `p_call`:
-- one call of `charge_calls`, with its account, `name` and `request`: digests of the key and of what is requested. It goes under a charge that
-- began after `p_since`, unless `p_most` calls did, and `joined` is then the month of that charge. Verdict `other`: the key stands for another
-- request; a call whose key changed or ended goes under no charge. A call that is sent again, because its outcome was lost, finds what it did.
CREATE OR REPLACE FUNCTION charge_shared(p_call json, p_since timestamptz, p_most integer)
RETURNS TABLE (verdict text, used bigint, overage bigint, remaining bigint, joined text) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  own uuid := p_call ->> 'charge_id';
  account uuid := p_call ->> 'account_id';
  key_name text := p_call ->> 'name';
  shared record;
  -- It was sent before, whether or not it says so.
  is_known boolean;
  refusal text;
  month date;
BEGIN
  PERFORM lock_shared_charge(account, key_name);
  SELECT * INTO shared FROM find_shared_charge(account, key_name, p_call ->> 'request', p_since, p_most, own);
  is_known := COALESCE(shared.is_known, false);
  IF shared.verdict = 'other' THEN
    verdict := 'other';
    RETURN NEXT;
    RETURN;
  END IF;
  IF shared.verdict = 'joined' THEN
    IF NOT is_known THEN
      -- `charge_calls` judges no key of a call that is recorded.
      SELECT call_refusal(k.account_id, k.revoked_at, k.expires_at, k.epoch, c.epoch, c.at) INTO refusal
        FROM json_to_record(p_call) AS c (key text, epoch integer, at timestamptz) LEFT JOIN api_keys k ON k.key_hash = decode(c.key, 'hex');
      IF refusal IS NOT NULL THEN
        verdict := refusal;
        RETURN NEXT;
        RETURN;
      END IF;
      -- It failed, and was taken back before it arrived.
      IF EXISTS (SELECT FROM credit_ledger l WHERE l.charge_id = own AND l.period = (p_call ->> 'period')::date) THEN
        RAISE unique_violation USING MESSAGE = 'the call was taken back';
      END IF;
      UPDATE shared_charges s SET sends = s.sends || own WHERE s.account_id = account AND s.name = key_name AND s.charge_id = shared.charge_id;
    END IF;
  ELSE
    INSERT INTO shared_charges AS s (account_id, name, request, charge_id, begun_at, sends)
    VALUES (account, key_name, p_call ->> 'request', own, (p_call ->> 'at')::timestamptz, ARRAY[own]) RETURNING s.charge_id, s.begun_at INTO shared;
  END IF;
  month := date_trunc('month', shared.begun_at AT TIME ZONE 'UTC')::date;
  joined := CASE WHEN shared.charge_id <> own THEN month END;
  SELECT c.verdict, c.used, c.overage, c.remaining INTO verdict, used, overage, remaining
    FROM charge_calls(json_build_array(p_call::jsonb || jsonb_build_object(
           'charge_id', shared.charge_id, 'period', month, 'at', shared.begun_at,
           'again', is_known OR joined IS NOT NULL OR (p_call ->> 'again')::boolean IS TRUE))) c;
  IF verdict <> 'charged' AND joined IS NULL THEN
    DELETE FROM shared_charges s WHERE s.account_id = account AND s.name = key_name AND s.charge_id = own;
  END IF;
  RETURN NEXT;
END $$;
