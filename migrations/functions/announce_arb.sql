-- Announces an arb on a match, once for ever for each key (D31, D59), in the transaction of the prices that make it.
CREATE OR REPLACE FUNCTION announce_arb(p_key text, p_sport text, p_at timestamptz, p_facts jsonb)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  id text;
BEGIN
  INSERT INTO event_keys (key, event_id) VALUES (p_key, 'evt_' || replace(gen_random_uuid()::text, '-', ''))
  ON CONFLICT DO NOTHING RETURNING event_id INTO id;
  IF id IS NULL THEN
    RETURN false;
  END IF;
  INSERT INTO events (event_id, kind, category, occurred_at, facts) VALUES (id, 'arb.opportunity', p_sport, p_at, p_facts);
  RETURN true;
END $$;
