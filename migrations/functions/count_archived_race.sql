-- Counts the rows of an archived race again and brings the days up to date by the difference. Called at the end of each transaction that writes
-- rows of the race. Days are locked in one order, so that two races of a day never deadlock. Runs as its
-- owner, as all that counts the archive does: no process writes counts itself.
CREATE OR REPLACE FUNCTION count_archived_race(p_race uuid) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  race archived_races;
BEGIN
  SELECT * INTO STRICT race FROM archived_races WHERE race_id = p_race;
  DELETE FROM archived_counts WHERE race_id = p_race;
  INSERT INTO archived_counts (race_id, what, series, closing, baseline, split, fragment, scratched, n)
  SELECT p_race, c.what, c.series, c.closing, c.baseline, race.venue_split_suspect, u.name_fragment_suspect, u.scratched, sum(c.n)
    FROM (SELECT 'line' AS what, runner, bookmaker_key AS series, is_closing_line AS closing, open_is_baseline AS baseline, count(*) AS n
            FROM archived_closing_lines WHERE start_time = race.start_time AND race_id = p_race GROUP BY 1, 2, 3, 4, 5
          UNION ALL
          SELECT 'path', runner, bookmaker_key, false, false, count(*)
            FROM archived_price_paths WHERE start_time = race.start_time AND race_id = p_race GROUP BY 1, 2, 3
          UNION ALL
          SELECT 'summary', runner, signal, false, false, count(*)
            FROM archived_summaries WHERE start_time = race.start_time AND race_id = p_race GROUP BY 1, 2, 3) c
    JOIN archived_runners u ON u.race_id = p_race AND u.runner = c.runner
   GROUP BY c.what, c.series, c.closing, c.baseline, u.name_fragment_suspect, u.scratched;
  PERFORM add_archived_day(p_race, 1);
END $$;
REVOKE ALL ON FUNCTION count_archived_race(uuid) FROM PUBLIC;
