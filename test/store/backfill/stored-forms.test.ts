// Delivered forms are stored once, and each row has the form that was delivered, whatever runs at the same time.
import fc from 'fast-check';
import type { Pool } from 'pg';
import { createStores } from '../../../src/store/create-stores';
import { grantRights, readRights } from '../../../src/store/pg/roles';
import { runs } from '../../support/property';
import { formRun, horseForm } from '../../support/races/horse-form';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';

const NOW = '2026-11-21T03:00:00.000Z';
const ACCOUNT = '00000000-0000-0000-0000-000000000001';

let db: TestDatabase;
let workers: Pool;
let api: Pool;
beforeAll(async () => {
  db = await createTestDatabase();
  workers = poolAs(db, 'racing_worker', 4);
  api = poolAs(db, 'racing_api');
});
afterAll(async () => {
  await Promise.all([workers.end(), api.end()]);
  await db.drop();
});
beforeEach(() => forget());

const forget = () =>
  db.pool.query(
    'TRUNCATE backfill_items, backfill_jobs, backfill_accounts, backfill_forms, horse_forms, events, event_keys',
  );

/** A job of one account each, whose pages are read. */
async function job(number: number, horses: readonly string[]): Promise<string> {
  const jobId = `bf_20261121_00000${number}`;
  await createStores(api).backfill.submit({
    jobId,
    accountId: ACCOUNT.replace(/.$/, String(number)),
    keyId: ACCOUNT,
    price: 0,
    label: null,
    request: '0'.repeat(64),
    at: NOW,
    repeatedSince: NOW,
    repeated: 0,
    notFound: [],
    horses: horses.map((key) => ({ input: key, key, name: key, refs: [`ra:${key}`], pageRef: `ra:${key}` })),
  });
  return jobId;
}

/** The page of a horse; another `run` is another page. */
const page = (name: string, run: number) =>
  horseForm({ name, runnerCode: name, runs: [formRun({ position: run + 1, resultRaw: `“${run}st” – ünïcode\n` })] });

const deliver = (jobId: string, place: number) =>
  createStores(workers).backfill.deliver({ jobId, place }, { at: NOW, wall: NOW, period: '2026-11-01' }, () => ({
    allowance: 0,
    overage: 0,
  }));
const rowsOf = (jobId: string) => createStores(api).backfill.rows(jobId, 200, 0);

async function storeAll(): Promise<void> {
  const { backfill } = createStores(workers);
  while ((await backfill.storeForms(2)) > 0);
}

const countOf = async (text: string): Promise<number> =>
  (await db.pool.query(`SELECT count(*)::integer AS n FROM ${text}`)).rows[0].n;

test('while jobs are delivered and two workers move forms, each row has the form of its delivery, and each form is stored once', async () => {
  const step = fc.record({ job: fc.nat(2), place: fc.nat(3), run: fc.nat(1) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      await forget();
      const { forms } = createStores(workers);
      const names = ['0', '1', '2', '3'];
      for (const name of names) await forms.save(page(name, 0), NOW);
      const jobs = [await job(0, names), await job(1, names), await job(2, names)];
      const delivered = new Map<string, unknown>();
      let clock = Date.parse(NOW);
      let delivering = true;
      const movers = [1, 2].map(async () => {
        while (delivering) await storeAll();
      });
      for (const { job: which, place, run } of steps) {
        clock += 1000;
        await forms.save(page(names[place]!, run), new Date(clock).toISOString());
        if ((await deliver(jobs[which]!, place)) !== 'delivered') continue;
        delivered.set(`${jobs[which]} ${place}`, page(names[place]!, run));
        // Read while they may be on the move.
        const [row] = (await rowsOf(jobs[which]!)).slice(-1);
        expect(row!.form).toEqual(page(names[place]!, run));
      }
      delivering = false;
      await Promise.all(movers);
      await storeAll();
      const found = new Map<string, unknown>();
      for (const id of jobs) for (const { input, form } of await rowsOf(id)) found.set(`${id} ${input}`, form);
      expect(found).toEqual(delivered);
      expect(await countOf('backfill_items WHERE form IS NOT NULL')).toBe(0);
      expect(await countOf('backfill_forms')).toBe(
        new Set([...delivered.values()].map((form) => JSON.stringify(form))).size,
      );
    }),
    { numRuns: runs(60) },
  );
});

test('a form that a row has cannot be deleted, and a moved one announces no job again', async () => {
  const { forms } = createStores(workers);
  await forms.save(page('0', 0), NOW);
  const id = await job(0, ['0']);
  await deliver(id, 0);
  expect(await countOf(`event_keys WHERE key LIKE 'backfill.completed %'`)).toBe(1);
  await db.pool.query('TRUNCATE events, event_keys');
  await storeAll();
  expect([await countOf('backfill_forms'), await countOf('event_keys')]).toEqual([1, 0]);
  await expect(db.pool.query('DELETE FROM backfill_forms')).rejects.toMatchObject({ code: '23503' });
  await expect(workers.query('DELETE FROM backfill_forms')).rejects.toMatchObject({ code: '42501' });
});

test('beside processes of the release before no form is moved', async () => {
  await createStores(workers).forms.save(page('0', 0), NOW);
  await deliver(await job(0, ['0']), 0);
  await db.pool.query(readRights());
  try {
    await storeAll();
    expect(await countOf('backfill_items WHERE form IS NOT NULL')).toBe(1);
  } finally {
    await grantRights(db.pool);
  }
});
