-- Price paths of books that customers may not see are packed as those of the others (0260), in tables of their own (D42).
DO $$
BEGIN
  IF to_regclass('withheld_path_rows') IS NULL THEN
    ALTER TABLE withheld_price_paths RENAME TO withheld_path_rows;
  END IF;
END $$;

CREATE TABLE IF NOT EXISTS packed_withheld_paths (
  LIKE packed_price_paths INCLUDING ALL,
  -- The exchange's. 0: none was offered. Null: none ever was.
  lay smallint[]
) WITH (toast_tuple_target = 128);
ALTER TABLE packed_withheld_paths ALTER lay SET STORAGE MAIN;

CREATE OR REPLACE VIEW withheld_price_paths AS
  SELECT start_time, race_id, runner, bookmaker_key, captured_at, secs_to_jump, win_price, place_price, top2_price, top3_price, top4_price, lay_price
    FROM withheld_path_rows
  UNION ALL
  SELECT k.start_time, k.race_id, k.runner, d.books[d.book[i]], k.start_time - (d.ms[i] * 1000::bigint + COALESCE(d.us[i], 0)) * interval '1 microsecond',
         floor((d.ms[i] * 1000::bigint + COALESCE(d.us[i], 0) + d.jump)::double precision / 1000000)::integer,
         d.prices[d.win[i]], d.prices[d.place[i]], d.prices[d.top2[i]], d.prices[d.top3[i]], d.prices[d.top4[i]], d.prices[d.lay[i]]
    FROM packed_withheld_paths k
   CROSS JOIN LATERAL (
     SELECT k.books[:] AS books, k.prices[:] AS prices, k.book[:] AS book, k.ms[:] AS ms, k.us[:] AS us, k.win[:] AS win, k.place[:] AS place,
            k.top2[:] AS top2, k.top3[:] AS top3, k.top4[:] AS top4, k.lay[:] AS lay, (extract(epoch FROM k.jump_at - k.start_time) * 1000000)::bigint AS jump
     OFFSET 0) d
   CROSS JOIN LATERAL generate_series(1, cardinality(d.ms)) AS i;

-- As `write_price_path_row`: until the last process of the release before is gone.
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
CREATE OR REPLACE TRIGGER written_as_rows INSTEAD OF INSERT OR DELETE ON withheld_price_paths FOR EACH ROW EXECUTE FUNCTION write_withheld_path_row();

-- They do not wait for the rights, which follow with the functions.
DO $$
DECLARE
  role name;
BEGIN
  FOR role IN SELECT rolname FROM pg_roles WHERE rolname IN ('racing_worker', 'racing_api') LOOP
    EXECUTE format('GRANT SELECT ON withheld_price_paths TO %I', role);
    IF role = 'racing_worker' THEN
      GRANT DELETE ON withheld_price_paths TO racing_worker;
    END IF;
  END LOOP;
END $$;
