// The API over a database that contains a little of everything, including exchange rows, with a key per plan and role.

import { randomBytes, randomInt } from 'node:crypto';
import type { ServerLimits } from '../../../src/api/kernel/http/connection/server';
import { exampleRun } from '../../../src/api/operations/quality/audit-schema';
import { bookmaker } from '../../../src/domain/bookmakers';
import type { AuditStore } from '../../../src/store/audits';
import { createStores } from '../../../src/store/create-stores';
import { type ApiKeyRow, createKeyStore, hashApiKey } from '../../../src/store/keys/keys';
import { createReads } from '../../../src/store/reads/reads';
import { createRedis } from '../../../src/store/redis/redis';
import { createSharedAnswers } from '../../../src/store/redis/shared-answers';
import { createResolver } from '../../../src/webhooks/address/resolver';
import { PATIENT_MS } from '../patient';
import { addRace } from '../races/board';
import { feedResult, feedRunner } from '../races/builders';
import { horseForm } from '../races/horse-form';
import { addPremierships } from '../races/premierships';
import { registryCondition } from '../races/registry';
import { addRuns } from '../races/stored-runs';
import { createTestDatabase, type TestDatabase } from '../servers/database';
import { poolAs } from '../servers/roles';
import { addMatches } from '../sports/stored-matches';
import { keyRow, newKey, startApi, type TestApi } from './api';
import type { GivenApi } from './given-api';

export interface Served {
  readonly api: TestApi;
  readonly db: TestDatabase;
  /** A key in the real key store. */
  addKey(over?: Partial<ApiKeyRow>): Promise<string>;
  stop(): Promise<void>;
}

/** Two of the books with a route: the links of one name the market, those of the other do not. */
export const BETSLIP = {
  ladbrokes_au: bookmaker('ladbrokes_au')!.betslip!.template!,
  tab: 'https://tab.example/add/{race}/{runner}',
};

/** Nothing listens there: every name is accepted at first, on every machine. */
const NO_SERVER = '127.0.0.1:1';

/** Webhooks as on a local stack. */
const ON_THIS_MACHINE = {
  rules: { allowLoopback: true, allowHttp: true },
  resolve: createResolver(1000, [NO_SERVER]),
};

export async function serve(
  over: Partial<GivenApi> | ((db: TestDatabase) => Partial<GivenApi>) = {},
  limits?: Partial<ServerLimits>,
): Promise<Served> {
  const db = await createTestDatabase();
  const pool = poolAs(db, 'racing_api');
  const stores = createStores(pool);
  const { keys, ingest, sportIngest, health, usage, sessions } = stores;
  const redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
  const sharedAnswers = createSharedAnswers(redis, db.url);
  const reads = createReads(pool);
  const own = {
    reads,
    sharedAnswers,
    keys,
    ingest,
    sportIngest,
    health,
    usage,
    sessions,
    keyStores: stores,
    auditRunner: { run: async () => ({ runId: exampleRun.id, failed: false }) },
    backfills: { store: stores.backfill, start: () => undefined, random: randomInt },
    // There is no worker to make an attempt.
    webhooks: { store: stores.ownedWebhooks, ...ON_THIS_MACHINE, random: randomBytes, testPatienceMs: 500 },
    widgets: { store: stores.ownedWidgets, random: randomBytes },
    betslipTemplates: BETSLIP,
  };
  const api = await startApi({ ...own, ...(typeof over === 'function' ? over(db) : over) }, limits);
  return {
    api,
    db,
    async addKey(over = {}) {
      const key = newKey();
      await createKeyStore(db.pool).insert(hashApiKey(key), keyRow(key, over));
      return key;
    },
    async stop() {
      await api.close();
      redis.disconnect();
      await pool.end();
      await db.drop();
    },
  };
}

/** A job of this key's account, with the id of the examples; none of its horses is collected. */
export async function addBackfillJob(db: TestDatabase, key: string): Promise<void> {
  const { keys, backfill } = createStores(db.pool);
  const { accountId, keyId } = (await keys.find([hashApiKey(key)]))[0]!;
  await backfill.submit({
    jobId: 'bf_20261121_4k9z0q',
    accountId,
    keyId,
    price: 3,
    label: 'spring',
    request: '0'.repeat(64),
    at: '2026-11-21T02:00:00.000Z',
    repeatedSince: '2026-11-21T02:00:00.000Z',
    repeated: 0,
    notFound: [],
    horses: [{ input: 'Gold Trip', key: 'goldtrip', name: 'Gold Trip (FR)', refs: ['ra:1002'], pageRef: null }],
  });
}

/** An audit of horses with the id of the examples, which found a difference. */
async function addAudit({ begin, end }: AuditStore, raceId: string, at: string): Promise<void> {
  const race = { raceId, venue: 'Flemington', raceNumber: 1, day: '2026-11-21' };
  const api = [{ selection: '1. Gold Trip (FR)', price: 6, consensus: 5.5, deviationPct: 100 / 11 }];
  const source = { '1. Gold Trip (FR)': 5.5 };
  const diff = {
    bookmakerKey: 'tab',
    race,
    event: null,
    market: 'win',
    status: 'diff',
    delta: 0.5,
    message: '1 price differs.',
    api,
    source,
  } as const;
  const rows = {
    apiRows: 5,
    sourceRows: 5,
    commonRows: 4,
    exactMatches: 3,
    diffRows: 1,
    missingApi: 1,
    missingSource: 1,
  };
  const figures = { ...rows, maxDelta: 0.5, booksChecked: 2, racesChecked: 1, outliers: 0, crossChecks: 0 };
  const order = { runId: exampleRun.id, sportKey: 'racing_horse' } as const;
  await begin(order, at);
  await end(order, { verdict: 'differs', figures, findings: [diff], levels: new Map() }, at);
}

/** Prices that only the exchange has: none of them may be in a customer's response. */
export const EXCHANGE_PRICES = [777.5, 888.5, 999.5];

/**
 * A priced race with every leg, a scratching and exchange quotes; one of unknown country; a final, an interim and an
 * abandoned result.
 */
const MATCH_AHEAD = `SELECT event_id AS match FROM sport_events WHERE sport_key = 'nrl' AND commence_time > $1 ORDER BY commence_time DESC, event_id`;

export async function seedEverything(db: TestDatabase): Promise<{ next: string; final: string; match: string }> {
  const stores = createStores(db.pool);
  const scratching = { at: '2026-11-20T22:10:00.000Z', late: true, winDeduction: 0.08, placeDeduction: 0.05 };
  const field = (shift: number) => [
    feedRunner(1, { name: 'Gold Trip (FR)', win: 5.5 + shift, place: 2.1, top2: 3.2, top3: 2.4, top4: 1.9 }),
    feedRunner(2, { name: 'Plain Sailing', win: 2.4 + shift, toteWin: { PROV: 2.6 }, jockey: 'A. Rider', barrier: 3 }),
    feedRunner(3, { name: 'Late Mail', scratching }),
  ];
  const exchange = EXCHANGE_PRICES.map((win, i) => feedRunner(i + 1, { name: field(0)[i]!.name, win }));
  const next = await addRace(
    db.pool,
    { startTime: '2026-11-21T03:10:00.000Z', trackCondition: 'Good (4)' },
    {
      ladbrokes_au: {
        runners: field(0),
        before: field(0.2),
        beforeSeconds: 360,
        sourceUrl: 'https://ladbrokes.example/race/1',
      },
      tab: { runners: field(0.5), before: field(1), beforeSeconds: 360 },
      betfair_ex_au: { runners: exchange, marketStatus: 'CLOSED', inPlay: true },
    },
  );
  await addRace(
    db.pool,
    { raceNumber: 2, country: null, startTime: '2026-11-21T03:20:00.000Z' },
    { tab: { runners: field(1), before: [feedRunner(1, { name: 'Gold Trip (FR)', win: 8 }), ...field(1).slice(1)] } },
  );

  const ran = async (raceNumber: number, startTime: string) => {
    const closed = { runners: exchange, at: startTime, marketStatus: 'CLOSED', inPlay: true } as const;
    const books = { ladbrokes_au: { runners: field(0), at: startTime }, betfair_ex_au: closed };
    const { raceId } = await addRace(db.pool, { raceNumber, startTime }, books);
    return raceId;
  };
  const at = '2026-11-21T01:30:00.000Z';
  const final = await ran(3, '2026-11-21T01:00:00.000Z');
  const result = feedResult({
    placings: [
      { position: 1, number: 1, name: 'Gold Trip (FR)' },
      { position: 2, number: 2, name: 'Plain Sailing' },
    ],
    straight: [{ market: 'WIN', product: 'FIXED', number: 1, amount: 5.5 }],
    exotics: [{ code: 'QN', product: 'VIC', selection: '1,2', amount: 8.4 }],
    multiRace: [{ code: 'QD', type: 'Quaddie', product: 'VIC', legs: [{ raceNumber: 3 }], selection: '1', amount: 90 }],
  });
  await stores.results.saveResult({ raceId: final, source: 'ladbrokes_au', result, at });
  await stores.results.finalise(final, at);
  const interim = await ran(4, '2026-11-21T01:40:00.000Z');
  await stores.results.saveResult({ raceId: interim, source: 'ladbrokes_au', result, at: '2026-11-21T01:45:00.000Z' });
  const abandoned = await ran(5, '2026-11-21T02:00:00.000Z');
  await stores.results.abandon(abandoned, 'abandoned', 'ladbrokes_au', at);
  for (const raceId of [final, interim, abandoned]) {
    await stores.races.savePhase(raceId, 'final', { jumpedAt: at, leftBoardAt: at }, at);
    await stores.archive.archive(raceId, at);
  }
  await addMatches(db);
  await addAudit(stores.audits, next.raceId, at);
  await addPremierships(db.pool, at);
  await stores.registry.saveTracks('VIC', [registryCondition({ rail: 'True' })], at);
  const poll = { at, ok: true, status: 'ok', message: null, recordsWritten: 3, counts: [] };
  await stores.health.recordPolls([
    { ...poll, connector: 'ladbrokes_au' },
    { ...poll, connector: 'tab', ok: false, status: 'timeout', message: 'no answer in 5000 ms' },
    { ...poll, connector: 'betfair_ex_au' },
  ]);
  const run = { start_time: '2026-11-14T03:00:00.000Z', sp: 4.5, box: 3, time_s: 29.5, distance_m: 515 };
  await addRuns(
    db.pool,
    { ...run, name: 'Gold Trip (FR)', category: 'horse', runner_ref: 'ra:1002' },
    { ...run, name: 'Quick Sixpence', runner_ref: 'grv:531882' },
  );
  await stores.forms.save(horseForm({ runnerCode: '1002' }), at);
  await stores.health.recordUptime([{ at, ok: true, latencyMs: 4, target: 'https://api.example.com/healthz' }]);
  const { rows: matches } = await db.pool.query<{ match: string }>(MATCH_AHEAD, [at]);
  return { next: next.raceId, final, match: matches[0]!.match };
}
