-- Packs the price paths of a race whose prices are fixed (`clear_archived_race`), and deletes the rows that it packed, if unpacking gives exactly those. Those
-- of a race that was archived from kept ticks are fixed by this: all of its ticks were dropped before, so no day's drop noted it. Runs as its owner,
-- because no process deletes from the archive itself. Returns how many were packed; null: its prices may still change, or it is packed; -1: the packed
-- ones would differ, and nothing was done.
CREATE OR REPLACE FUNCTION pack_price_paths(p_race uuid, p_at timestamptz) RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  race archived_races;
  packed integer;
  differing integer;
  deleted integer;
BEGIN
  -- As its archiver does: one of them at a time.
  PERFORM pg_advisory_xact_lock(hashtextextended(p_race::text, 18));
  SELECT * INTO race FROM archived_races WHERE race_id = p_race AND paths_packed_at IS NULL;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF race.ticks_dropped_at IS NULL THEN
    IF EXISTS (SELECT FROM price_ticks t WHERE t.race_id = p_race) THEN
      RETURN NULL;
    END IF;
  END IF;
  -- Its milliseconds are integers, which end after 24.8 days.
  IF EXISTS (SELECT FROM price_path_rows p WHERE p.start_time = race.start_time AND p.race_id = p_race
                AND p.captured_at NOT BETWEEN race.start_time - interval '24 days' AND race.start_time + interval '24 days') THEN
    RETURN -1;
  END IF;
  INSERT INTO packed_price_paths (start_time, race_id, runner, jump_at, books, prices, book, ms, us, win, place, top2, top3, top4)
  SELECT race.start_time, p_race, k.runner, race.jump_at, k.books, k.prices, c.book, c.ms, c.us, c.win, c.place, c.top2, c.top3, c.top4
    FROM (SELECT p.runner, array_agg(DISTINCT p.bookmaker_key) AS books, array_agg(DISTINCT v.price) FILTER (WHERE v.price IS NOT NULL) AS prices
            FROM price_path_rows p
            CROSS JOIN LATERAL (VALUES (p.win_price), (p.place_price), (p.top2_price), (p.top3_price), (p.top4_price)) AS v (price)
           WHERE p.start_time = race.start_time AND p.race_id = p_race GROUP BY p.runner) k
    CROSS JOIN LATERAL (
      SELECT array_agg(s.book ORDER BY s.book, s.before DESC) AS book, array_agg((s.before / 1000)::integer ORDER BY s.book, s.before DESC) AS ms,
             CASE WHEN bool_or(s.before % 1000 <> 0) THEN array_agg((s.before % 1000)::smallint ORDER BY s.book, s.before DESC) END AS us,
             array_agg(s.win ORDER BY s.book, s.before DESC) AS win,
             CASE WHEN bool_or(s.place > 0) THEN array_agg(s.place ORDER BY s.book, s.before DESC) END AS place,
             CASE WHEN bool_or(s.top2 > 0) THEN array_agg(s.top2 ORDER BY s.book, s.before DESC) END AS top2,
             CASE WHEN bool_or(s.top3 > 0) THEN array_agg(s.top3 ORDER BY s.book, s.before DESC) END AS top3,
             CASE WHEN bool_or(s.top4 > 0) THEN array_agg(s.top4 ORDER BY s.book, s.before DESC) END AS top4
        FROM (SELECT array_position(k.books, p.bookmaker_key)::smallint AS book,
                     (extract(epoch FROM p.start_time - p.captured_at) * 1000000)::bigint AS before,
                     array_position(k.prices, p.win_price)::smallint AS win, COALESCE(array_position(k.prices, p.place_price), 0)::smallint AS place,
                     COALESCE(array_position(k.prices, p.top2_price), 0)::smallint AS top2,
                     COALESCE(array_position(k.prices, p.top3_price), 0)::smallint AS top3,
                     COALESCE(array_position(k.prices, p.top4_price), 0)::smallint AS top4
                FROM price_path_rows p WHERE p.start_time = race.start_time AND p.race_id = p_race AND p.runner = k.runner) s) c;
  -- The view has the rows and what was packed of them: each twice, or something differs.
  SELECT count(*) FILTER (WHERE n <> 2), count(*) INTO differing, packed
    FROM (SELECT count(*) AS n FROM archived_price_paths p WHERE p.start_time = race.start_time AND p.race_id = p_race GROUP BY p.*) same;
  IF differing > 0 THEN
    DELETE FROM packed_price_paths WHERE start_time = race.start_time AND race_id = p_race;
    RETURN -1;
  END IF;
  DELETE FROM price_path_rows WHERE start_time = race.start_time AND race_id = p_race;
  GET DIAGNOSTICS deleted = ROW_COUNT;
  IF deleted <> packed THEN
    RAISE EXCEPTION '% rows of race % deleted, and % were packed', deleted, p_race, packed;
  END IF;
  UPDATE archived_races SET paths_packed_at = p_at, ticks_dropped_at = COALESCE(ticks_dropped_at, p_at) WHERE race_id = p_race;
  RETURN packed;
END $$;
REVOKE ALL ON FUNCTION pack_price_paths(uuid, timestamptz) FROM PUBLIC;
