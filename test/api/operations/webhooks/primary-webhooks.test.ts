// Who may have events of an account posted and read them, over real HTTP: the primary key. No key of the team names
// one, reads one, or gets one by a webhook that it manages.
import type { Pool } from 'pg';
import { ACCOUNT_EVENT_KINDS } from '../../../../src/domain/events/account-event';
import { createDeliveryStore, type DeliveryStore } from '../../../../src/store/webhooks/deliveries';
import { type Served, serve } from '../../../support/api/served';
import { poolAs } from '../../../support/servers/roles';
import { fanOutAll } from '../../../support/webhooks/posting';
import { PATH, webhookOwner } from './webhook-owner';

let served: Served;
let workerPool: Pool;
let deliveries: DeliveryStore;
beforeAll(async () => {
  served = await serve({ wallMs: Date.now });
  workerPool = poolAs(served.db, 'racing_worker');
  deliveries = createDeliveryStore(workerPool);
});
afterAll(async () => {
  await workerPool?.end();
  await served.stop();
});

const { send, ok, refused, create } = webhookOwner(() => served, 'https://127.0.0.1/odds');
const teamKey = async (primary: string): Promise<string> =>
  (await ok('create_team_key', send(primary, 'POST', '/v1/keys/team', { label: 'Zelda’s' }))).key;
const listed = async (key: string, query = '') =>
  (await ok('list_webhook_events', send(key, 'GET', `${PATH}/events${query}`))).events as { event: string }[];
const byTeam = async (reply: ReturnType<typeof send>, detail = 'only the primary key of the account manages it') => {
  const { body } = await refused(403, reply);
  expect(body).toMatchObject({ code: 'plan_required', detail: expect.stringContaining(detail) });
};

test('a key of the team names none: neither in a new webhook nor in one of its own; the primary key names all', async () => {
  const primary = await served.addKey({ plan: 'business' });
  const team = await teamKey(primary);
  const named = { events: ['race.result', 'account.key_added'] };
  const only = 'Only the primary key of the account may name `account.key_added`';
  await byTeam(send(team, 'POST', PATH, { url: 'https://127.0.0.1/odds', ...named }), only);
  const own = await create(team, { events: ['race.result'] });
  await byTeam(send(team, 'PATCH', `${PATH}/${own.id}`, named), only);
  await byTeam(send(team, 'GET', `${PATH}/events?events=account.key_added`), only);
  expect((await ok('list_webhooks', send(team, 'GET', PATH))).map(({ events }: typeof named) => events)).toEqual([
    ['race.result'],
  ]);
  const all = [...ACCOUNT_EVENT_KINDS, 'race.result'];
  expect(await create(primary, { events: all })).toMatchObject({ events: all });
});

test('a webhook that named one is the primary key’s for good: what waits or was posted reaches no key of the team', async () => {
  const primary = await served.addKey({ plan: 'business' });
  const { id } = await create(primary, { events: ['account.key_added'] });
  const everything = await create(primary);
  const team = await teamKey(primary);
  await fanOutAll(deliveries);

  const [delivery] = await ok('list_webhook_deliveries', send(primary, 'GET', `${PATH}/${id}/deliveries`));
  expect(delivery.payload).toMatchObject({ event: 'account.key_added', last4: team.slice(-4), sequence: null });
  expect(JSON.stringify(delivery)).not.toMatch(new RegExp(`Zelda|${team.slice(0, -4)}`));
  expect((await listed(primary)).map(({ event }) => event)).toContain('account.key_added');
  expect((await listed(primary, `?webhook_id=${everything.id}`)).filter(({ event }) => /^account/.test(event))).toEqual(
    [],
  );
  expect((await listed(team)).filter(({ event }) => /^account/.test(event))).toEqual([]);

  await ok('update_webhook', send(primary, 'PATCH', `${PATH}/${id}`, { events: ['race.result'] }));
  const path = `${PATH}/${id}`;
  const range = { from: new Date(Date.now() - 60_000).toISOString(), to: new Date().toISOString() };
  await byTeam(send(team, 'PATCH', path, { url: 'https://127.0.0.1/of-the-team' }));
  await byTeam(send(team, 'PATCH', path, { paused: true }));
  await byTeam(send(team, 'DELETE', path));
  await byTeam(send(team, 'POST', `${path}/secret/rotate`));
  await byTeam(send(team, 'GET', `${path}/deliveries`));
  await byTeam(send(team, 'POST', `${path}/test`));
  await byTeam(send(team, 'POST', `${path}/replay`, range));
  await byTeam(send(team, 'POST', `${path}/deliveries/${delivery.id}/replay`));
  await byTeam(send(team, 'GET', `${PATH}/events?webhook_id=${id}`));
  await refused(404, send(await served.addKey({ plan: 'business' }), 'GET', `${path}/deliveries`));

  // Without a webhook that names one, none is listed.
  await ok('delete_webhook', send(primary, 'DELETE', path));
  await ok('delete_webhook', send(primary, 'DELETE', `${PATH}/${everything.id}`));
  expect((await listed(primary)).filter(({ event }) => /^account/.test(event))).toEqual([]);
});
