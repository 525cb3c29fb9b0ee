-- Trigger on race_runners: every name that a runner has had on a card, and what became of it. A name that goes or changes its number takes its
-- prices with it, so `changes` (A 2.8) must report it.
CREATE OR REPLACE FUNCTION write_race_names() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
  id uuid;
  at timestamptz;
BEGIN
  IF TG_OP = 'DELETE' THEN
    SELECT array_agg(DISTINCT race_id) INTO ids FROM was;
  ELSE
    SELECT array_agg(DISTINCT race_id) INTO ids FROM written;
  END IF;
  IF ids IS NULL THEN
    RETURN NULL;
  END IF;
  UPDATE race_names n SET state = 'gone', again = true, listed = n.listed OR n.state = 'running', written_at = clock_timestamp()
   WHERE n.race_id = ANY (ids) AND n.state <> 'gone'
     AND NOT EXISTS (SELECT FROM race_runners u WHERE u.race_id = n.race_id AND u.name = n.name);
  INSERT INTO race_names AS stored (race_id, name, number, state, listed, written_at)
  SELECT DISTINCT ON (race_id, name) race_id, name, number, CASE WHEN scratched THEN 'scratched' ELSE 'running' END, NOT scratched,
         clock_timestamp()
    FROM race_runners WHERE race_id = ANY (ids)
   ORDER BY race_id, name, scratched, number
  ON CONFLICT (race_id, name) DO UPDATE
     SET number = EXCLUDED.number, state = EXCLUDED.state, again = true, written_at = EXCLUDED.written_at,
         listed = stored.listed OR stored.state = 'running' OR EXCLUDED.listed
   WHERE (stored.number, stored.state) IS DISTINCT FROM (EXCLUDED.number, EXCLUDED.state);
  -- Always: the details of a scratching may have changed.
  UPDATE races SET written_at = clock_timestamp() WHERE race_id = ANY (ids);
  FOR id, at IN SELECT u.race_id, max(u.updated_at) FROM race_runners u WHERE u.race_id = ANY (ids) GROUP BY 1 ORDER BY 1 LOOP
    PERFORM announce_odds_open(id, at);
    PERFORM announce_scratchings(id);
  END LOOP;
  RETURN NULL;
END $$;
