-- Closing lines of a race whose prices are fixed are packed as its price paths are (0260): one row for the race, with its lines as lists. All that reads
-- closing lines reads the views.
DO $$
BEGIN
  IF to_regclass('closing_line_rows') IS NULL THEN
    ALTER TABLE archived_closing_lines RENAME TO closing_line_rows;
    ALTER TABLE withheld_closing_lines RENAME TO withheld_line_rows;
  END IF;
END $$;

CREATE TABLE IF NOT EXISTS packed_closing_lines (
  start_time timestamptz NOT NULL,
  race_id uuid NOT NULL,
  -- Its books and its prices, each once, ascending. Lists of books and of prices have the place of each in them. 0: no price. Null: there never was one.
  books text[] NOT NULL,
  prices double precision[] NOT NULL,
  -- An entry for each line, by runner, then book.
  runner smallint[] NOT NULL,
  bookmaker_key smallint[] NOT NULL,
  open_win_price smallint[] NOT NULL,
  open_secs_to_jump integer[] NOT NULL,
  close_win_price smallint[] NOT NULL,
  close_secs_to_jump integer[] NOT NULL,
  points_observed integer[] NOT NULL,
  is_closing_line boolean[] NOT NULL,
  open_is_baseline boolean[] NOT NULL,
  open_place_price smallint[],
  close_place_price smallint[],
  open_top2_price smallint[],
  open_top3_price smallint[],
  open_top4_price smallint[],
  close_top2_price smallint[],
  close_top3_price smallint[],
  close_top4_price smallint[],
  -- 1: tick, 2: poll, 3: none.
  close_found_by smallint[] NOT NULL,
  close_age_s integer[] NOT NULL,
  clv_place_price smallint[],
  -- Of those with a price. Null: each of them stood at the jump.
  clv_place_secs_to_jump integer[],
  PRIMARY KEY (start_time, race_id)
) WITH (toast_tuple_target = 128);

CREATE TABLE IF NOT EXISTS packed_withheld_lines (
  LIKE packed_closing_lines INCLUDING ALL,
  close_lay_price smallint[]
) WITH (toast_tuple_target = 128);

-- Compressed where they stand.
DO $$
DECLARE
  list record;
BEGIN
  FOR list IN SELECT attrelid::regclass AS packed, attname FROM pg_attribute
               WHERE attrelid IN ('packed_closing_lines'::regclass, 'packed_withheld_lines'::regclass) AND attnum > 2 AND NOT attisdropped LOOP
    EXECUTE format('ALTER TABLE %s ALTER %I SET STORAGE MAIN', list.packed, list.attname);
  END LOOP;
END $$;

CREATE OR REPLACE VIEW archived_closing_lines AS
  SELECT start_time, race_id, runner, bookmaker_key, open_win_price, open_secs_to_jump, close_win_price, close_secs_to_jump, points_observed,
         is_closing_line, open_is_baseline, open_place_price, close_place_price, open_top2_price, open_top3_price, open_top4_price, close_top2_price,
         close_top3_price, close_top4_price, close_found_by, close_age_s, clv_place_price, clv_place_secs_to_jump
    FROM closing_line_rows
  UNION ALL
  SELECT k.start_time, k.race_id, d.runner[i], d.books[d.bookmaker_key[i]], d.prices[d.open_win_price[i]], d.open_secs_to_jump[i],
         d.prices[d.close_win_price[i]], d.close_secs_to_jump[i], d.points_observed[i], d.is_closing_line[i], d.open_is_baseline[i],
         d.prices[d.open_place_price[i]], d.prices[d.close_place_price[i]], d.prices[d.open_top2_price[i]], d.prices[d.open_top3_price[i]],
         d.prices[d.open_top4_price[i]], d.prices[d.close_top2_price[i]], d.prices[d.close_top3_price[i]], d.prices[d.close_top4_price[i]],
         (ARRAY['tick', 'poll', 'none'])[d.close_found_by[i]], d.close_age_s[i], d.prices[d.clv_place_price[i]],
         CASE WHEN d.clv_place_price[i] > 0 THEN COALESCE(d.clv_place_secs_to_jump[i], 0) END
    FROM packed_closing_lines k
   CROSS JOIN LATERAL (
     SELECT k.books[:] AS books, k.prices[:] AS prices, k.runner[:] AS runner, k.bookmaker_key[:] AS bookmaker_key,
            k.open_win_price[:] AS open_win_price, k.open_secs_to_jump[:] AS open_secs_to_jump, k.close_win_price[:] AS close_win_price,
            k.close_secs_to_jump[:] AS close_secs_to_jump, k.points_observed[:] AS points_observed, k.is_closing_line[:] AS is_closing_line,
            k.open_is_baseline[:] AS open_is_baseline, k.open_place_price[:] AS open_place_price, k.close_place_price[:] AS close_place_price,
            k.open_top2_price[:] AS open_top2_price, k.open_top3_price[:] AS open_top3_price, k.open_top4_price[:] AS open_top4_price,
            k.close_top2_price[:] AS close_top2_price, k.close_top3_price[:] AS close_top3_price, k.close_top4_price[:] AS close_top4_price,
            k.close_found_by[:] AS close_found_by, k.close_age_s[:] AS close_age_s, k.clv_place_price[:] AS clv_place_price,
            k.clv_place_secs_to_jump[:] AS clv_place_secs_to_jump
     OFFSET 0) d
   CROSS JOIN LATERAL generate_series(1, cardinality(d.runner)) AS i;

CREATE OR REPLACE VIEW withheld_closing_lines AS
  SELECT start_time, race_id, runner, bookmaker_key, open_win_price, open_secs_to_jump, close_win_price, close_secs_to_jump, points_observed,
         is_closing_line, open_is_baseline, open_place_price, close_place_price, open_top2_price, open_top3_price, open_top4_price, close_top2_price,
         close_top3_price, close_top4_price, close_found_by, close_age_s, close_lay_price, clv_place_price, clv_place_secs_to_jump
    FROM withheld_line_rows
  UNION ALL
  SELECT k.start_time, k.race_id, d.runner[i], d.books[d.bookmaker_key[i]], d.prices[d.open_win_price[i]], d.open_secs_to_jump[i],
         d.prices[d.close_win_price[i]], d.close_secs_to_jump[i], d.points_observed[i], d.is_closing_line[i], d.open_is_baseline[i],
         d.prices[d.open_place_price[i]], d.prices[d.close_place_price[i]], d.prices[d.open_top2_price[i]], d.prices[d.open_top3_price[i]],
         d.prices[d.open_top4_price[i]], d.prices[d.close_top2_price[i]], d.prices[d.close_top3_price[i]], d.prices[d.close_top4_price[i]],
         (ARRAY['tick', 'poll', 'none'])[d.close_found_by[i]], d.close_age_s[i], d.prices[d.close_lay_price[i]], d.prices[d.clv_place_price[i]],
         CASE WHEN d.clv_place_price[i] > 0 THEN COALESCE(d.clv_place_secs_to_jump[i], 0) END
    FROM packed_withheld_lines k
   CROSS JOIN LATERAL (
     SELECT k.books[:] AS books, k.prices[:] AS prices, k.runner[:] AS runner, k.bookmaker_key[:] AS bookmaker_key,
            k.open_win_price[:] AS open_win_price, k.open_secs_to_jump[:] AS open_secs_to_jump, k.close_win_price[:] AS close_win_price,
            k.close_secs_to_jump[:] AS close_secs_to_jump, k.points_observed[:] AS points_observed, k.is_closing_line[:] AS is_closing_line,
            k.open_is_baseline[:] AS open_is_baseline, k.open_place_price[:] AS open_place_price, k.close_place_price[:] AS close_place_price,
            k.open_top2_price[:] AS open_top2_price, k.open_top3_price[:] AS open_top3_price, k.open_top4_price[:] AS open_top4_price,
            k.close_top2_price[:] AS close_top2_price, k.close_top3_price[:] AS close_top3_price, k.close_top4_price[:] AS close_top4_price,
            k.close_found_by[:] AS close_found_by, k.close_age_s[:] AS close_age_s, k.close_lay_price[:] AS close_lay_price,
            k.clv_place_price[:] AS clv_place_price, k.clv_place_secs_to_jump[:] AS clv_place_secs_to_jump
     OFFSET 0) d
   CROSS JOIN LATERAL generate_series(1, cardinality(d.runner)) AS i;

-- Processes and functions of the release before write by the old names until the last is gone: what they write are rows.
CREATE OR REPLACE FUNCTION write_closing_line_row() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO closing_line_rows (start_time, race_id, runner, bookmaker_key, open_win_price, open_secs_to_jump, close_win_price, close_secs_to_jump, points_observed,
           is_closing_line, open_is_baseline, open_place_price, close_place_price, open_top2_price, open_top3_price, open_top4_price, close_top2_price,
           close_top3_price, close_top4_price, close_found_by, close_age_s, clv_place_price, clv_place_secs_to_jump)
    VALUES (NEW.start_time, NEW.race_id, NEW.runner, NEW.bookmaker_key, NEW.open_win_price, NEW.open_secs_to_jump, NEW.close_win_price,
           NEW.close_secs_to_jump, NEW.points_observed, NEW.is_closing_line, NEW.open_is_baseline, NEW.open_place_price, NEW.close_place_price,
           NEW.open_top2_price, NEW.open_top3_price, NEW.open_top4_price, NEW.close_top2_price, NEW.close_top3_price, NEW.close_top4_price,
           NEW.close_found_by, NEW.close_age_s, NEW.clv_place_price, NEW.clv_place_secs_to_jump);
    RETURN NEW;
  END IF;
  DELETE FROM closing_line_rows
   WHERE start_time = OLD.start_time AND race_id = OLD.race_id AND runner = OLD.runner AND bookmaker_key = OLD.bookmaker_key;
  RETURN CASE WHEN FOUND THEN OLD END;
END $$;
REVOKE ALL ON FUNCTION write_closing_line_row() FROM PUBLIC;
CREATE OR REPLACE TRIGGER written_as_rows INSTEAD OF INSERT OR DELETE ON archived_closing_lines FOR EACH ROW EXECUTE FUNCTION write_closing_line_row();

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
CREATE OR REPLACE TRIGGER written_as_rows INSTEAD OF INSERT OR UPDATE OR DELETE ON withheld_closing_lines FOR EACH ROW EXECUTE FUNCTION write_withheld_line_row();

-- They do not wait for the rights, which follow with the functions.
DO $$
DECLARE
  role name;
BEGIN
  FOR role IN SELECT rolname FROM pg_roles WHERE rolname IN ('racing_worker', 'racing_api') LOOP
    EXECUTE format('GRANT SELECT ON archived_closing_lines, withheld_closing_lines TO %I', role);
    IF role = 'racing_worker' THEN
      GRANT INSERT, DELETE ON archived_closing_lines, withheld_closing_lines TO racing_worker;
      GRANT UPDATE ON withheld_closing_lines TO racing_worker;
    END IF;
  END LOOP;
END $$;
