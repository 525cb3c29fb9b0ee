// Writes the exchange's reports of a moment on its markets in one statement, `save_exchange_reports`
// (migrations/functions). A report that is not later than the stored one adds to the list of versions and changes
// nothing else, so polls and the stream may both deliver it, in any order and repeatedly. Customers never read any of
// it. What a shared statement did not save is written by itself: no report fails because of another.
import type { Pool } from 'pg';
import { BOOKMAKERS } from '../domain/bookmakers';
import { raceMarketStatus } from '../domain/prices/exchange';
import type { ExchangeMarket } from '../domain/race/feed-race';
import type { Instant } from '../domain/race/race';
import { inBatches } from './pg/in-batches';
import { LONGEST_POLL_WAIT_MS } from './polls/poll-batches';

/** Markets in the order in which they were reported; a market may occur in several versions. */
interface ExchangeWrite {
  readonly markets: readonly ExchangeMarket[];
  /** The race of all of them; null: each is looked up by its id among the listed races. */
  readonly raceId: string | null;
  readonly observedAt: Instant;
  /** It may wait a moment for other reports, as polls do. */
  readonly mayWait?: boolean;
}

export interface ExchangeStore {
  /**
   * Writes state, versions, runners, ticks and the race's own stamps from a poll or the stream. Idempotent, in any
   * order.
   */
  saveMarkets(write: ExchangeWrite): Promise<void>;
}

/** A statement keeps its row locks until it ends, so it is kept small. */
const TOGETHER = {
  ...{ lanes: 2, most: 20, waitMs: LONGEST_POLL_WAIT_MS },
  isUrgent: ({ mayWait }: ExchangeWrite): boolean => !mayWait,
};
const ALONE = { lanes: 3, most: 1, goesFirst: TOGETHER.isUrgent };
/** The reports of a batch that are saved in turn; well within the time in which its callers expect a reply. */
const TURNS_MS = 4000;

export function createExchangeStore(pool: Pool): ExchangeStore {
  const together = inBatches((writes: readonly ExchangeWrite[]) => saveTogether(pool, writes), TOGETHER);
  const alone = inBatches(
    async (writes: readonly ExchangeWrite[]) => [await saveReports(pool, ALONE_SQL, writes)],
    ALONE,
  );
  return {
    async saveMarkets(write) {
      if (write.markets.length === 0) return;
      const isSaved = await together(write).catch(() => false);
      if (!isSaved) await alone(write);
    },
  };
}

/** Whether each is saved. */
async function saveTogether(pool: Pool, writes: readonly ExchangeWrite[]): Promise<boolean[]> {
  const endMs = performance.now() + TURNS_MS;
  let saved = 0;
  for (const turn of inTurns(writes)) {
    const isSaved = await saveReports(pool, TOGETHER_SQL, turn).then(
      () => true,
      () => false,
    );
    if (!isSaved) break;
    saved += turn.length;
    if (performance.now() > endMs) break;
  }
  return writes.map((_, i) => i < saved);
}

/** In their order; no market is twice in a turn, so the order within one does not matter. */
function inTurns(writes: readonly ExchangeWrite[]): ExchangeWrite[][] {
  const turns: ExchangeWrite[][] = [];
  let taken = new Set<string>();
  for (const write of writes) {
    const ids = write.markets.map(({ marketId }) => marketId);
    if (turns.length === 0 || ids.some((id) => taken.has(id))) {
      turns.push([]);
      taken = new Set();
    }
    turns.at(-1)!.push(write);
    for (const id of ids) taken.add(id);
  }
  return turns;
}

type Statement = { readonly name: string; readonly text: string };

const saveReports = (pool: Pool, statement: Statement, writes: readonly ExchangeWrite[]) =>
  pool.query({ ...statement, values: valuesOf(writes) });

const EXCHANGE = 'betfair_ex_au';
/**
 * Books whose market state is published as the race's. If one of them lists the race, the exchange's state is not used
 * (A 2.2, D20).
 */
const STATE_BOOKS = BOOKMAKERS.filter((book) => book.marketStateSource && book.kind === 'bookmaker').map(
  ({ key }) => key,
);

/** The last report on each market is its state; the reports before it only count as versions. */
function valuesOf(writes: readonly ExchangeWrite[]): unknown[] {
  const reports = writes.flatMap(({ markets, raceId, observedAt }) =>
    [...new Map(markets.map((market) => [market.marketId, market])).values()].map((last) => ({
      ...{ last, raceId, observedAt },
      versions: markets.filter(({ marketId }) => marketId === last.marketId),
    })),
  );
  const all = reports.flatMap(({ versions, observedAt }) =>
    versions.map((market) => ({ ...marketRow(market), at: market.publishedAt ?? observedAt })),
  );
  const wins = reports.filter(({ last }) => last.marketType === 'WIN');
  return [
    JSON.stringify(
      reports.map(({ last, raceId, observedAt }) => ({ ...marketRow(last), race_id: raceId, observed_at: observedAt })),
    ),
    JSON.stringify(all),
    JSON.stringify(byMarket(reports, ({ last }) => runnerRows(last))),
    JSON.stringify(byMarket(wins, ({ versions, observedAt }) => stampRow(versions, observedAt))),
    EXCHANGE,
    STATE_BOOKS,
  ];
}

const byMarket = <R extends { readonly last: ExchangeMarket }>(
  reports: readonly R[],
  entryOf: (report: R) => unknown,
) => Object.fromEntries(reports.map((report) => [report.last.marketId, entryOf(report)]));

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

const SAVE = 'SELECT save_exchange_reports($1::jsonb, $2::jsonb, $3::jsonb, $4::jsonb, $5::text, $6::text[])';
const ALONE_SQL: Statement = { name: 'exchange', text: SAVE };
/** Waits briefly for each lock: the others, and who waits for theirs, do not wait as long as one that is blocked. */
const TOGETHER_SQL: Statement = {
  name: 'exchange-together',
  text: `${SAVE} FROM set_config('lock_timeout', '100ms', true)`,
};
