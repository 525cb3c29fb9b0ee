-- Charges the accounts of keys for calls that were answered (`charge_accounts`), if the key still works (otherwise `revoked`) and is as it was
-- when the call was judged (otherwise `changed`). `p_calls`: a JSON array; `key` is the SHA-256 in hexadecimal.
-- In PL/pgSQL, whose session keeps the plan: a function in SQL is parsed and planned for each call. A plan that is kept may not read a table whole.
CREATE OR REPLACE FUNCTION charge_calls(p_calls json)
RETURNS TABLE (place integer, verdict text, used bigint, overage bigint, remaining bigint) LANGUAGE plpgsql
SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT * FROM charge_accounts(ARRAY(
    SELECT ROW (c.place, c.charge_id, c.again, false, k.account_id, k.key_id, k.plan, c.subject, c.cost, c.allowance, c.overage, c.period, c.at,
                call_refusal(k.account_id, k.revoked_at, k.expires_at, k.epoch, c.epoch, c.at))::credit_charge
      FROM json_to_recordset(p_calls)
             AS c (place integer, charge_id uuid, again boolean, key text, epoch integer, subject text, cost integer, allowance bigint,
                   overage bigint, period date, at timestamptz)
      -- LIMIT: by the index, however many keys there are and calls are expected.
      LEFT JOIN LATERAL (
        SELECT a.account_id, a.plan, k.key_id, k.revoked_at, k.expires_at, k.epoch
          FROM api_keys k JOIN accounts a USING (account_id) WHERE k.key_hash = decode(c.key, 'hex') LIMIT 1) k ON true));
END $$;
