-- Charges a version of a file once per account (D47), and records with the charge who paid: both are committed, or neither. `p_call`: one call of
-- `charge_calls`, with its account and `download`, the version's name. It goes under the charge of a download that began after `p_since`, and
-- `joined` is then the month of that charge. A download whose charge is refused is begun anew by the next call.
CREATE OR REPLACE FUNCTION charge_download(p_call json, p_since timestamptz)
RETURNS TABLE (verdict text, used bigint, overage bigint, remaining bigint, joined text) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  own uuid := p_call ->> 'charge_id';
  account uuid := p_call ->> 'account_id';
  begun bulk_downloads;
  month date;
BEGIN
  -- Waits for a charge of the same download that is under way. The charge that is sent again joins nothing.
  INSERT INTO bulk_downloads AS d (account_id, name, charge_id, begun_at)
  VALUES (account, p_call ->> 'download', own, (p_call ->> 'at')::timestamptz)
  ON CONFLICT (account_id, name) DO UPDATE SET
    charge_id = CASE WHEN d.begun_at > p_since THEN d.charge_id ELSE EXCLUDED.charge_id END,
    begun_at = CASE WHEN d.begun_at > p_since THEN d.begun_at ELSE EXCLUDED.begun_at END,
    shared = d.begun_at > p_since AND (d.shared OR d.charge_id <> EXCLUDED.charge_id)
  RETURNING * INTO begun;
  month := date_trunc('month', begun.begun_at AT TIME ZONE 'UTC')::date;
  joined := CASE WHEN begun.charge_id <> own THEN month END;
  -- The release before records a download first and charges it then: such a charge may be missing, and is made here.
  SELECT c.verdict, c.used, c.overage, c.remaining INTO verdict, used, overage, remaining
    FROM charge_calls(json_build_array(p_call::jsonb || jsonb_build_object(
           'charge_id', begun.charge_id, 'period', month, 'at', begun.begun_at,
           'again', joined IS NOT NULL OR (p_call ->> 'again')::boolean IS TRUE))) c;
  IF verdict <> 'charged' AND joined IS NULL THEN
    -- The API may not delete.
    UPDATE bulk_downloads SET begun_at = '-infinity' WHERE account_id = account AND name = begun.name;
  END IF;
  RETURN NEXT;
END $$;
