-- The races with a tick in this UTC day whose ticks are neither all in the archive, by number and checksum, nor all kept, and those that have other
-- closing lines or summaries than were counted when they were written. Numbers stand for runners: a book's other spelling is archived under the card's
-- key. `why`: `no_archive`, `other_facts` (the archive is older than the facts), or `gap` (it has other rows).
CREATE OR REPLACE FUNCTION unarchived_ticks(p_from timestamptz, p_until timestamptz) RETURNS TABLE (race_id uuid, why text, ticks bigint)
LANGUAGE plpgsql STABLE SET timezone = 'UTC' AS $$
BEGIN
  RETURN QUERY
  WITH ticked AS (
    SELECT t.race_id, count(*) AS n, sum(hashtextextended(ROW(t.bookmaker_key, t.runner_number, t.captured_at, t.win_price, t.place_price,
             t.top2_price, t.top3_price, t.top4_price)::text, 0)) AS sum
      FROM price_ticks t WHERE t.captured_at >= p_from AND t.captured_at < p_until GROUP BY 1),
  stored AS (
    SELECT k.race_id, count(*) AS n, sum(hashtextextended(ROW(k.bookmaker_key, u.number, k.captured_at, k.win_price, k.place_price,
             k.top2_price, k.top3_price, k.top4_price)::text, 0)) AS sum
      FROM ticked d JOIN archived_races r USING (race_id)
      CROSS JOIN LATERAL (
        SELECT r.race_id, p.runner, p.bookmaker_key, p.captured_at, p.win_price, p.place_price, p.top2_price, p.top3_price, p.top4_price
          FROM archived_price_paths p WHERE p.start_time = r.start_time AND p.race_id = r.race_id
        UNION ALL
        SELECT r.race_id, p.runner, p.bookmaker_key, p.captured_at, p.win_price, p.place_price, p.top2_price, p.top3_price, p.top4_price
          FROM withheld_price_paths p WHERE p.start_time = r.start_time AND p.race_id = r.race_id OFFSET 0) k
      JOIN archived_runners u ON u.race_id = k.race_id AND u.runner = k.runner
     WHERE k.captured_at >= p_from AND k.captured_at < p_until
     GROUP BY 1),
  made AS (
    SELECT d.race_id, 'line' AS what, l.bookmaker_key AS series, l.is_closing_line AS closing, l.open_is_baseline AS baseline,
           u.name_fragment_suspect AS fragment, u.scratched, count(*) AS n
      FROM ticked d JOIN archived_races r USING (race_id)
      CROSS JOIN LATERAL (SELECT * FROM archived_closing_lines l WHERE l.start_time = r.start_time AND l.race_id = r.race_id OFFSET 0) l
      JOIN archived_runners u ON u.race_id = l.race_id AND u.runner = l.runner GROUP BY 1, 2, 3, 4, 5, 6, 7
    UNION ALL
    SELECT d.race_id, 'summary', s.signal, false, false, u.name_fragment_suspect, u.scratched, count(*)
      FROM ticked d JOIN archived_races r USING (race_id)
      JOIN archived_summaries s ON s.start_time = r.start_time AND s.race_id = r.race_id
      JOIN archived_runners u ON u.race_id = s.race_id AND u.runner = s.runner GROUP BY 1, 2, 3, 4, 5, 6, 7),
  other AS (
    SELECT q.race_id
      FROM (SELECT m.*, 1 AS sign FROM made m
            UNION ALL
            SELECT c.race_id, c.what, c.series, c.closing, c.baseline, c.fragment, c.scratched, c.n, -1
              FROM ticked d JOIN archived_counts c USING (race_id) WHERE c.what <> 'path') q
     GROUP BY q.race_id, q.what, q.series, q.closing, q.baseline, q.fragment, q.scratched
    HAVING sum(q.sign * q.n) <> 0
    UNION ALL
    SELECT d.race_id FROM ticked d JOIN archived_races r USING (race_id)
     WHERE r.withheld_lines <> (SELECT count(*) FROM withheld_closing_lines l WHERE l.start_time = r.start_time AND l.race_id = r.race_id)),
  kept AS (
    SELECT k.race_id, count(*) AS n, sum(hashtextextended(ROW(k.bookmaker_key, k.runner_number, k.captured_at, k.win_price, k.place_price,
             k.top2_price, k.top3_price, k.top4_price)::text, 0)) AS sum
      FROM kept_ticks k WHERE k.captured_at >= p_from AND k.captured_at < p_until GROUP BY 1)
  SELECT d.race_id,
         CASE WHEN r.race_id IS NULL THEN 'no_archive'
              WHEN r.ticks_dropped_at IS NULL AND r.facts <> archive_facts_with_marks(d.race_id) THEN 'other_facts' ELSE 'gap' END, d.n
    FROM ticked d LEFT JOIN archived_races r USING (race_id) LEFT JOIN stored s USING (race_id) LEFT JOIN kept k USING (race_id)
   WHERE ((s.n, s.sum) IS DISTINCT FROM (d.n, d.sum) OR d.race_id IN (SELECT o.race_id FROM other o)
          OR (r.ticks_dropped_at IS NULL AND r.facts <> archive_facts_with_marks(d.race_id)))
     AND (k.n, k.sum) IS DISTINCT FROM (d.n, d.sum);
END $$;
