-- The charge under which a call of an account goes with its Idempotency-Key (D68), by the digests `p_name` of the key and `p_request` of what is
-- requested: one that began after `p_since`, or the one under which the call `p_own` went before (`is_known`). No row: the call is a charge of its
-- own. Verdict: `joined`, `other` (the key stands for another request), or `charged`, if `p_most` calls went under it and the call is a charge of its
-- own again.
CREATE OR REPLACE FUNCTION find_shared_charge(p_account uuid, p_name text, p_request text, p_since timestamptz, p_most integer, p_own uuid)
RETURNS TABLE (charge_id uuid, begun_at timestamptz, is_known boolean, verdict text) LANGUAGE sql STABLE AS $$
  SELECT s.charge_id, s.begun_at, k.is_known,
         CASE WHEN s.request <> p_request THEN 'other'
              WHEN k.is_known OR cardinality(s.sends) - cardinality(s.failed) < p_most THEN 'joined' ELSE 'charged' END
    FROM shared_charges s CROSS JOIN LATERAL (SELECT COALESCE(p_own = ANY (s.sends), false) AS is_known) k
   WHERE s.account_id = p_account AND s.name = p_name
     AND (k.is_known OR (s.begun_at > p_since AND s.begun_at < p_since + interval '2 minutes' AND cardinality(s.sends) > cardinality(s.failed)))
   -- One that has room, whatever the clocks of two processes say of their order.
   ORDER BY k.is_known DESC, cardinality(s.sends) - cardinality(s.failed) LIMIT 1
$$;
