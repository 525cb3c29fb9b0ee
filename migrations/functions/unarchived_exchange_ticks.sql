-- The exchange's markets with a tick in this UTC day whose race is not verified, and whose ticks are not all kept. The archive has of these ticks the
-- lay price at each captured price and at the jump (D42): each one that follows from a tick of this day is compared with it, as
-- `exchange_lay_price` finds it. `why`: `no_archive`, `other_facts` (the archive is older than the facts), `not_in_archive` (it has nothing of this
-- market: another market than WIN, or no price of the exchange was captured), or `gap` (it has other lay prices).
CREATE OR REPLACE FUNCTION unarchived_exchange_ticks(p_from timestamptz, p_until timestamptz)
RETURNS TABLE (market_id text, race_id uuid, why text, ticks bigint)
LANGUAGE plpgsql STABLE SET timezone = 'UTC' AS $$
BEGIN
  RETURN QUERY
  WITH ticked AS (
    SELECT e.market_id, count(*) AS n, sum(hashtextextended(e::text, 0)) AS sum
      FROM exchange_ticks e WHERE e.at >= p_from AND e.at < p_until GROUP BY 1),
  kept AS (
    SELECT k.market_id, count(*) AS n, sum(hashtextextended(k::text, 0)) AS sum
      FROM kept_exchange_ticks k WHERE k.at >= p_from AND k.at < p_until GROUP BY 1),
  raced AS (
    SELECT d.market_id, m.race_id, d.n, d.sum,
           m.market_type <> 'WIN'
             OR NOT EXISTS (SELECT FROM archived_races a CROSS JOIN LATERAL (
                              SELECT FROM withheld_price_paths p
                               WHERE p.start_time = a.start_time AND p.race_id = a.race_id AND p.bookmaker_key = 'betfair_ex_au' OFFSET 0) p
                             WHERE a.race_id = m.race_id) AS outside
      FROM ticked d LEFT JOIN exchange_markets m ON m.market_id = d.market_id),
  other AS (
    SELECT r.race_id
      FROM archived_races r
      JOIN archived_runners u ON u.race_id = r.race_id
      CROSS JOIN LATERAL (
        SELECT p.captured_at AS at, p.lay_price FROM withheld_price_paths p
         WHERE p.start_time = r.start_time AND p.race_id = r.race_id AND p.runner = u.runner AND p.bookmaker_key = 'betfair_ex_au'
        UNION ALL
        SELECT r.jump_at, l.close_lay_price FROM withheld_closing_lines l
         WHERE l.start_time = r.start_time AND l.race_id = r.race_id AND l.runner = u.runner AND l.bookmaker_key = 'betfair_ex_au' OFFSET 0) k
      CROSS JOIN LATERAL (
        SELECT e.at, e.lay_price FROM exchange_markets m
          JOIN exchange_runners x ON x.market_id = m.market_id
          JOIN exchange_ticks e ON e.market_id = x.market_id AND e.selection_id = x.selection_id
         WHERE m.race_id = r.race_id AND m.market_type = 'WIN' AND x.number = u.number AND e.at <= k.at AND e.at > k.at - interval '1 day'
         ORDER BY e.at DESC LIMIT 1) t
     WHERE r.race_id IN (SELECT q.race_id FROM raced q) AND t.at >= p_from AND t.at < p_until
     GROUP BY r.race_id
    HAVING (count(k.lay_price), sum(hashtextextended(ROW(u.runner, k.at, k.lay_price)::text, 0)))
           IS DISTINCT FROM (count(t.lay_price), sum(hashtextextended(ROW(u.runner, k.at, t.lay_price)::text, 0))))
  SELECT d.market_id, d.race_id,
         CASE WHEN r.race_id IS NULL THEN 'no_archive'
              WHEN r.ticks_dropped_at IS NULL AND r.facts <> archive_facts_with_marks(d.race_id) THEN 'other_facts'
              WHEN d.outside THEN 'not_in_archive' ELSE 'gap' END, d.n
    FROM raced d LEFT JOIN archived_races r ON r.race_id = d.race_id LEFT JOIN kept k ON k.market_id = d.market_id
   WHERE (r.race_id IS NULL OR (r.ticks_dropped_at IS NULL AND r.facts <> archive_facts_with_marks(d.race_id))
          OR d.outside OR d.race_id IN (SELECT o.race_id FROM other o))
     AND (k.n, k.sum) IS DISTINCT FROM (d.n, d.sum);
END $$;
