// Writes the exchange's reports on its markets in one statement, `save_exchange_markets` (migrations/functions). A
// report that is not later than the stored one adds to the list of versions and changes nothing else, so polls and the
// stream may both deliver it, in any order and repeatedly. Customers never read any of it.
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
  const wins = last.filter((market) => market.marketType === 'WIN');
  const versionsOf = (market: ExchangeMarket) => markets.filter(({ marketId }) => marketId === market.marketId);
  return [
    JSON.stringify(last.map(marketRow)),
    JSON.stringify(markets.map((market) => ({ ...marketRow(market), at: market.publishedAt ?? observedAt }))),
    JSON.stringify(byMarket(last, runnerRows)),
    JSON.stringify(byMarket(wins, (market) => stampRow(versionsOf(market), observedAt))),
    raceId,
    observedAt,
    EXCHANGE,
    STATE_BOOKS,
  ];
}

const byMarket = <T>(markets: readonly ExchangeMarket[], entryOf: (market: ExchangeMarket) => T) =>
  Object.fromEntries(markets.map((market) => [market.marketId, entryOf(market)]));

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

const runnerRows = ({ runners }: ExchangeMarket) =>
  runners.map((runner) => ({
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
function stampRow(versions: readonly ExchangeMarket[], observedAt: Instant) {
  const first = (is: (market: ExchangeMarket) => boolean): Instant | null => {
    const found = versions.find(is);
    return found ? (found.publishedAt ?? observedAt) : null;
  };
  const last = versions.at(-1)!;
  return {
    inplay: last.inPlay,
    inplay_at: first((market) => market.inPlay),
    market_status: raceMarketStatus(last),
    closed_at: first((market) => raceMarketStatus(market) === 'CLOSED'),
  };
}

const SAVE_MARKETS = `
  SELECT save_exchange_markets($1::jsonb, $2::jsonb, $3::jsonb, $4::jsonb, $5::uuid, $6::timestamptz, $7::text, $8::text[])`;
