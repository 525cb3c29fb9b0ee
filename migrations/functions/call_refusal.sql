-- Why a call is not charged, by its key: the key has ended or there is none (`revoked`), or it has changed since the call was judged (`changed`).
-- Null: it is charged. Part of the query that calls it, so that it costs nothing by itself.
CREATE OR REPLACE FUNCTION call_refusal(p_key_account uuid, p_revoked_at timestamptz, p_expires_at timestamptz, p_epoch integer, p_judged_by integer,
  p_at timestamptz)
RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_key_account IS NULL OR p_revoked_at IS NOT NULL OR p_expires_at <= p_at THEN 'revoked' WHEN p_epoch <> p_judged_by THEN 'changed' END
$$;
