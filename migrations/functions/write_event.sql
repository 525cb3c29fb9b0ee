-- Writes an event for the webhooks, once for ever for each key (D59), in the transaction of its fact. `p_race`: null for an event of an
-- account, or of a match, whose sport is `p_category`. False: it was written before.
CREATE OR REPLACE FUNCTION write_event(
  p_key text, p_kind text, p_race races, p_account uuid, p_at timestamptz, p_facts jsonb, p_category text DEFAULT NULL)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  id text;
BEGIN
  INSERT INTO event_keys (key, event_id) VALUES (p_key, 'evt_' || replace(gen_random_uuid()::text, '-', ''))
  ON CONFLICT DO NOTHING RETURNING event_id INTO id;
  IF id IS NULL THEN
    RETURN false;
  END IF;
  IF p_race.race_id IS NOT NULL THEN
    p_facts := p_facts || jsonb_build_object(
      'race_id', p_race.race_id, 'venue', p_race.venue, 'race_number', p_race.race_number, 'category', p_race.category,
      'country', p_race.country, 'start_time', instant_text(p_race.start_time));
  END IF;
  INSERT INTO events (event_id, kind, race_id, category, country, account_id, occurred_at, facts)
  VALUES (id, p_kind, p_race.race_id, coalesce(p_race.category, p_category), p_race.country, p_account, p_at, p_facts);
  RETURN true;
END $$;
