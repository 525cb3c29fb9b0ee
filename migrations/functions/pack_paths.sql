-- Packs the price paths of one race, those of customers' books or the withheld ones. Called by `pack_price_paths`; returns as `exchange_for_packed`.
CREATE OR REPLACE FUNCTION pack_paths(p_race archived_races, p_withheld boolean) RETURNS integer LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
  of_rows name := CASE WHEN p_withheld THEN 'withheld_path_rows' ELSE 'price_path_rows' END;
  of_packed name := CASE WHEN p_withheld THEN 'packed_withheld_paths' ELSE 'packed_price_paths' END;
  -- The exchange's, which only withheld paths have.
  legs text[] := ARRAY['place', 'top2', 'top3', 'top4'] || CASE WHEN p_withheld THEN ARRAY['lay'] ELSE '{}' END;
  outside boolean;
  has_packed boolean;
BEGIN
  -- Its milliseconds are integers, which end after 24.8 days.
  EXECUTE format($q$
    SELECT bool_or(p.captured_at NOT BETWEEN $1 - interval '24 days' AND $1 + interval '24 days'),
           EXISTS (SELECT FROM %I k WHERE k.start_time = $1 AND k.race_id = $2)
      FROM %I p WHERE p.start_time = $1 AND p.race_id = $2 $q$, of_packed, of_rows)
    INTO outside, has_packed USING p_race.start_time, p_race.race_id;
  -- Without rows there is nothing to pack.
  IF outside IS NULL THEN
    RETURN 0;
  END IF;
  -- Rows beside what is packed: which of them are right is not known here.
  IF outside OR has_packed THEN
    RETURN -1;
  END IF;
  EXECUTE format($q$
    INSERT INTO %1$I (start_time, race_id, runner, jump_at, books, prices, book, ms, us, win, %3$s)
    SELECT $1, $2, k.runner, $3, k.books, k.prices, c.*
      FROM (SELECT p.runner, array_agg(DISTINCT p.bookmaker_key) AS books, array_agg(DISTINCT v.price) FILTER (WHERE v.price IS NOT NULL) AS prices
              FROM %2$I p CROSS JOIN LATERAL (VALUES (p.win_price), %4$s) AS v (price)
             WHERE p.start_time = $1 AND p.race_id = $2 GROUP BY p.runner) k
      CROSS JOIN LATERAL (
        SELECT array_agg(s.book ORDER BY s.book, s.before DESC) AS book, array_agg((s.before / 1000)::integer ORDER BY s.book, s.before DESC) AS ms,
               CASE WHEN bool_or(s.before %% 1000 <> 0) THEN array_agg((s.before %% 1000)::smallint ORDER BY s.book, s.before DESC) END AS us,
               array_agg(s.win ORDER BY s.book, s.before DESC) AS win, %6$s
          FROM (SELECT array_position(k.books, p.bookmaker_key)::smallint AS book,
                       (extract(epoch FROM p.start_time - p.captured_at) * 1000000)::bigint AS before,
                       array_position(k.prices, p.win_price)::smallint AS win, %5$s
                  FROM %2$I p WHERE p.start_time = $1 AND p.race_id = $2 AND p.runner = k.runner) s) c $q$,
    of_packed, of_rows, array_to_string(legs, ', '),
    (SELECT string_agg(format('(p.%s_price)', leg), ', ' ORDER BY i) FROM unnest(legs) WITH ORDINALITY l (leg, i)),
    (SELECT string_agg(format('COALESCE(array_position(k.prices, p.%1$s_price), 0)::smallint AS %1$s', leg), ', ' ORDER BY i)
       FROM unnest(legs) WITH ORDINALITY l (leg, i)),
    (SELECT string_agg(format('CASE WHEN bool_or(s.%1$s > 0) THEN array_agg(s.%1$s ORDER BY s.book, s.before DESC) END AS %1$s', leg), ', ' ORDER BY i)
       FROM unnest(legs) WITH ORDINALITY l (leg, i)))
    USING p_race.start_time, p_race.race_id, p_race.jump_at;
  RETURN exchange_for_packed(p_race, of_rows, of_packed, CASE WHEN p_withheld THEN 'withheld_price_paths' ELSE 'archived_price_paths' END);
END $$;
REVOKE ALL ON FUNCTION pack_paths(archived_races, boolean) FROM PUBLIC;
