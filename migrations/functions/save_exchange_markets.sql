-- Saves the exchange's reports on its markets: state, versions, runners, ticks and the race's own stamps. Called by `src/store` alone.
--
-- p_markets the markets, p_versions their versions, p_runners their runners and p_stamps the race's stamps, both by market, p_race the race or null,
-- p_at our instant.
-- A field that a report leaves out keeps its value (a poll has no start, the stream no name). A starting price stays until its runner is removed:
-- most responses do not have it. Ticks are stored only inside the capture window of a race that we list, as for every book. In play comes from the
-- exchange (A 2.2). The market state comes from it only while no book of p_state_books lists the race: the source then names the exchange, so
-- customers read null. When such a book lists the race before the close, the state is that book's.
--
-- The plan is pinned: made anew for each report it cost more than its execution. Every row is found by its key, the races one by one,
-- and what belongs to a market by the market's name, so that a report of a hundred markets compares no pairs of them.
CREATE OR REPLACE FUNCTION save_exchange_markets(
  p_markets jsonb, p_versions jsonb, p_runners jsonb, p_stamps jsonb, p_race uuid, p_at timestamptz, p_exchange text, p_state_books text[])
RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  s record;
BEGIN
  FOR s IN WITH written AS (
    INSERT INTO exchange_markets AS stored
           (market_id, race_id, market_type, version, status, in_play, bsp_reconciled, number_of_winners, active_runners,
            total_matched, market_time, settled_at, observed_at)
    SELECT market_id,
           COALESCE(p_race, (SELECT b.race_id FROM race_books b WHERE b.bookmaker_key = p_exchange AND b.source_race_id = n.market_id)),
           market_type, version, status, in_play, bsp_reconciled, number_of_winners, active_runners,
           total_matched, market_time, settled_at, p_at
      FROM jsonb_to_recordset(p_markets) AS n (market_id text, market_type text, version bigint, status text, in_play boolean,
           bsp_reconciled boolean, number_of_winners smallint, active_runners smallint, total_matched double precision,
           market_time timestamptz, settled_at timestamptz)
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
    RETURNING market_id, race_id
  ), versions AS (
    INSERT INTO exchange_market_changes AS stored
           (market_id, version, at, status, in_play, bsp_reconciled, active_runners, market_time)
    SELECT DISTINCT ON (market_id, version)
           market_id, version, at, status, in_play, bsp_reconciled, active_runners, market_time
      FROM jsonb_to_recordset(p_versions) AS n (market_id text, version bigint, at timestamptz, status text, in_play boolean,
           bsp_reconciled boolean, active_runners smallint, market_time timestamptz)
     ORDER BY market_id, version, at
    ON CONFLICT (market_id, version) DO UPDATE
       SET at = LEAST(stored.at, EXCLUDED.at), market_time = COALESCE(stored.market_time, EXCLUDED.market_time)
     WHERE EXCLUDED.at < stored.at OR (stored.market_time IS NULL AND EXCLUDED.market_time IS NOT NULL)
  ), runners AS (
    SELECT w.market_id, w.race_id, n.*
      FROM written w
     CROSS JOIN LATERAL jsonb_to_recordset(p_runners -> w.market_id) AS n (selection_id bigint, number smallint, name text, status text,
           back_price double precision, back_size double precision, lay_price double precision, lay_size double precision,
           last_traded double precision, traded_volume double precision, bsp double precision,
           adjustment_factor double precision, removed_at timestamptz)
  ), ticks AS (
    INSERT INTO exchange_ticks (at, market_id, selection_id, back_price, lay_price, last_traded, traded_volume)
    SELECT p_at, n.market_id, n.selection_id, n.back_price, n.lay_price, n.last_traded, n.traded_volume
      FROM runners n
     CROSS JOIN LATERAL (SELECT start_time FROM races WHERE races.race_id = n.race_id LIMIT 1) r
      LEFT JOIN exchange_runners stored USING (market_id, selection_id)
     WHERE p_at >= r.start_time - capture_window()
       AND (n.back_price, n.lay_price, n.last_traded) IS DISTINCT FROM (stored.back_price, stored.lay_price, stored.last_traded)
    ON CONFLICT DO NOTHING
  ), saved_runners AS (
    INSERT INTO exchange_runners AS stored (market_id, selection_id, number, name, status, back_price, back_size, lay_price,
           lay_size, last_traded, traded_volume, bsp, adjustment_factor, removed_at)
    SELECT market_id, selection_id, number, name, status, back_price, back_size, lay_price,
           lay_size, last_traded, traded_volume, bsp, adjustment_factor, removed_at
      FROM runners
    ON CONFLICT (market_id, selection_id) DO UPDATE
       SET number = COALESCE(EXCLUDED.number, stored.number), name = COALESCE(EXCLUDED.name, stored.name),
           status = EXCLUDED.status, back_price = EXCLUDED.back_price, back_size = EXCLUDED.back_size,
           lay_price = EXCLUDED.lay_price, lay_size = EXCLUDED.lay_size,
           last_traded = COALESCE(EXCLUDED.last_traded, stored.last_traded),
           traded_volume = COALESCE(EXCLUDED.traded_volume, stored.traded_volume),
           bsp = CASE WHEN EXCLUDED.status IN ('REMOVED', 'REMOVED_VACANT') THEN NULL
                      ELSE COALESCE(EXCLUDED.bsp, stored.bsp) END,
           adjustment_factor = COALESCE(EXCLUDED.adjustment_factor, stored.adjustment_factor),
           removed_at = CASE WHEN EXCLUDED.status IN ('REMOVED', 'REMOVED_VACANT')
                             THEN COALESCE(EXCLUDED.removed_at, stored.removed_at) END
  )
  SELECT w.race_id, n.inplay, n.inplay_at, n.market_status, n.closed_at, book.bookmaker_key, book.market_status AS book_status
    FROM written w
   CROSS JOIN LATERAL jsonb_to_record(p_stamps -> w.market_id) AS n (inplay boolean, inplay_at timestamptz, market_status text,
         closed_at timestamptz)
    LEFT JOIN LATERAL (SELECT b.bookmaker_key, b.market_status FROM race_books b
                        WHERE b.race_id = w.race_id AND b.bookmaker_key = ANY (p_state_books) LIMIT 1) book ON true
   WHERE p_stamps ? w.market_id
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
           updated_at = GREATEST(r.updated_at, p_at)
     WHERE r.race_id = s.race_id
       AND (r.inplay IS DISTINCT FROM s.inplay
            OR (r.inplay_at IS NULL AND s.inplay_at IS NOT NULL)
            OR (s.bookmaker_key IS NULL AND (r.market_status, r.market_state_source) IS DISTINCT FROM (s.market_status, p_exchange))
            OR (s.bookmaker_key IS NULL AND r.market_closed_at IS NULL AND s.closed_at IS NOT NULL)
            OR (s.bookmaker_key IS NOT NULL AND r.market_state_source = p_exchange AND r.market_closed_at IS NULL));
  END LOOP;
END $$;
