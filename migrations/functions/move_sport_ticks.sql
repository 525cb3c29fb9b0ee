-- Moves what one book's captures of a match are to another match (`src/store/sports/identity/move-rows.ts`). `p_turned`: the sides of the two are the other way
-- round; totals have no sides. Of two captures at one instant that with a price stands. Runs as its owner, because no process may change or delete a
-- capture itself.
CREATE OR REPLACE FUNCTION move_sport_ticks(p_from uuid, p_to uuid, p_book text, p_turned boolean) RETURNS void LANGUAGE sql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH gone AS (DELETE FROM sport_ticks WHERE event_id = p_from AND bookmaker_key = p_book RETURNING *),
  g AS (SELECT *, p_turned AND market <> 'totals' AS turned FROM gone)
  INSERT INTO sport_ticks AS t (event_id, bookmaker_key, market, captured_at, home_price, draw_price, away_price, home_point, away_point)
  SELECT p_to, bookmaker_key, market, captured_at, CASE WHEN turned THEN away_price ELSE home_price END, draw_price,
         CASE WHEN turned THEN home_price ELSE away_price END, CASE WHEN turned THEN away_point ELSE home_point END,
         CASE WHEN turned THEN home_point ELSE away_point END FROM g
  ON CONFLICT (event_id, bookmaker_key, market, captured_at) DO UPDATE
     SET (home_price, draw_price, away_price, home_point, away_point)
       = ROW (EXCLUDED.home_price, EXCLUDED.draw_price, EXCLUDED.away_price, EXCLUDED.home_point, EXCLUDED.away_point)
   WHERE coalesce(t.home_price, t.draw_price, t.away_price) IS NULL
$$;
REVOKE ALL ON FUNCTION move_sport_ticks(uuid, uuid, text, boolean) FROM PUBLIC;
