// In which order the horses of jobs are read, and that delivery and charge are one (B 4.12).
import { fairOrder } from '../../../../src/domain/backfill/fair-order';
import { BETWEEN_TRIES_MS, MOST_TRIES } from '../../../../src/domain/backfill/job';
import { createStores } from '../../../../src/store/create-stores';
import { NOW } from '../../../support/api/api';
import { followed } from '../../../support/api/next-link';
import { horseForm } from '../../../support/races/horse-form';
import { backfillJobs, codeOf, NOW_MS, PERIOD, poor } from './backfill-jobs';

const lab = backfillJobs();
const { seen, submit, statusOf, resultsOf, plusKey, accountOf, take, at, deliver, readNext } = lab;

test('accounts are read in turn, each from its oldest horse on, in the order of the queue positions', async () => {
  const a = await plusKey();
  const b = await plusKey();
  const c = await plusKey();
  const names = Array.from({ length: 9 }, (_, i) => `Horse ${i}`);
  await seen(...names);
  const jobs = {
    a: (await submit(a, names.slice(0, 5))).job_id,
    b: (await submit(b, [names[1]!, names[5]!])).job_id,
    c: (await submit(c, names.slice(6))).job_id,
  };
  const accounts = await Promise.all([a, b, c].map(accountOf));
  await lab.served.db.pool.query(
    'UPDATE backfill_accounts SET turn = CASE account_id WHEN $1 THEN 1 WHEN $2 THEN 2 ELSE 3 END',
    accounts.slice(0, 2),
  );
  const queue = await lab.worker.backfill.queue(NOW);
  const order = fairOrder(queue, NOW_MS);
  expect(order.map((horse) => horse.slice(5))).toEqual(['0', '1', '6', '2', '5', '7', '3', '8', '4']);
  expect(await statusOf(b, jobs.b)).toMatchObject({ queue_position: 1, estimated_ready: '2026-11-21T03:00:05.000Z' });
  expect(await statusOf(c, jobs.c)).toMatchObject({ queue_position: 2, estimated_ready: '2026-11-21T03:00:08.000Z' });
  const read: string[] = [];
  for (let next = await readNext(); next; next = await readNext()) {
    read.push(next.key);
    expect(next.items.length).toBe(next.key === 'horse1' ? 2 : 1);
    lab.served.api.now += 2000;
    if (read.length === 4) {
      // Four reads two seconds apart: three intervals. Of its two, the one that another account's turn brought is there
      // already.
      const { queue_position, estimated_ready } = await statusOf(b, jobs.b);
      expect([queue_position, estimated_ready]).toEqual([0, '2026-11-21T03:00:10.000Z']);
    }
  }
  expect(read).toEqual(order);
});

test('a horse is delivered and charged once, however often it is tried, and its form stays as delivered', async () => {
  const key = await plusKey();
  await seen('Alpha', 'Beta');
  const { job_id } = await submit(key, ['Alpha', 'Beta']);
  expect(await deliver(job_id, 0)).toBe('gone');
  const { items } = (await readNext())!;
  const tries = await Promise.all(Array.from({ length: 6 }, () => deliver(job_id, items[0]!.place)));
  expect(tries.sort()).toEqual(['delivered', 'gone', 'gone', 'gone', 'gone', 'gone']);
  await lab.worker.forms.save(
    horseForm({ name: 'ALPHA', runnerCode: codeOf('Alpha').slice(3), runs: [] }),
    '2026-11-21T03:00:01.000Z',
  );
  lab.served.api.now += 60_000;
  await readNext();
  expect(await deliver(job_id, 1)).toBe('delivered');
  const { rows, ...page } = await resultsOf(key, job_id);
  expect(page).toEqual({ job_id, rows_returned: 2, total_done: 2, limit: 25, offset: 0 });
  expect(rows[0]).toMatchObject({
    input: 'Alpha',
    runner_ref: codeOf('Alpha'),
    horse_ref: 'pe:alpha',
    horse_name: 'ALPHA',
    available: true,
    delivered_at: NOW,
    fetched_at: NOW,
    form: { horse_name: 'ALPHA', runs: [{ result_raw: '1st of 9' }] },
  });
  expect((await resultsOf(key, job_id, '?limit=1&offset=1')).rows).toEqual([rows[1]]);
  const first = `/v1/racing/horses/backfill/${job_id}/results?limit=1`;
  const linked = await followed(first, (path) => lab.served.api.get(path, key));
  expect(linked.map((one) => one.rows)).toEqual([[rows[0]], [rows[1]]]);
  const { rows: usage } = await lab.served.db.pool.query(
    'SELECT subject, calls, credits FROM credit_usage WHERE account_id = $1',
    [await accountOf(key)],
  );
  expect(usage).toEqual([{ subject: 'submit_backfill', calls: 2, credits: 6 }]);
  expect(await statusOf(key, job_id)).toMatchObject({
    status: 'complete',
    done: 2,
    credits_charged: 6,
    ready_to_collect: 2,
  });
});

test('without credits nothing is delivered, and the account’s horses are not read until it has credits again', async () => {
  const key = await plusKey();
  const other = await plusKey();
  await seen('Alpha', 'Beta', 'Gamma');
  const { job_id } = await submit(key, ['Alpha', 'Beta']);
  const account = await accountOf(key);
  await readNext();
  expect(await deliver(job_id, 0, poor(2))).toBe('spent');
  await lab.worker.backfill.setBlocked(account, true);
  expect(await statusOf(key, job_id)).toMatchObject({
    status: 'blocked',
    credits_blocked: true,
    queued: 2,
    done: 0,
    credits_charged: 0,
    queue_position: null,
    estimated_ready: null,
  });
  const gamma = await submit(other, ['Gamma']);
  expect((await readNext())!.key).toBe('gamma');
  expect(await take()).toBeNull();
  expect(await lab.worker.backfill.remaining(account, PERIOD, poor(2))).toBe(2);
  await createStores(lab.served.db.pool).credits.grant({
    accountId: account,
    credits: 4,
    reason: 'test',
    period: PERIOD,
    at: NOW,
  });
  expect(await lab.worker.backfill.remaining(account, PERIOD, poor(2))).toBe(6);
  await lab.worker.backfill.setBlocked(account, false);
  await readNext();
  expect([await deliver(job_id, 0, poor(2)), await deliver(job_id, 1, poor(2))]).toEqual(['delivered', 'delivered']);
  expect(await lab.worker.backfill.remaining(account, PERIOD, poor(2))).toBe(0);
  expect(await deliver(gamma.job_id, 0, () => ({ allowance: 0, overage: 3 }))).toBe('delivered');
  expect(
    await lab.worker.backfill.remaining(await accountOf(other), PERIOD, () => ({ allowance: 0, overage: 3 })),
  ).toBe(0);
});

test('an operator’s order is not metered', async () => {
  const key = await lab.served.addKey({ plan: 'enterprise', role: 'internal' });
  await seen('Alpha');
  const { job_id } = await submit(key, ['Alpha']);
  await readNext();
  expect(await deliver(job_id, 0, poor(0))).toBe('delivered');
  expect(await statusOf(key, job_id)).toMatchObject({ status: 'complete', done: 1, credits_charged: 0 });
});

test('after three reads without a page a horse fails, free of charge, for every job that waits for it', async () => {
  const key = await plusKey();
  const other = await plusKey();
  await seen('Alpha');
  const jobs = [(await submit(key, ['Alpha'])).job_id, (await submit(other, ['Alpha'])).job_id] as const;
  const start = lab.served.api.now;
  for (let tries = 1; tries <= MOST_TRIES; tries++) {
    expect((await statusOf(key, jobs[0])).failed).toBe(0);
    const horse = (await take())!;
    const failed = { at: at().at, nextTryAt: new Date(lab.served.api.now + BETWEEN_TRIES_MS).toISOString() };
    await lab.worker.backfill.noteFailed(horse, { ...failed, counts: true, mostTries: MOST_TRIES });
    await lab.worker.backfill.endLease(horse.key, at().at);
    expect(await take()).toBeNull();
    lab.served.api.now += BETWEEN_TRIES_MS;
  }
  expect(lab.served.api.now - BETWEEN_TRIES_MS - start).toBe(60 * 60_000);
  for (const [owner, job] of [
    [key, jobs[0]],
    [other, jobs[1]],
  ] as const) {
    expect(await statusOf(owner, job)).toMatchObject({ status: 'complete', done: 0, failed: 1, credits_charged: 0 });
    const { total_done, rows } = await resultsOf(owner, job);
    expect([total_done, rows]).toEqual([
      0,
      [
        {
          input: 'Alpha',
          runner_ref: codeOf('Alpha'),
          horse_ref: 'pe:alpha',
          horse_name: 'Alpha',
          delivered_at: null,
          fetched_at: null,
          available: false,
          form: null,
        },
      ],
    ]);
  }
  expect(await take()).toBeNull();
});
