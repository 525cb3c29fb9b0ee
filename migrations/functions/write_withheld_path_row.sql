-- As `write_price_path_row`, for `withheld_price_paths`. Goes with the next release.
CREATE OR REPLACE FUNCTION write_withheld_path_row() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO withheld_path_rows (start_time, race_id, runner, bookmaker_key, captured_at, secs_to_jump, win_price, place_price, top2_price, top3_price,
           top4_price, lay_price)
    VALUES (NEW.start_time, NEW.race_id, NEW.runner, NEW.bookmaker_key, NEW.captured_at, NEW.secs_to_jump, NEW.win_price, NEW.place_price,
            NEW.top2_price, NEW.top3_price, NEW.top4_price, NEW.lay_price);
    RETURN NEW;
  END IF;
  DELETE FROM withheld_path_rows
   WHERE start_time = OLD.start_time AND race_id = OLD.race_id AND runner = OLD.runner AND bookmaker_key = OLD.bookmaker_key
     AND captured_at = OLD.captured_at;
  RETURN CASE WHEN FOUND THEN OLD END;
END $$;
REVOKE ALL ON FUNCTION write_withheld_path_row() FROM PUBLIC;
