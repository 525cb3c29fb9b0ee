// Writes the exchange's reports on its markets in one statement. A report that is not later than the stored one adds to
// the list of versions and changes nothing else, so polls and the stream may both deliver it, in any order and
// repeatedly. Customers never read any of it.
import type { Pool } from 'pg';
import { BOOKMAKERS } from '../domain/bookmakers';
import { raceMarketStatus } from '../domain/prices/exchange';
import type { ExchangeMarket } from '../domain/race/feed-race';
import type { Instant } from '../domain/race/race';

/** Markets in the order in which they were reported; a market may occur in several versions. */
interface ExchangeWrite {
  readonly markets: readonly ExchangeMarket[];
  /** The race of all of them; null: each is looked up by its id among the listed races. */
  readonly raceId: string | null;
  readonly observedAt: Instant;
}

export interface ExchangeStore {
  /**
   * Writes state, versions, runners, ticks and the race's own stamps from a poll or the stream. Idempotent, in any
   * order.
   */
  saveMarkets(write: ExchangeWrite): Promise<void>;
}

export function createExchangeStore(pool: Pool): ExchangeStore {
  return {
    async saveMarkets(write) {
      if (write.markets.length > 0) await pool.query({ name: 'exchange', text: SAVE_MARKETS, values: valuesOf(write) });
    },
  };
}

const EXCHANGE = 'betfair_ex_au';
/**
 * Books whose market state is published as the race's. If one of them lists the race, the exchange's state is not used
 * (A 2.2, D20).
 */
const STATE_BOOKS = BOOKMAKERS.filter((book) => book.marketStateSource && book.kind === 'bookmaker').map(
  ({ key }) => key,
);

/** The last report on each market is its state; the reports before it only count as versions. */
function valuesOf({ markets, raceId, observedAt }: ExchangeWrite): unknown[] {
  const last = [...new Map(markets.map((market) => [market.marketId, market])).values()];
  const wins = last.filter((market) => market.marketType === 'WIN').map(({ marketId }) => marketId);
  return [
    JSON.stringify(last.map(marketRow)),
    JSON.stringify(markets.map((market) => ({ ...marketRow(market), at: market.publishedAt ?? observedAt }))),
    JSON.stringify(last.flatMap(runnerRows)),
    JSON.stringify(
      wins.map((id) =>
        stampRow(
          id,
          markets.filter(({ marketId }) => marketId === id),
          observedAt,
        ),
      ),
    ),
    raceId,
    observedAt,
    EXCHANGE,
    STATE_BOOKS,
  ];
}

const marketRow = (market: ExchangeMarket) => ({
  market_id: market.marketId,
  market_type: market.marketType,
  version: market.version,
  status: market.status,
  in_play: market.inPlay,
  bsp_reconciled: market.bspReconciled,
  number_of_winners: market.numberOfWinners,
  active_runners: market.activeRunners,
  total_matched: market.totalMatched,
  market_time: market.marketTime,
  settled_at: market.settledAt,
});

const runnerRows = ({ marketId, runners }: ExchangeMarket) =>
  runners.map((runner) => ({
    market_id: marketId,
    selection_id: runner.selectionId,
    number: runner.number,
    name: runner.name,
    status: runner.status,
    back_price: runner.backPrice,
    back_size: runner.backSize,
    lay_price: runner.layPrice,
    lay_size: runner.laySize,
    last_traded: runner.lastTraded,
    traded_volume: runner.tradedVolume,
    bsp: runner.bsp,
    adjustment_factor: runner.adjustmentFactor,
    removed_at: runner.removedAt,
  }));

/**
 * The race's own stamps, from every reported version of its WIN market: it may turn in play and close in one report.
 */
function stampRow(marketId: string, versions: readonly ExchangeMarket[], observedAt: Instant) {
  const first = (is: (market: ExchangeMarket) => boolean): Instant | null => {
    const found = versions.find(is);
    return found ? (found.publishedAt ?? observedAt) : null;
  };
  const last = versions.at(-1)!;
  return {
    market_id: marketId,
    inplay: last.inPlay,
    inplay_at: first((market) => market.inPlay),
    market_status: raceMarketStatus(last),
    closed_at: first((market) => raceMarketStatus(market) === 'CLOSED'),
  };
}

/**
 * $1 the markets, $2 their versions, $3 their runners, $4 the race's stamps, $5 the race or null, $6 our instant.
 *
 * A field that a report leaves out keeps its value (a poll has no start, the stream no name). A starting price stays
 * until its runner is removed: most responses do not have it. Ticks are stored only inside the capture window of a race
 * that we list, as for every book. In play comes from the exchange (A 2.2). The market state comes from it only while
 * no book of `STATE_BOOKS` lists the race: the source then names the exchange, so customers read null. When such a book
 * lists the race before the close, the state is that book's.
 */
const SAVE_MARKETS = `
  WITH written AS (
    INSERT INTO exchange_markets AS stored
           (market_id, race_id, market_type, version, status, in_play, bsp_reconciled, number_of_winners, active_runners,
            total_matched, market_time, settled_at, observed_at)
    SELECT market_id,
           COALESCE($5, (SELECT b.race_id FROM race_books b WHERE b.bookmaker_key = $7 AND b.source_race_id = n.market_id)),
           market_type, version, status, in_play, bsp_reconciled, number_of_winners, active_runners,
           total_matched, market_time, settled_at, $6::timestamptz
      FROM jsonb_to_recordset($1) AS n (market_id text, market_type text, version bigint, status text, in_play boolean,
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
      FROM jsonb_to_recordset($2) AS n (market_id text, version bigint, at timestamptz, status text, in_play boolean,
           bsp_reconciled boolean, active_runners smallint, market_time timestamptz)
     ORDER BY market_id, version, at
    ON CONFLICT (market_id, version) DO UPDATE
       SET at = LEAST(stored.at, EXCLUDED.at), market_time = COALESCE(stored.market_time, EXCLUDED.market_time)
     WHERE EXCLUDED.at < stored.at OR (stored.market_time IS NULL AND EXCLUDED.market_time IS NOT NULL)
  ), runners AS (
    SELECT n.*, w.race_id
      FROM jsonb_to_recordset($3) AS n (market_id text, selection_id bigint, number smallint, name text, status text,
           back_price double precision, back_size double precision, lay_price double precision, lay_size double precision,
           last_traded double precision, traded_volume double precision, bsp double precision,
           adjustment_factor double precision, removed_at timestamptz)
      JOIN written w USING (market_id)
  ), ticks AS (
    INSERT INTO exchange_ticks (at, market_id, selection_id, back_price, lay_price, last_traded, traded_volume)
    SELECT $6::timestamptz, n.market_id, n.selection_id, n.back_price, n.lay_price, n.last_traded, n.traded_volume
      FROM runners n
      JOIN races r USING (race_id)
      LEFT JOIN exchange_runners stored USING (market_id, selection_id)
     WHERE $6::timestamptz >= r.start_time - capture_window()
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
  ), stamps AS (
    SELECT w.race_id, n.inplay, n.inplay_at, n.market_status, n.closed_at, book.bookmaker_key, book.market_status AS book_status
      FROM jsonb_to_recordset($4) AS n (market_id text, inplay boolean, inplay_at timestamptz, market_status text,
           closed_at timestamptz)
      JOIN written w USING (market_id)
      LEFT JOIN LATERAL (SELECT b.bookmaker_key, b.market_status FROM race_books b
                          WHERE b.race_id = w.race_id AND b.bookmaker_key = ANY ($8) LIMIT 1) book ON true
  )
  UPDATE races r
     SET inplay = s.inplay, inplay_at = COALESCE(r.inplay_at, s.inplay_at),
         market_status = CASE WHEN s.bookmaker_key IS NULL THEN COALESCE(s.market_status, r.market_status)
                              WHEN r.market_state_source = $7 AND r.market_closed_at IS NULL THEN s.book_status
                              ELSE r.market_status END,
         market_state_source = CASE WHEN s.bookmaker_key IS NULL AND s.market_status IS NOT NULL THEN $7
                                    WHEN s.bookmaker_key IS NULL OR r.market_state_source IS DISTINCT FROM $7
                                         OR r.market_closed_at IS NOT NULL THEN r.market_state_source
                                    WHEN s.book_status IS NOT NULL THEN s.bookmaker_key END,
         market_closed_at = CASE WHEN s.bookmaker_key IS NULL THEN COALESCE(r.market_closed_at, s.closed_at)
                                 ELSE r.market_closed_at END,
         updated_at = GREATEST(r.updated_at, $6::timestamptz)
    FROM stamps s
   WHERE r.race_id = s.race_id
     AND (r.inplay IS DISTINCT FROM s.inplay
          OR (r.inplay_at IS NULL AND s.inplay_at IS NOT NULL)
          OR (s.bookmaker_key IS NULL AND (r.market_status, r.market_state_source) IS DISTINCT FROM (s.market_status, $7))
          OR (s.bookmaker_key IS NULL AND r.market_closed_at IS NULL AND s.closed_at IS NOT NULL)
          OR (s.bookmaker_key IS NOT NULL AND r.market_state_source = $7 AND r.market_closed_at IS NULL))`;
