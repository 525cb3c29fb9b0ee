// Polls as a panel makes them, at a pace, and what one of them costs: statements, CPU here and in PostgreSQL, records
// and bytes of its log. A quarter of them are of races near their jump and wait for no others. One book's market state
// and one book's start are the race's; one book is the exchange, whose reply is followed by a report on its market.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { ExchangeMarket } from '../../src/domain/race/feed-race';
import type { ExchangeStore } from '../../src/store/exchange';
import { median } from './figures';
import { usageOf } from './process-usage';

const PACED_MS = 4000;
const NEAR = 0.25;

/** Of one poll, by label. */
type Costs = Readonly<Record<string, number>>;

interface Pace<M> {
  readonly markets: readonly M[];
  readonly perSecond: number;
  readonly seconds: number;
  random(): number;
  poll(market: M, isNear: boolean): Promise<void>;
}

/** Medians of the rounds. */
export async function measurePaced<M>(pool: Pool, pace: Pace<M>): Promise<Costs> {
  const look = await meters(pool);
  const rounds: Costs[] = [];
  for (const until = performance.now() + pace.seconds * 1000; performance.now() < until; ) {
    const before = await look();
    const polls = await paced(pace);
    const after = await look();
    rounds.push(Object.fromEntries(Object.entries(after).map(([key, all]) => [key, (all - before[key]!) / polls])));
  }
  return Object.fromEntries(Object.keys(rounds[0]!).map((key) => [key, median(rounds.map((round) => round[key]!))]));
}

/** Everything that one poll costs, since the start. */
async function meters(pool: Pool): Promise<() => Promise<Costs>> {
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const postmaster = Number(/PPid:\t(\d+)/.exec(readFileSync(`/proc/${rows[0]!.pid}/status`, 'utf8'))![1]);
  const query = pool.query.bind(pool) as Pool['query'] & ((...args: unknown[]) => unknown);
  let statements = 0;
  pool.query = ((...args: unknown[]) => {
    statements += 1;
    return query(...args);
  }) as never;
  return async () => {
    // A backend reports its counts at most once a second.
    await sleep(1100);
    const wal = await query<{ records: number; bytes: number }>(
      'SELECT wal_records::float8 AS records, wal_bytes::float8 AS bytes FROM pg_stat_wal',
    );
    const { user, system } = process.cpuUsage();
    return {
      statements,
      'CPU here, ms': (user + system) / 1000,
      'CPU in PostgreSQL, ms': 1000 * usageOf(postmaster).cpuSeconds,
      'records of the log': wal.rows[0]!.records,
      'bytes of the log': wal.rows[0]!.bytes,
    };
  };
}

/** Polls markets that are not being polled, at random moments. Resolves to how many. */
async function paced<M>({ markets, perSecond, random, poll }: Pace<M>): Promise<number> {
  const busy = new Map<M, Promise<void>>();
  const began = performance.now();
  let polls = 0;
  for (let atMs = 0; atMs < PACED_MS; atMs += (-Math.log(1 - random()) * 1000) / perSecond) {
    const restMs = began + atMs - performance.now();
    if (restMs > 1) await sleep(restMs);
    const market = markets[Math.floor(random() * markets.length)]!;
    if (busy.has(market)) continue;
    polls += 1;
    const isNear = random() < NEAR;
    busy.set(
      market,
      poll(market, isNear).finally(() => busy.delete(market)),
    );
  }
  await Promise.all(busy.values());
  return polls;
}

/** A report of the exchange on the race's market: half of its runners have other prices than in the last. */
export function exchangeReport(
  raceId: string,
  atMs: number,
  runners: number,
): Parameters<ExchangeStore['saveMarkets']>[0] {
  const market: ExchangeMarket = {
    marketId: `1.${raceId}`,
    marketType: 'WIN',
    version: 1,
    status: 'OPEN',
    inPlay: false,
    bspReconciled: false,
    numberOfWinners: 1,
    activeRunners: runners,
    totalMatched: atMs % 1_000_000,
    marketTime: null,
    settledAt: null,
    publishedAt: null,
    runners: Array.from({ length: runners }, (_, n) => {
      const price = 2 + n + (n % 2 === 0 ? (atMs / 5000) % 7 : 0);
      return {
        ...{ selectionId: n + 1, number: n + 1, name: `Horse ${n}`, status: 'ACTIVE' as const, bsp: null },
        ...{
          backPrice: price,
          backSize: 10,
          layPrice: price + 1,
          laySize: 10,
          lastTraded: price,
          tradedVolume: atMs % 1e6,
        },
        ...{ adjustmentFactor: 9, removedAt: null },
      };
    }),
  };
  return { markets: [market], raceId, observedAt: new Date(atMs).toISOString() };
}
