-- Writes the exchange's lay prices at the jump beside its closing lines of one archived race. Runs as its owner, because no process may change the
-- archive itself.
CREATE OR REPLACE FUNCTION save_close_lay(p_race uuid) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  race archived_races := (SELECT r FROM archived_races r WHERE r.race_id = p_race);
BEGIN
  UPDATE withheld_line_rows l SET close_lay_price = exchange_lay_price(p_race, u.number, race.jump_at)
    FROM archived_runners u
   WHERE l.start_time = race.start_time AND l.race_id = p_race AND u.race_id = p_race AND u.runner = l.runner AND l.bookmaker_key = 'betfair_ex_au';
END $$;
REVOKE ALL ON FUNCTION save_close_lay(uuid) FROM PUBLIC;
