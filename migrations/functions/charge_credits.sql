-- For processes of the release before, until they are gone: `charge_calls` with a list for each member, and without overage.
CREATE OR REPLACE FUNCTION charge_credits(
  p_keys bytea[], p_epochs integer[], p_endpoints text[], p_costs integer[], p_allowances bigint[], p_periods date[], p_ats timestamptz[])
RETURNS TABLE (place integer, verdict text, used bigint, remaining bigint) LANGUAGE sql AS $$
  SELECT c.place, c.verdict, c.used, c.remaining
    FROM charge_calls((
      SELECT json_agg(json_build_object(
               'place', n.place, 'charge_id', gen_random_uuid(), 'again', false, 'key', encode(n.key, 'hex'), 'epoch', n.epoch,
               'subject', n.endpoint, 'cost', n.cost, 'allowance', n.allowance, 'overage', 0, 'period', n.period, 'at', n.at))
        FROM unnest(p_keys, p_epochs, p_endpoints, p_costs, p_allowances, p_periods, p_ats) WITH ORDINALITY
               AS n (key, epoch, endpoint, cost, allowance, period, at, place))) c
$$;
