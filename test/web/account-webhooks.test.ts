// The webhooks of an account over HTTP: what the panel and the page of each show, and what their buttons do.
import { AppError, invalid } from '../../src/errors';
import { FREE } from '../../src/plans/plans';
import { BUSY, NEW, SECRET } from '../support/pages/memory-accounts';
import { accountPages, SIGNED_IN } from './account-pages';

const { memory, get, post, to } = accountPages();

const owner = (path: string, form: Record<string, string> = {}) => post(path, form, SIGNED_IN);

test('webhooks show their state, and a form for another', async () => {
  const panel = async () =>
    /<section[^>]*id="webhooks".*?<\/section>/s.exec((await get('/account', SIGNED_IN)).text)?.[0];
  const shown = (await panel())!;
  expect(shown).toContain(
    '<a href="/account/webhooks/wh_3f9a1c07b2d4"><code>https://hooks.example.com/odds?…</code></a>',
  );
  expect(shown).not.toContain('of-the-receiver');
  expect(shown).toMatch(
    /<b>Disabled<\/b>: the receiver responded with 410 · last delivered .* · 1 failed attempt since/,
  );
  expect(shown).toMatch(/<b>Active<\/b> · nothing delivered yet/);
  expect(shown).toContain('<code>race.result</code> · only AU, Randwick · <code>wh_');
  expect(shown).toContain(
    'All events but those that a webhook must name · arbs from 2% · price moves from 5% · <code>wh_',
  );
  memory.rows = { ...BUSY, webhooks: [] };
  expect(await panel()).toContain('Add a webhook');
  memory.rows = NEW;
  expect(await panel()).toBeUndefined();
});

test('a webhook has its deliveries, failed ones first, with their attempts and payload', async () => {
  const id = 'wh_3f9a1c07b2d4';
  const page = async (query = '') => (await get(`/account/webhooks/${id}${query}`, SIGNED_IN)).text;
  const failed = await page();
  const of = { limit: 21, offset: 0, before: undefined };
  expect(memory.calls).toEqual([['deliveries', id, { ...of, statuses: ['failed', 'retrying'] }]]);
  expect(failed).not.toContain('of-the-receiver');
  expect(failed).toMatch(/show=failed#deliveries" aria-current="page"/);
  expect(failed).toContain('<code>race.result</code> · Randwick R4 · <b>failed</b>');
  expect(failed).toMatch(/Attempt 1, .*: no response after 15,000.*in time\..*Attempt 2, .*: 410 after 35/s);
  expect(failed).toContain('<pre tabindex="0"><code>{&quot;note&quot;:&quot;xxx');
  expect(failed).not.toContain('a replay');
  const all = await page('?show=all&before=dl_9');
  expect(memory.calls.at(-1)).toEqual(['deliveries', id, { ...of, before: 'dl_9', statuses: [] }]);
  expect(all).toMatch(/a replay · <b>cancelled<\/b>: The webhook is disabled\..*· <b>failed<\/b>/s);
  memory.rows = {
    ...BUSY,
    deliveries: Array.from({ length: 21 }, (_, n) => ({ ...BUSY.deliveries[1]!, deliveryId: `dl_${n}` })),
  };
  expect(await page()).toContain('show=failed&amp;before=dl_19#deliveries');
  memory.rows = { ...BUSY, deliveries: [{ ...BUSY.deliveries[1]!, status: 'delivered', body: null }] };
  expect(await page()).toMatch(/show=all#deliveries" aria-current="page".*The payload is no longer stored\./s);
  expect((await get('/account/webhooks/wh_ffffffffffff', SIGNED_IN)).status).toBe(404);
});

test('a webhook is added, tested, replayed, paused, rotated and deleted; its secret is shown once', async () => {
  const path = '/account/webhooks/wh_3f9a1c07b2d4';
  const id = 'wh_3f9a1c07b2d4';
  const added = await owner('/account/webhooks', { url: ' https://hooks.example.com/all ' });
  expect(memory.calls).toEqual([['create', 'https://hooks.example.com/all', {}]]);
  expect([added.status, added.headers.get('cache-control'), added.text.includes(SECRET)]).toEqual([
    200,
    'no-store',
    true,
  ]);
  for (const [act, done, ...call] of [
    ['replay/dl_1', 'replayed', 'replay', id, 'dl_1'],
    ['pause', 'paused', 'change', id, {}, { paused: true }],
    ['resume', 'resumed', 'change', id, {}, { paused: false }],
  ] as const) {
    memory.calls.length = 0;
    expect(to(await owner(`${path}/${act}`))).toEqual([303, `${path}?done=${done}`]);
    expect(memory.calls).toEqual([call]);
  }
  const tested = await owner(`${path}/test`);
  expect(tested.text).toContain('The test failed with 500: The receiver failed.');
  expect(tested.text).not.toContain(SECRET);
  expect((await owner(`${path}/rotate`)).text).toMatch(
    new RegExp(`${SECRET}.*The secret before it signs too until`, 's'),
  );
  memory.calls.length = 0;
  const day = new Date(Date.parse('2026-11-23T02:55:00Z')).toISOString();
  memory.rows = {
    ...BUSY,
    webhooks: [{ ...BUSY.webhooks[0]!, previousUntil: day, url: 'https://hooks.example.com/one' }],
  };
  expect((await owner(`${path}/rotate`)).status).toBe(409);
  expect((await owner('/account/webhooks', { url: 'https://hooks.example.com/one' })).status).toBe(409);
  expect(memory.calls.map(([name]) => name).filter((name) => name === 'create' || name === 'rotateSecret')).toEqual([]);
  memory.rows = BUSY;
  memory.refusal = new AppError('conflict', 'The webhook is paused: send `paused` false first.');
  const refusal = await owner(`${path}/replay/dl_1`);
  expect([refusal.status, refusal.text.includes('autofocus>The webhook is paused')]).toEqual([409, true]);
  expect(to(await owner(`${path}/delete`))).toEqual([303, '/account?done=webhook-deleted']);
  memory.refusal = invalid([{ pointer: '/url', detail: '/url is not allowed: it is not https.' }]);
  const wrong = await owner('/account/webhooks', { url: 'http://here' });
  expect(wrong.status).toBe(422);
  expect(wrong.text).toMatch(/<details class="more" open><summary>Add a webhook/);
  expect(wrong.text).toContain('The address is not allowed: it is not https.');
});

test('a plan without webhooks may pause and delete what it has, and no more', async () => {
  const path = '/account/webhooks/wh_3f9a1c07b2d4';
  memory.rows = { ...BUSY, plan: FREE };
  expect((await get(path, SIGNED_IN)).text).not.toMatch(/Send a test|Send again/);
  memory.calls.length = 0;
  expect((await owner(`${path}/test`)).status).toBe(403);
  expect((await owner(`${path}/replay/dl_1`)).status).toBe(403);
  expect((await owner('/account/webhooks', { url: 'https://hooks.example.com/' })).status).toBe(403);
  expect(memory.calls.map(([name]) => name)).not.toContain('create');
  expect(to(await owner(`${path}/pause`))).toEqual([303, `${path}?done=paused`]);
});
