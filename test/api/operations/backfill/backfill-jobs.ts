// Jobs of backfill over real HTTP, with the worker's side of the same tables.
import { randomInt } from 'node:crypto';
import type { Pool } from 'pg';
import { monthlyCreditsOf } from '../../../../src/plans/overage';
import { createStores } from '../../../../src/store/create-stores';
import type { MonthlyCreditsOf } from '../../../../src/store/credits/charge-within';
import { hashApiKey } from '../../../../src/store/keys/keys';
import { NOW } from '../../../support/api/api';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { horseForm } from '../../../support/races/horse-form';
import { addRuns } from '../../../support/races/stored-runs';
import { poolAs } from '../../../support/servers/roles';

export const PATH = '/v1/racing/horses/backfill';
export const NOW_MS = Date.parse(NOW);
export const PERIOD = '2026-11-01';

export const codeOf = (name: string): string =>
  `ra:${[...name].reduce((sum, c) => sum * 31 + c.charCodeAt(0), 7) % 1_000_000_007}`;
export const json = (body: object) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** As a plan with this many credits a month. */
export const poor =
  (allowance: number): MonthlyCreditsOf =>
  () => ({ allowance, overage: 0 });

/** Call it once; every test begins without jobs, and ends with balances that the ledger explains. */
export function backfillJobs() {
  const lab = { started: [] as string[] } as {
    readonly started: string[];
    served: Served;
    worker: ReturnType<typeof createStores>;
  };
  let workerPool: Pool;
  let apiPool: Pool;
  beforeAll(async () => {
    lab.served = await serve((db) => {
      apiPool = poolAs(db, 'racing_api');
      const { backfill } = createStores(apiPool);
      return { backfills: { store: backfill, start: (jobId) => lab.started.push(jobId), random: randomInt } };
    });
    workerPool = poolAs(lab.served.db, 'racing_worker');
    lab.worker = createStores(workerPool);
  });
  afterAll(async () => {
    await workerPool.end();
    await apiPool.end();
    await lab.served.stop();
  });

  beforeEach(async () => {
    lab.started.length = 0;
    lab.served.api.now = NOW_MS;
    await lab.served.db.pool.query(
      'TRUNCATE backfill_items, backfill_jobs, backfill_accounts, backfill_reads, horse_forms, registry_doors',
    );
  });
  afterEach(async () => expect(await createStores(lab.served.db.pool).credits.audit()).toEqual([]));

  /** Horses that the feeds have reported, each with one meeting's code. */
  const seen = (...names: readonly string[]) =>
    addRuns(
      lab.served.db.pool,
      ...names.map((name) => ({
        name,
        runner_ref: codeOf(name),
        category: 'horse' as const,
        start_time: '2026-11-01T03:00:00.000Z',
      })),
    );
  const store = (name: string, fetchedAt: string) =>
    lab.worker.forms.save(horseForm({ name, runnerCode: codeOf(name).slice(3) }), fetchedAt);
  const post = (key: string, horses: readonly string[], label?: string | null) =>
    lab.served.api.send('POST', PATH, { key, ...json({ horses, ...(label !== undefined && { label }) }) });
  async function submit(key: string, horses: readonly string[], label?: string) {
    const { status, body } = await post(key, horses, label);
    expect([status, body]).toEqual([200, body]);
    expectConforms('submit_backfill', body);
    return body;
  }
  async function statusOf(key: string, jobId: string) {
    const { status, body } = await lab.served.api.get(`${PATH}/${jobId}`, key);
    expect([status, body]).toEqual([200, body]);
    expectConforms('backfill_status', body);
    return body;
  }
  async function resultsOf(key: string, jobId: string, query = '') {
    const { status, body } = await lab.served.api.get(`${PATH}/${jobId}/results${query}`, key);
    expect([status, body]).toEqual([200, body]);
    expectConforms('backfill_results', body);
    return body;
  }
  const plusKey = () => lab.served.addKey({ plan: 'plus' });
  const accountOf = async (key: string): Promise<string> => {
    const { rows } = await lab.served.db.pool.query('SELECT account_id FROM api_keys WHERE key_hash = $1', [
      hashApiKey(key),
    ]);
    return rows[0].account_id;
  };
  const at = () => ({ at: new Date(lab.served.api.now).toISOString(), wall: NOW, period: PERIOD });
  const take = () => lab.worker.backfill.take({ at: at().at, wall: NOW, leasedUntil: '2026-11-21T03:00:30.000Z' });
  const deliver = (jobId: string, place: number, of: MonthlyCreditsOf = monthlyCreditsOf) =>
    lab.worker.backfill.deliver({ jobId, place }, at(), of);
  /** Reads and stores the page of the horse whose turn it is. */
  async function readNext() {
    const horse = await take();
    if (!horse) return null;
    await lab.worker.forms.save(
      horseForm({ name: horse.key.toUpperCase(), runnerCode: horse.refs[0]!.slice(3) }),
      at().at,
    );
    const items = await lab.worker.backfill.noteStored(horse, horse.refs[0]!);
    await lab.worker.backfill.endLease(horse.key, at().at);
    return { key: horse.key, items };
  }

  return Object.assign(lab, {
    seen,
    store,
    post,
    submit,
    statusOf,
    resultsOf,
    plusKey,
    accountOf,
    take,
    at,
    deliver,
    readNext,
  });
}
