-- Forgets customers' keys that ended before an instant, some at a time. What replaced keys were goes with the last of their id; of that the row
-- stays while a line of use names it, so that figures keep their label, under a hash that no key has. Runs as its owner: a right to write hashes
-- would be one to make any key an operator's. Returns the number of rows that it changed.
CREATE OR REPLACE FUNCTION forget_ended_keys(p_before timestamptz, p_most integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  before timestamptz := LEAST(p_before, now());
  gone integer;
  masked integer;
BEGIN
  WITH ended AS (
    SELECT key_hash FROM api_keys k
     WHERE role = 'customer' AND LEAST(revoked_at, expires_at) <= before
       AND (EXISTS (SELECT FROM api_keys newer WHERE newer.key_id = k.key_id AND newer.version > k.version)
            OR NOT is_primary AND NOT EXISTS (SELECT FROM credit_usage u WHERE u.account_id = k.account_id AND u.key_id = k.key_id)
               AND NOT EXISTS (SELECT FROM credit_closed c WHERE c.account_id = k.account_id AND c.key_id = k.key_id))
     LIMIT p_most
  )
  DELETE FROM api_keys k USING ended WHERE k.key_hash = ended.key_hash;
  GET DIAGNOSTICS gone = ROW_COUNT;
  WITH ended AS (
    SELECT key_hash FROM api_keys k
     WHERE role = 'customer' AND LEAST(revoked_at, expires_at) <= before AND octet_length(key_hash) = 32
       AND NOT EXISTS (SELECT FROM api_keys other WHERE other.key_id = k.key_id AND other.version <> k.version)
     LIMIT p_most
  )
  UPDATE api_keys k SET key_hash = uuid_send(k.key_id) FROM ended WHERE k.key_hash = ended.key_hash;
  GET DIAGNOSTICS masked = ROW_COUNT;
  RETURN gone + masked;
END $$;
REVOKE ALL ON FUNCTION forget_ended_keys(timestamptz, integer) FROM PUBLIC;
