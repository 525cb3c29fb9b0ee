-- Adds the counts of an archived race to its day and to the totals, or takes them away (p_sign -1) before its rows change. One
-- transaction at a time from its first call on: a race takes away its old counts and adds its new ones, and two could wait for each other's days, months
-- or totals. Runs as its owner (`count_archived_race`).
CREATE OR REPLACE FUNCTION add_archived_day(p_race uuid, p_sign integer) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7205231261);
  INSERT INTO archived_day_counts AS day (start_day, category, country, resulted, what, series, closing, baseline, split, fragment, scratched, n)
  SELECT r.start_day, r.category, COALESCE(r.country, ''), r.result_status IS NOT NULL, c.what, s.series, c.closing, c.baseline, c.split,
         c.fragment, c.scratched, p_sign * sum(c.n)
    FROM archived_races r JOIN archived_counts c USING (race_id) CROSS JOIN LATERAL (VALUES (c.series), ('')) AS s (series)
   WHERE r.race_id = p_race
   GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
   ORDER BY 5, 6, 1, 2, 3, 4, 7, 8, 9, 10, 11
  ON CONFLICT (what, series, start_day, category, country, resulted, closing, baseline, split, fragment, scratched)
  DO UPDATE SET n = day.n + EXCLUDED.n;
  INSERT INTO archived_days AS day (start_day, category, country, outcome, has_lines, resulted, races)
  SELECT r.start_day, r.category, COALESCE(r.country, ''), r.outcome,
         EXISTS (SELECT FROM archived_counts c WHERE c.race_id = p_race AND c.what = 'line'), r.result_status IS NOT NULL, p_sign
    FROM archived_races r WHERE r.race_id = p_race
  ON CONFLICT (start_day, category, country, outcome, has_lines, resulted) DO UPDATE SET races = day.races + EXCLUDED.races;
  INSERT INTO archived_totals AS total (what, series, category, country, resulted, closing, baseline, split, fragment, scratched, n)
  SELECT what, series, category, country, resulted, closing, baseline, split, fragment, scratched, p_sign * n
    FROM (SELECT c.what, c.series, r.category, COALESCE(r.country, '') AS country, r.result_status IS NOT NULL AS resulted, c.closing, c.baseline,
                 c.split, c.fragment, c.scratched, c.n::bigint
            FROM archived_races r JOIN archived_counts c USING (race_id) WHERE r.race_id = p_race
          UNION ALL
          SELECT 'race', r.outcome, r.category, COALESCE(r.country, ''), r.result_status IS NOT NULL,
                 EXISTS (SELECT FROM archived_counts c WHERE c.race_id = p_race AND c.what = 'line'), false, false, false, false, 1
            FROM archived_races r WHERE r.race_id = p_race) t
   ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
  ON CONFLICT (what, series, category, country, resulted, closing, baseline, split, fragment, scratched) DO UPDATE SET n = total.n + EXCLUDED.n;
  INSERT INTO archived_day_marks AS day (start_day, category, bookmaker_key, minutes, races, quoted, checked, stale, placeholders, compared, best,
         best_alone, closes, close_sum, fairs, fair_sum)
  SELECT r.start_day, r.category, m.bookmaker_key, m.minutes, p_sign, p_sign * m.quoted, p_sign * m.checked, p_sign * m.stale,
         p_sign * m.placeholders, p_sign * m.compared, p_sign * m.best, p_sign * m.best_alone, p_sign * m.closes, p_sign * m.close_sum,
         p_sign * m.fairs, p_sign * m.fair_sum
    FROM archived_races r JOIN archived_marks m USING (race_id)
   WHERE r.race_id = p_race AND NOT r.abandoned
   ORDER BY 1, 2, 3, 4
  ON CONFLICT (start_day, category, bookmaker_key, minutes)
  DO UPDATE SET races = day.races + EXCLUDED.races, quoted = day.quoted + EXCLUDED.quoted, checked = day.checked + EXCLUDED.checked,
    stale = day.stale + EXCLUDED.stale, placeholders = day.placeholders + EXCLUDED.placeholders, compared = day.compared + EXCLUDED.compared,
    best = day.best + EXCLUDED.best, best_alone = day.best_alone + EXCLUDED.best_alone, closes = day.closes + EXCLUDED.closes,
    close_sum = day.close_sum + EXCLUDED.close_sum, fairs = day.fairs + EXCLUDED.fairs, fair_sum = day.fair_sum + EXCLUDED.fair_sum;
END $$;
REVOKE ALL ON FUNCTION add_archived_day(uuid, integer) FROM PUBLIC;
