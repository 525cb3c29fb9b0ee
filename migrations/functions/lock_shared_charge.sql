-- Calls of an account under one Idempotency-Key, and the returns of such, wait for each other. Before any balance is locked.
CREATE OR REPLACE FUNCTION lock_shared_charge(p_account uuid, p_name text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('shared charge ' || p_account || ' ' || p_name, 0))
$$;
