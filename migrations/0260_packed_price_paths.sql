-- The price paths of a race take two hundred bytes a row, more than half of it for the key. Once some of its ticks are gone its prices are fixed
-- (`clear_archived_race`), and they are packed: a row for each runner, with its captures as lists. All that reads price paths reads the view.
DO $$
BEGIN
  IF to_regclass('price_path_rows') IS NULL THEN
    ALTER TABLE archived_price_paths RENAME TO price_path_rows;
  END IF;
END $$;

CREATE TABLE IF NOT EXISTS packed_price_paths (
  start_time timestamptz NOT NULL,
  race_id uuid NOT NULL,
  runner smallint NOT NULL,
  -- As it was archived: `secs_to_jump` counts to it.
  jump_at timestamptz NOT NULL,
  -- Its books and its prices, each once, ascending. The lists below have the place of each in them.
  books text[] NOT NULL,
  prices double precision[] NOT NULL,
  -- An entry for each capture, by book, then instant. Milliseconds before the start, and the microseconds beside them; null: all have whole milliseconds.
  book smallint[] NOT NULL,
  ms integer[] NOT NULL,
  us smallint[],
  win smallint[] NOT NULL,
  -- 0: not quoted. Null: it was never quoted.
  place smallint[],
  top2 smallint[],
  top3 smallint[],
  top4 smallint[],
  PRIMARY KEY (start_time, race_id, runner)
) WITH (toast_tuple_target = 128);
-- Compressed where they stand: a runner's lists are smaller than a page.
ALTER TABLE packed_price_paths ALTER books SET STORAGE MAIN, ALTER prices SET STORAGE MAIN, ALTER book SET STORAGE MAIN, ALTER ms SET STORAGE MAIN,
  ALTER us SET STORAGE MAIN, ALTER win SET STORAGE MAIN, ALTER place SET STORAGE MAIN, ALTER top2 SET STORAGE MAIN, ALTER top3 SET STORAGE MAIN,
  ALTER top4 SET STORAGE MAIN;

-- A slice is a copy that is not compressed: each list is unpacked once, not once an entry.
CREATE OR REPLACE VIEW archived_price_paths AS
  SELECT start_time, race_id, runner, bookmaker_key, captured_at, secs_to_jump, win_price, place_price, top2_price, top3_price, top4_price
    FROM price_path_rows
  UNION ALL
  SELECT k.start_time, k.race_id, k.runner, d.books[d.book[i]], k.start_time - (d.ms[i] * 1000::bigint + COALESCE(d.us[i], 0)) * interval '1 microsecond',
         floor((d.ms[i] * 1000::bigint + COALESCE(d.us[i], 0) + d.jump)::double precision / 1000000)::integer,
         d.prices[d.win[i]], d.prices[d.place[i]], d.prices[d.top2[i]], d.prices[d.top3[i]], d.prices[d.top4[i]]
    FROM packed_price_paths k
   CROSS JOIN LATERAL (
     SELECT k.books[:] AS books, k.prices[:] AS prices, k.book[:] AS book, k.ms[:] AS ms, k.us[:] AS us, k.win[:] AS win, k.place[:] AS place,
            k.top2[:] AS top2, k.top3[:] AS top3, k.top4[:] AS top4, (extract(epoch FROM k.jump_at - k.start_time) * 1000000)::bigint AS jump
     OFFSET 0) d
   CROSS JOIN LATERAL generate_series(1, cardinality(d.ms)) AS i;

-- The functions of the release before write by the old name until this release's follow, and its processes delete by it until the last is gone: what
-- they write are rows. What is packed is not deleted so.
CREATE OR REPLACE FUNCTION write_price_path_row() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO price_path_rows (start_time, race_id, runner, bookmaker_key, captured_at, secs_to_jump, win_price, place_price, top2_price, top3_price,
           top4_price)
    VALUES (NEW.start_time, NEW.race_id, NEW.runner, NEW.bookmaker_key, NEW.captured_at, NEW.secs_to_jump, NEW.win_price, NEW.place_price,
            NEW.top2_price, NEW.top3_price, NEW.top4_price);
    RETURN NEW;
  END IF;
  DELETE FROM price_path_rows
   WHERE start_time = OLD.start_time AND race_id = OLD.race_id AND runner = OLD.runner AND bookmaker_key = OLD.bookmaker_key
     AND captured_at = OLD.captured_at;
  RETURN CASE WHEN FOUND THEN OLD END;
END $$;
REVOKE ALL ON FUNCTION write_price_path_row() FROM PUBLIC;
CREATE OR REPLACE TRIGGER written_as_rows INSTEAD OF INSERT OR DELETE ON archived_price_paths FOR EACH ROW EXECUTE FUNCTION write_price_path_row();

-- They do not wait for the rights, which follow with the functions.
DO $$
DECLARE
  role name;
BEGIN
  FOR role IN SELECT rolname FROM pg_roles WHERE rolname IN ('racing_worker', 'racing_api') LOOP
    EXECUTE format('GRANT SELECT ON archived_price_paths TO %I', role);
    IF role = 'racing_worker' THEN
      GRANT DELETE ON archived_price_paths TO racing_worker;
    END IF;
  END LOOP;
END $$;
