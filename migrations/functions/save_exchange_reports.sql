-- Saves the exchange's reports of a moment on its markets: state, versions, runners, ticks and the races' own stamps. Called by `src/store` alone.
--
-- p_markets the markets, each once, with its race or null and our instant of the report; p_versions their versions; p_runners their runners and
-- p_stamps the race's stamps, both by market.
-- A field that a report leaves out keeps its value (a poll has no start, the stream no name). A starting price stays until its runner is removed:
-- most responses do not have it. Ticks are stored only inside the capture window of a race that we list, as for every book. In play comes from the
-- exchange (A 2.2). The market state comes from it only while no book of p_state_books lists the race: the source then names the exchange, so
-- customers read null. When such a book lists the race before the close, the state is that book's.
--
-- The plans are pinned: made anew for each report they cost more than their execution. Every row is found by its key, the races one by one,
-- and what belongs to a market by the market's name, so that a report of a hundred markets compares no pairs of them.
--
-- A market's row is locked first. The statement after it sees what the holder before has written of the runners, so one that is as stored is not
-- written again: each write of a row is two records of the log and a dead row.
CREATE OR REPLACE FUNCTION save_exchange_reports(
  p_markets jsonb, p_versions jsonb, p_runners jsonb, p_stamps jsonb, p_exchange text, p_state_books text[])
RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  written_ids text[];
  written_races uuid[];
  written_ats timestamptz[];
  s record;
BEGIN
  WITH written AS (
    INSERT INTO exchange_markets AS stored
           (market_id, race_id, market_type, version, status, in_play, bsp_reconciled, number_of_winners, active_runners,
            total_matched, market_time, settled_at, observed_at)
    SELECT market_id,
           COALESCE(race_id, (SELECT b.race_id FROM race_books b WHERE b.bookmaker_key = p_exchange AND b.source_race_id = n.market_id)),
           market_type, version, status, in_play, bsp_reconciled, number_of_winners, active_runners,
           total_matched, market_time, settled_at, observed_at
      FROM jsonb_to_recordset(p_markets) AS n (market_id text, race_id uuid, market_type text, version bigint, status text, in_play boolean,
           bsp_reconciled boolean, number_of_winners smallint, active_runners smallint, total_matched double precision,
           market_time timestamptz, settled_at timestamptz, observed_at timestamptz)
     ORDER BY market_id
    ON CONFLICT (market_id) DO UPDATE
       SET race_id = COALESCE(EXCLUDED.race_id, stored.race_id), version = EXCLUDED.version, status = EXCLUDED.status,
           in_play = EXCLUDED.in_play, bsp_reconciled = EXCLUDED.bsp_reconciled,
           number_of_winners = COALESCE(EXCLUDED.number_of_winners, stored.number_of_winners),
           active_runners = COALESCE(EXCLUDED.active_runners, stored.active_runners),
           total_matched = COALESCE(EXCLUDED.total_matched, stored.total_matched),
           market_time = COALESCE(EXCLUDED.market_time, stored.market_time),
           settled_at = COALESCE(EXCLUDED.settled_at, stored.settled_at), observed_at = EXCLUDED.observed_at
     WHERE (EXCLUDED.version, EXCLUDED.observed_at) >= (stored.version, stored.observed_at)
    RETURNING market_id, race_id, observed_at
  )
  SELECT array_agg(market_id), array_agg(race_id), array_agg(observed_at) INTO written_ids, written_races, written_ats FROM written;

  -- After every market is locked: of two reports of one version the second finds the first.
  INSERT INTO exchange_market_changes AS stored
         (market_id, version, at, status, in_play, bsp_reconciled, active_runners, market_time)
  SELECT DISTINCT ON (n.market_id, n.version)
         n.market_id, n.version, n.at, n.status, n.in_play, n.bsp_reconciled, n.active_runners, n.market_time
    FROM jsonb_to_recordset(p_versions) AS n (market_id text, version bigint, at timestamptz, status text, in_play boolean,
         bsp_reconciled boolean, active_runners smallint, market_time timestamptz)
   WHERE NOT EXISTS (SELECT FROM exchange_market_changes c
                      WHERE c.market_id = n.market_id AND c.version = n.version
                        AND c.at <= n.at AND (c.market_time IS NOT NULL OR n.market_time IS NULL) OFFSET 0)
   ORDER BY n.market_id, n.version, n.at
  ON CONFLICT (market_id, version) DO UPDATE
     SET at = LEAST(stored.at, EXCLUDED.at), market_time = COALESCE(stored.market_time, EXCLUDED.market_time)
   WHERE EXCLUDED.at < stored.at OR (stored.market_time IS NULL AND EXCLUDED.market_time IS NOT NULL);

  WITH reported AS MATERIALIZED (
    SELECT w.market_id, w.race_id, w.at, n.selection_id, COALESCE(n.number, stored.number) AS number, COALESCE(n.name, stored.name) AS name,
           n.status, n.back_price, n.back_size, n.lay_price, n.lay_size, n.last_traded AS traded_now, n.traded_volume AS volume_now,
           COALESCE(n.last_traded, stored.last_traded) AS last_traded, COALESCE(n.traded_volume, stored.traded_volume) AS traded_volume,
           CASE WHEN n.status NOT IN ('REMOVED', 'REMOVED_VACANT') OR stored.market_id IS NULL THEN COALESCE(n.bsp, stored.bsp) END AS bsp,
           COALESCE(n.adjustment_factor, stored.adjustment_factor) AS adjustment_factor,
           CASE WHEN n.status IN ('REMOVED', 'REMOVED_VACANT') THEN COALESCE(n.removed_at, stored.removed_at)
                WHEN stored.market_id IS NULL THEN n.removed_at END AS removed_at,
           stored.back_price AS was_back, stored.lay_price AS was_lay, stored.last_traded AS was_traded, stored.line, stored.market_id IS NULL AS is_new
      FROM unnest(written_ids, written_races, written_ats) AS w (market_id, race_id, at)
     CROSS JOIN LATERAL jsonb_to_recordset(p_runners -> w.market_id) AS n (selection_id bigint, number smallint, name text, status text,
           back_price double precision, back_size double precision, lay_price double precision, lay_size double precision,
           last_traded double precision, traded_volume double precision, bsp double precision,
           adjustment_factor double precision, removed_at timestamptz)
      LEFT JOIN LATERAL (SELECT x.ctid AS line, x.* FROM exchange_runners x
                          WHERE x.market_id = w.market_id AND x.selection_id = n.selection_id OFFSET 0) stored ON true
  ), ticks AS (
    INSERT INTO exchange_ticks (at, market_id, selection_id, back_price, lay_price, last_traded, traded_volume)
    SELECT n.at, n.market_id, n.selection_id, n.back_price, n.lay_price, n.traded_now, n.volume_now
      FROM reported n
     CROSS JOIN LATERAL (SELECT start_time FROM races WHERE races.race_id = n.race_id LIMIT 1) r
     WHERE n.at >= r.start_time - capture_window()
       AND (n.back_price, n.lay_price, n.traded_now) IS DISTINCT FROM (n.was_back, n.was_lay, n.was_traded)
    ON CONFLICT DO NOTHING
  ), added AS (
    INSERT INTO exchange_runners (market_id, selection_id, number, name, status, back_price, back_size, lay_price,
           lay_size, last_traded, traded_volume, bsp, adjustment_factor, removed_at)
    SELECT market_id, selection_id, number, name, status, back_price, back_size, lay_price,
           lay_size, last_traded, traded_volume, bsp, adjustment_factor, removed_at
      FROM reported WHERE is_new
  )
  UPDATE exchange_runners r
     SET number = n.number, name = n.name, status = n.status, back_price = n.back_price, back_size = n.back_size,
         lay_price = n.lay_price, lay_size = n.lay_size, last_traded = n.last_traded, traded_volume = n.traded_volume, bsp = n.bsp,
         adjustment_factor = n.adjustment_factor, removed_at = n.removed_at
    FROM reported n
   WHERE r.ctid = n.line AND r.market_id = n.market_id AND r.selection_id = n.selection_id AND NOT n.is_new
     AND (n.number, n.name, n.status, n.back_price, n.back_size, n.lay_price, n.lay_size, n.last_traded, n.traded_volume, n.bsp,
          n.adjustment_factor, n.removed_at)
         IS DISTINCT FROM (r.number, r.name, r.status, r.back_price, r.back_size, r.lay_price, r.lay_size, r.last_traded, r.traded_volume, r.bsp,
          r.adjustment_factor, r.removed_at);

  FOR s IN
    SELECT w.race_id, w.at, n.inplay, n.inplay_at, n.market_status, n.closed_at, book.bookmaker_key, book.market_status AS book_status
      FROM unnest(written_ids, written_races, written_ats) AS w (market_id, race_id, at)
     CROSS JOIN LATERAL jsonb_to_record(p_stamps -> w.market_id) AS n (inplay boolean, inplay_at timestamptz, market_status text,
           closed_at timestamptz)
      LEFT JOIN LATERAL (SELECT b.bookmaker_key, b.market_status FROM race_books b
                          WHERE b.race_id = w.race_id AND b.bookmaker_key = ANY (p_state_books) LIMIT 1) book ON true
     WHERE p_stamps ? w.market_id
     ORDER BY w.race_id, w.at
  LOOP
    UPDATE races r
       SET inplay = s.inplay, inplay_at = COALESCE(r.inplay_at, s.inplay_at),
           market_status = CASE WHEN s.bookmaker_key IS NULL THEN COALESCE(s.market_status, r.market_status)
                                WHEN r.market_state_source = p_exchange AND r.market_closed_at IS NULL THEN s.book_status
                                ELSE r.market_status END,
           market_state_source = CASE WHEN s.bookmaker_key IS NULL AND s.market_status IS NOT NULL THEN p_exchange
                                      WHEN s.bookmaker_key IS NULL OR r.market_state_source IS DISTINCT FROM p_exchange
                                           OR r.market_closed_at IS NOT NULL THEN r.market_state_source
                                      WHEN s.book_status IS NOT NULL THEN s.bookmaker_key END,
           market_closed_at = CASE WHEN s.bookmaker_key IS NULL THEN COALESCE(r.market_closed_at, s.closed_at)
                                   ELSE r.market_closed_at END,
           updated_at = GREATEST(r.updated_at, s.at)
     WHERE r.race_id = s.race_id
       AND (r.inplay IS DISTINCT FROM s.inplay
            OR (r.inplay_at IS NULL AND s.inplay_at IS NOT NULL)
            OR (s.bookmaker_key IS NULL AND (r.market_status, r.market_state_source) IS DISTINCT FROM (s.market_status, p_exchange))
            OR (s.bookmaker_key IS NULL AND r.market_closed_at IS NULL AND s.closed_at IS NOT NULL)
            OR (s.bookmaker_key IS NOT NULL AND r.market_state_source = p_exchange AND r.market_closed_at IS NULL));
  END LOOP;
END $$;
