-- Copies the ticks of a race into its archived price paths: those of the series that are given, each with its runner. Without nested loops, because
-- a plan that does not know how many series there are would compare every tick with each of them. Returns how many were copied.
-- Runs as its owner: no process adds a price path that is no tick.
CREATE OR REPLACE FUNCTION archive_price_paths(
  p_race uuid, p_start timestamptz, p_jump timestamptz, p_from timestamptz, p_until timestamptz,
  p_books text[], p_numbers smallint[], p_keys text[], p_runners smallint[])
RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET enable_nestloop = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  copied integer;
BEGIN
  INSERT INTO price_path_rows (start_time, race_id, runner, bookmaker_key, captured_at, secs_to_jump, win_price, place_price, top2_price, top3_price,
         top4_price)
  SELECT p_start, p_race, m.runner, t.bookmaker_key, t.captured_at, floor(extract(epoch FROM p_jump - t.captured_at))::integer, t.win_price,
         t.place_price, t.top2_price, t.top3_price, t.top4_price
    FROM (SELECT * FROM race_ticks(p_race, p_from, p_until) OFFSET 0) t
    JOIN unnest(p_books, p_numbers, p_keys, p_runners) AS m (bookmaker_key, runner_number, runner_key, runner)
      USING (bookmaker_key, runner_number, runner_key);
  GET DIAGNOSTICS copied = ROW_COUNT;
  RETURN copied;
END $$;
REVOKE ALL ON FUNCTION archive_price_paths(uuid, timestamptz, timestamptz, timestamptz, timestamptz, text[], smallint[], text[], smallint[]) FROM PUBLIC;
