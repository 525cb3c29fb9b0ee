-- As `archive_price_paths`, for books that customers may not see (D42), with the lay price of the exchange's WIN market.
CREATE OR REPLACE FUNCTION archive_withheld_paths(
  p_race uuid, p_start timestamptz, p_jump timestamptz, p_from timestamptz, p_until timestamptz,
  p_books text[], p_numbers smallint[], p_keys text[], p_runners smallint[])
RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  copied integer;
BEGIN
  INSERT INTO withheld_path_rows (start_time, race_id, runner, bookmaker_key, captured_at, secs_to_jump, win_price, place_price, top2_price, top3_price,
         top4_price, lay_price)
  SELECT p_start, p_race, m.runner, t.bookmaker_key, t.captured_at, floor(extract(epoch FROM p_jump - t.captured_at))::integer, t.win_price,
         t.place_price, t.top2_price, t.top3_price, t.top4_price,
         CASE WHEN t.bookmaker_key = 'betfair_ex_au' THEN exchange_lay_price(p_race, t.runner_number, t.captured_at) END
    FROM (SELECT * FROM race_ticks(p_race, p_from, p_until) WHERE bookmaker_key = ANY (p_books) OFFSET 0) t
    JOIN unnest(p_books, p_numbers, p_keys, p_runners) AS m (bookmaker_key, runner_number, runner_key, runner)
      USING (bookmaker_key, runner_number, runner_key);
  GET DIAGNOSTICS copied = ROW_COUNT;
  RETURN copied;
END $$;
REVOKE ALL ON FUNCTION archive_withheld_paths(uuid, timestamptz, timestamptz, timestamptz, timestamptz, text[], smallint[], text[], smallint[]) FROM PUBLIC;
