-- As `write_price_path_row`, for `withheld_closing_lines`. Goes with the next release.
CREATE OR REPLACE FUNCTION write_withheld_line_row() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO withheld_line_rows (start_time, race_id, runner, bookmaker_key, open_win_price, open_secs_to_jump, close_win_price, close_secs_to_jump, points_observed,
           is_closing_line, open_is_baseline, open_place_price, close_place_price, open_top2_price, open_top3_price, open_top4_price, close_top2_price,
           close_top3_price, close_top4_price, close_found_by, close_age_s, close_lay_price, clv_place_price, clv_place_secs_to_jump)
    VALUES (NEW.start_time, NEW.race_id, NEW.runner, NEW.bookmaker_key, NEW.open_win_price, NEW.open_secs_to_jump, NEW.close_win_price,
           NEW.close_secs_to_jump, NEW.points_observed, NEW.is_closing_line, NEW.open_is_baseline, NEW.open_place_price, NEW.close_place_price,
           NEW.open_top2_price, NEW.open_top3_price, NEW.open_top4_price, NEW.close_top2_price, NEW.close_top3_price, NEW.close_top4_price,
           NEW.close_found_by, NEW.close_age_s, NEW.close_lay_price, NEW.clv_place_price, NEW.clv_place_secs_to_jump);
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    UPDATE withheld_line_rows SET close_lay_price = NEW.close_lay_price
     WHERE start_time = OLD.start_time AND race_id = OLD.race_id AND runner = OLD.runner AND bookmaker_key = OLD.bookmaker_key;
    RETURN CASE WHEN FOUND THEN NEW END;
  END IF;
  DELETE FROM withheld_line_rows
   WHERE start_time = OLD.start_time AND race_id = OLD.race_id AND runner = OLD.runner AND bookmaker_key = OLD.bookmaker_key;
  RETURN CASE WHEN FOUND THEN OLD END;
END $$;
REVOKE ALL ON FUNCTION write_withheld_line_row() FROM PUBLIC;
