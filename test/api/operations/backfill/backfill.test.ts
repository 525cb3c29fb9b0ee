// B 4.10, 4.11 and 4.13 over real HTTP: what is queued and shown, to whom, and the effect of a cancellation. The path
// through workflow, door and site has its own tests.
import { REGISTRY } from '../../../../src/domain/registry/registry';
import { NOW } from '../../../support/api/api';
import { expectConforms, expectProblemConforms } from '../../../support/api/conforms';
import { addRuns } from '../../../support/races/stored-runs';
import { backfillJobs, codeOf, json, PATH } from './backfill-jobs';

const lab = backfillJobs();
const { seen, store, post, submit, statusOf, resultsOf, plusKey, deliver, readNext } = lab;

test('a list is sorted into horses to read, stored ones, duplicates and unknown names, and nothing is charged yet', async () => {
  const key = await plusKey();
  await seen('Alpha', 'Beta', 'Gamma', 'Delta');
  await addRuns(lab.served.db.pool, {
    name: 'No Code',
    runner_ref: null,
    category: 'horse',
    start_time: '2026-11-01T03:00:00.000Z',
  });
  await store('Gamma', '2026-11-21T01:00:00.000Z');
  await store('Delta', '2026-11-10T01:00:00.000Z');
  const inputs = ['Alpha', 'beta', 'pe:alpha', codeOf('Beta'), 'Gamma', 'Delta', 'Never Seen', 'No Code', '…'];
  const { job_id, ...counts } = await submit(key, inputs, 'spring');
  expect(job_id).toMatch(/^bf_20261121_[0-9a-z]{6}$/);
  expect(counts).toEqual({
    label: 'spring',
    queued: 3,
    already_stored: 1,
    duplicates: 2,
    not_found: ['Never Seen', 'No Code', '…'],
    ambiguous: [],
    estimated_ready: '2026-11-21T03:00:03.000Z',
  });
  expect(lab.started).toEqual([job_id]);
  expect(await statusOf(key, job_id)).toMatchObject({
    job_id,
    label: 'spring',
    status: 'queued',
    submitted_at: NOW,
    total: 4,
    done: 0,
    queued: 4,
    failed: 0,
    credits_charged: 0,
    credits_blocked: false,
    queue_position: 0,
    estimated_ready: '2026-11-21T03:00:03.000Z',
    ready_to_collect: 0,
    upstream: { state: 'ok', walled_since: null, walled_hours: null, note: null },
  });
  const again = await submit(key, ['ALPHA', 'Beta', 'Gamma'], 'other');
  expect(again).toMatchObject({ queued: 0, already_stored: 0, duplicates: 3, estimated_ready: null });
  expect(lab.started).toEqual([job_id]);
  expect(await statusOf(key, again.job_id)).toMatchObject({ status: 'complete', total: 0, queue_position: null });
});

test('the same order again within ten minutes is the same job, unless it was cancelled', async () => {
  const key = await plusKey();
  await seen('Alpha', 'Beta');
  const first = await submit(key, ['Alpha', 'Beta']);
  const many = await Promise.all(Array.from({ length: 4 }, () => submit(key, ['Alpha', 'Beta'])));
  expect(many.map(({ job_id, queued, duplicates }) => [job_id, queued, duplicates])).toEqual(
    Array.from({ length: 4 }, () => [first.job_id, 2, 0]),
  );
  const other = await plusKey();
  expect((await submit(other, ['Alpha', 'Beta'])).job_id).not.toBe(first.job_id);
  await lab.served.api.send('DELETE', `${PATH}/${first.job_id}`, { key });
  const anew = await submit(key, ['Alpha', 'Beta']);
  expect(anew).toMatchObject({ queued: 2 });
  lab.served.api.now += 10 * 60_000;
  expect(await submit(key, ['Alpha', 'Beta'])).toMatchObject({ queued: 0, duplicates: 2 });
});

test('lower plans are refused for free, another account finds no job, and wrong bodies are a 422', async () => {
  await seen('Alpha');
  const key = await plusKey();
  const other = await plusKey();
  const standard = await lab.served.addKey({ plan: 'standard', issuedAt: '2026-09-01T00:00:00.000Z' });
  const growth = await lab.served.addKey({ plan: 'growth' });
  const refused = await post(standard, ['Alpha']);
  expectProblemConforms(refused.body);
  expect([refused.status, refused.body.required_plan]).toEqual([403, 'plus']);
  const { job_id } = await submit(key, ['Alpha']);
  expect(await submit(growth, ['Alpha'])).toMatchObject({ queued: 1 });
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/results'],
    ['DELETE', ''],
  ] as const) {
    const { status, body } = await lab.served.api.send(method, `${PATH}/${job_id}${path}`, { key: other });
    expectProblemConforms(body);
    expect([method, path, status, body.code]).toEqual([method, path, 404, 'not_found']);
  }
  const long = Array.from({ length: 501 }, (_, i) => `Horse ${i}`);
  for (const body of [
    {},
    { horses: [] },
    { horses: long },
    { horses: [7] },
    { horses: ['A'], label: 'x'.repeat(81) },
  ]) {
    expect((await lab.served.api.send('POST', PATH, { key, ...json(body) })).status).toBe(422);
  }
  expect((await post(key, ['Alpha'], null)).status).toBe(200);
});

test('a cancellation ends only queued horses, also beside a delivery', async () => {
  const key = await plusKey();
  const names = Array.from({ length: 6 }, (_, i) => `Runner ${i}`);
  await seen(...names);
  const { job_id } = await submit(key, names);
  for (let i = 0; i < 6; i++) await readNext();
  expect(await deliver(job_id, 0)).toBe('delivered');
  const [{ body }, ...deliveries] = await Promise.all([
    lab.served.api.send('DELETE', `${PATH}/${job_id}`, { key }),
    ...[1, 2, 3, 4, 5].map((place) => deliver(job_id, place)),
  ]);
  expectConforms('cancel_backfill', body);
  const delivered = 1 + deliveries.filter((one) => one === 'delivered').length;
  expect(body).toEqual({ job_id, cancelled: 6 - delivered });
  expect(await statusOf(key, job_id)).toMatchObject({
    status: delivered === 6 ? 'complete' : 'cancelled',
    total: 6,
    done: delivered,
    queued: 0,
    credits_charged: 3 * delivered,
  });
  expect((await resultsOf(key, job_id)).rows).toHaveLength(delivered);
  const again = await lab.served.api.send('DELETE', `${PATH}/${job_id}`, { key });
  expect([again.status, again.body.cancelled]).toEqual([200, 0]);
});

test('a wall or a pause at the registry is shown, and jobs stay queued meanwhile', async () => {
  const key = await plusKey();
  await seen('Alpha');
  const { job_id } = await submit(key, ['Alpha']);
  await lab.worker.doors.pause(REGISTRY, { at: NOW, retryAt: '2026-11-21T03:02:00.000Z', note: '429' });
  expect(await statusOf(key, job_id)).toMatchObject({
    status: 'queued',
    queue_position: 0,
    estimated_ready: '2026-11-21T03:02:01.000Z',
    upstream: { state: 'paused', walled_since: null, walled_hours: null, note: expect.any(String) },
  });
  await lab.worker.doors.wall(REGISTRY, { at: NOW, retryAt: null, note: 'a challenge' }, false);
  lab.served.api.now += 90 * 60_000;
  expect(await statusOf(key, job_id)).toMatchObject({
    status: 'walled',
    queue_position: 0,
    estimated_ready: null,
    upstream: { state: 'walled', walled_since: NOW, walled_hours: 1.5, note: expect.any(String) },
  });
});
