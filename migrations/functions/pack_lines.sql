-- Packs the closing lines of one race, those of customers' books or the withheld ones, as `pack_paths` packs its price paths.
CREATE OR REPLACE FUNCTION pack_lines(p_race archived_races, p_withheld boolean) RETURNS integer LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
  of_rows name := CASE WHEN p_withheld THEN 'withheld_line_rows' ELSE 'closing_line_rows' END;
  of_packed name := CASE WHEN p_withheld THEN 'packed_withheld_lines' ELSE 'packed_closing_lines' END;
  -- In the order of the table. A list of prices that is empty is null.
  lists text;
  entries text;
  gathered text;
  prices text;
  has_rows boolean;
  has_packed boolean;
BEGIN
  EXECUTE format($q$
    SELECT EXISTS (SELECT FROM %I p WHERE p.start_time = $1 AND p.race_id = $2), EXISTS (SELECT FROM %I p WHERE p.start_time = $1 AND p.race_id = $2) $q$,
    of_rows, of_packed) INTO has_rows, has_packed USING p_race.start_time, p_race.race_id;
  -- Without rows there is nothing to pack.
  IF NOT has_rows THEN
    RETURN 0;
  END IF;
  -- Rows beside what is packed: which of them are right is not known here.
  IF has_packed THEN
    RETURN -1;
  END IF;
  SELECT string_agg(a.attname, ', ' ORDER BY a.attnum),
         string_agg(CASE WHEN a.attname = 'bookmaker_key' THEN 'array_position(k.books, p.bookmaker_key)::smallint AS bookmaker_key'
                         WHEN a.attname ~ '_price$' THEN format('COALESCE(array_position(k.prices, p.%1$I), 0)::smallint AS %1$I', a.attname)
                         WHEN a.attname = 'close_found_by' THEN 'array_position(ARRAY[''tick'', ''poll'', ''none''], p.close_found_by)::smallint AS close_found_by'
                         WHEN a.attname = 'clv_place_secs_to_jump' THEN 'COALESCE(p.clv_place_secs_to_jump, 0) AS clv_place_secs_to_jump'
                         ELSE format('p.%I', a.attname) END, ', ' ORDER BY a.attnum),
         string_agg(CASE WHEN a.attnotnull THEN format('array_agg(s.%I ORDER BY s.runner, s.bookmaker_key)', a.attname)
                         ELSE format('CASE WHEN bool_or(s.%1$I <> 0) THEN array_agg(s.%1$I ORDER BY s.runner, s.bookmaker_key) END', a.attname) END,
                    ', ' ORDER BY a.attnum),
         string_agg(format('(p.%I)', a.attname), ', ' ORDER BY a.attnum) FILTER (WHERE a.attname ~ '_price$')
    INTO lists, entries, gathered, prices
    FROM pg_attribute a
   WHERE a.attrelid = of_packed::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attname NOT IN ('start_time', 'race_id', 'books', 'prices');
  EXECUTE format($q$
    INSERT INTO %1$I (start_time, race_id, books, prices, %3$s)
    SELECT $1, $2, k.books, k.prices, c.*
      FROM (SELECT array_agg(DISTINCT p.bookmaker_key) AS books, array_agg(DISTINCT v.price) FILTER (WHERE v.price IS NOT NULL) AS prices
              FROM %2$I p CROSS JOIN LATERAL (VALUES %6$s) AS v (price) WHERE p.start_time = $1 AND p.race_id = $2) k
      CROSS JOIN LATERAL (SELECT %5$s FROM (SELECT %4$s FROM %2$I p WHERE p.start_time = $1 AND p.race_id = $2) s) c $q$,
    of_packed, of_rows, lists, entries, gathered, prices) USING p_race.start_time, p_race.race_id;
  RETURN exchange_for_packed(p_race, of_rows, of_packed, CASE WHEN p_withheld THEN 'withheld_closing_lines' ELSE 'archived_closing_lines' END);
END $$;
REVOKE ALL ON FUNCTION pack_lines(archived_races, boolean) FROM PUBLIC;
