-- Announces runners of the race that are out and were listed as running before, by whichever spelling of the name. Not while the race is
-- off the board or its country is unknown: then it is announced when the race comes into view. Never of a race that was over when the
-- scratching was learnt (D63).
CREATE OR REPLACE FUNCTION announce_scratchings(p_race uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  race races;
  runner race_runners;
  names text[];
BEGIN
  IF NOT EXISTS (SELECT FROM race_names WHERE race_id = p_race AND listed AND state <> 'running') THEN
    RETURN;
  END IF;
  SELECT r.* INTO race FROM races r WHERE r.race_id = p_race;
  IF race.country IS NULL OR race.left_board_at IS NOT NULL THEN
    RETURN;
  END IF;
  FOR runner IN SELECT u.* FROM race_runners u WHERE u.race_id = p_race AND u.scratched ORDER BY u.number LOOP
    SELECT array_agg(n.name) INTO names FROM race_names n
     WHERE n.race_id = p_race AND n.listed AND n.state <> 'running' AND fold_runner_name(n.name) = runner.runner_key;
    CONTINUE WHEN names IS NULL OR race_state_of(race, runner.updated_at) = 'over';
    PERFORM write_event(
      format('race.scratching %s %s %s', p_race, runner.runner_key, instant_text(COALESCE(runner.scratched_at, runner.updated_at))),
      'race.scratching', race, NULL, runner.updated_at,
      jsonb_build_object('scratching', jsonb_build_object(
        'name', runner.name, 'number', runner.number,
        -- As the reads have it: not outside Australia and New Zealand.
        'barrier', CASE WHEN race.country IN ('AU', 'NZ') THEN runner.barrier END,
        'scratched_at', instant_text(runner.scratched_at), 'late', runner.late, 'emergency', runner.emergency)));
    UPDATE race_names n SET listed = false WHERE n.race_id = p_race AND n.name = ANY (names);
  END LOOP;
END $$;
