-- Gives an account credits beyond its allowance (D39). Changes its keys, by a column that the API may write, so that every process that
-- remembers the account as spent asks again.
CREATE OR REPLACE FUNCTION grant_credits(p_account uuid, p_credits integer, p_reason text, p_period date, p_at timestamptz)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  total bigint;
  -- After the last closed day, if that is later (`credit_days`).
  at timestamptz;
BEGIN
  -- Its keys change, and every change of keys locks the account first.
  PERFORM FROM accounts WHERE account_id = p_account FOR NO KEY UPDATE;
  INSERT INTO credit_grants AS g (account_id, remaining) VALUES (p_account, p_credits)
  ON CONFLICT (account_id) DO UPDATE SET remaining = g.remaining + p_credits
  RETURNING remaining INTO total;
  INSERT INTO credit_balances (account_id, period) VALUES (p_account, p_period) ON CONFLICT DO NOTHING;
  SELECT greatest(p_at, (b.closed_day + 1)::timestamp AT TIME ZONE 'UTC') INTO at
    FROM credit_balances b WHERE b.account_id = p_account AND b.period = p_period FOR UPDATE;
  UPDATE credit_balances b SET open_day = least(b.open_day, (at AT TIME ZONE 'UTC')::date) WHERE b.account_id = p_account AND b.period = p_period;
  INSERT INTO credit_ledger (period, at, account_id, kind, subject, credits) VALUES (p_period, at, p_account, 'grant', p_reason, p_credits);
  UPDATE api_keys SET label = label WHERE account_id = p_account;
  RETURN total;
END $$;
