import { createStores } from '../../src/store/create-stores';
import { readBacklog } from '../../src/store/gauges/backlog';
import { readFeedOfSports } from '../../src/store/gauges/feed-of-sports';
import type { ConnectorPoll } from '../../src/store/health';
import { hashApiKey } from '../../src/store/keys/keys';
import { instantOf } from '../../src/store/pg/pool';
import type { Stores } from '../../src/store/stores';
import { feedRunner } from '../support/races/builders';
import { addPastRace } from '../support/races/past-race';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';

let db: TestDatabase;
let stores: Stores;
beforeAll(async () => {
  db = await createTestDatabase();
  stores = createStores(db.pool);
});
afterAll(() => db.drop());

const poll = (connector: string, at: string, over: Partial<ConnectorPoll> = {}): ConnectorPoll => ({
  connector,
  at,
  ok: true,
  status: 'ok',
  message: null,
  recordsWritten: 2,
  counts: [],
  ...over,
});
const failed = { ok: false, status: 'timeout', message: 'no reply in 5 s', recordsWritten: 0 };
const health = async (connector: string) =>
  (await db.pool.query('SELECT * FROM connector_health WHERE connector = $1', [connector])).rows[0];

test('polls of a batch are one row per connector: last success, last poll, totals', async () => {
  await stores.health.recordPolls([
    poll('tab', '2026-11-21T01:00:00.000Z'),
    poll('tab', '2026-11-21T01:00:20.000Z', failed),
    poll('neds', '2026-11-21T01:00:05.000Z', failed),
  ]);
  expect(await health('tab')).toMatchObject({
    last_ok_at: '2026-11-21T01:00:00.000Z',
    last_poll_at: '2026-11-21T01:00:20.000Z',
    status: 'timeout',
    message: 'no reply in 5 s',
    polls: 2,
    records_written: 2,
  });
  expect(await health('neds')).toMatchObject({ last_ok_at: null, status: 'timeout' });
});

test('a late batch adds its totals and leaves the current status unchanged', async () => {
  await stores.health.recordPolls([poll('pointsbetau', '2026-11-21T02:00:00.000Z')]);
  await stores.health.recordPolls([poll('pointsbetau', '2026-11-21T01:00:00.000Z', failed)]);
  expect(await health('pointsbetau')).toMatchObject({
    status: 'ok',
    message: null,
    last_poll_at: '2026-11-21T02:00:00.000Z',
    polls: 2,
  });
});

test('drops, failures and refusals are summed by reason and UTC day', async () => {
  const counts = [
    { kind: 'dropped' as const, reason: 'price_not_above_1', count: 3 },
    { kind: 'failed' as const, reason: 'timeout', count: 1 },
  ];
  await stores.health.recordPolls([
    poll('ladbrokes_au', '2026-11-20T23:59:59.000Z', { counts }),
    poll('ladbrokes_au', '2026-11-21T00:00:00.000Z', { counts }),
    poll('ladbrokes_au', '2026-11-21T00:00:20.000Z', { counts }),
  ]);
  await stores.health.recordPolls([poll('ladbrokes_au', '2026-11-21T05:00:00.000Z', { counts })]);
  const { rows } = await db.pool.query(
    `SELECT day, kind, reason, count FROM connector_counts WHERE connector = 'ladbrokes_au' ORDER BY 1, 2`,
  );
  expect(rows).toEqual([
    { day: '2026-11-20', kind: 'dropped', reason: 'price_not_above_1', count: 3 },
    { day: '2026-11-20', kind: 'failed', reason: 'timeout', count: 1 },
    { day: '2026-11-21', kind: 'dropped', reason: 'price_not_above_1', count: 9 },
    { day: '2026-11-21', kind: 'failed', reason: 'timeout', count: 3 },
  ]);
});

test('nothing is lost when many workers report at once', async () => {
  const batch = ['betr_au', 'playup', 'unibet'].map((key) => poll(key, '2026-11-21T03:00:00.000Z'));
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => stores.health.recordPolls(i % 2 ? batch : [...batch].reverse())),
  );
  expect(await health('playup')).toMatchObject({ polls: 20, records_written: 40 });
});

test('an uptime check is one row per instant', async () => {
  const check = { at: '2026-11-21T03:00:00.000Z', ok: true, latencyMs: 12.6, target: '/ping' };
  await stores.health.recordUptime([check]);
  await stores.health.recordUptime([check]);
  expect((await db.pool.query('SELECT * FROM uptime_checks')).rows).toEqual([
    { checked_at: check.at, ok: true, latency_ms: 13, target: '/ping' },
  ]);
});

test('the next check deletes checks and counts older than 30 days', async () => {
  const counts = [{ kind: 'failed' as const, reason: 'timeout', count: 1 }];
  const check = { ok: true, latencyMs: 12, target: '/ping' };
  await stores.health.recordPolls([
    poll('betr_au', '2027-01-01T23:00:00.000Z', { counts }),
    poll('betr_au', '2027-01-02T01:00:00.000Z', { counts }),
  ]);
  for (const at of ['2027-01-01T03:00:00.000Z', '2027-01-02T03:00:00.001Z'])
    await stores.health.recordUptime([{ ...check, at }]);
  await stores.health.recordUptime([{ ...check, at: '2027-02-01T03:00:00.000Z' }]);
  const { rows } = await db.pool.query('SELECT checked_at FROM uptime_checks ORDER BY 1');
  expect(rows.map((row) => row.checked_at)).toEqual(['2027-01-02T03:00:00.001Z', '2027-02-01T03:00:00.000Z']);
  const days = await db.pool.query(`SELECT day FROM connector_counts WHERE connector = 'betr_au' ORDER BY 1`);
  expect(days.rows.map((row) => row.day)).toEqual(['2027-01-02']);
});

test('a key is found by its hash until it is revoked, and is stored nowhere itself', async () => {
  const row = {
    last4: 'abcd',
    label: 'test',
    plan: 'plus',
    role: 'customer',
    bookmakerKey: null,
    issuedAt: '2026-09-01T00:00:00.000Z',
  } as const;
  const hash = hashApiKey('pe_live_secret');
  await stores.keys.insert(hash, row);
  const other = hashApiKey('pe_live_other');
  const stored = {
    ...row,
    keyId: expect.any(String),
    accountId: expect.any(String),
    accountSince: row.issuedAt,
    epoch: 0,
    overage: false,
    isPrimary: true,
    version: 1,
    rotatedAt: null,
    expiresAt: null,
    allowedAddresses: [],
    scopes: null,
  };
  expect(await stores.keys.find([other, hash, other, hash])).toEqual([null, stored, null, stored]);
  await expect(stores.keys.insert(hash, row)).rejects.toThrow(/duplicate/);
  await db.pool.query('UPDATE api_keys SET revoked_at = now() WHERE key_hash = $1', [hash]);
  expect(await stores.keys.find([hash])).toEqual([null]);
  expect(JSON.stringify((await db.pool.query('SELECT * FROM api_keys')).rows)).not.toContain('secret');
});

test('the backlog counts races without a final result from three hours to two days after their start, overdue fields and walled registries', async () => {
  const race = (raceNumber: number, startTime: string, over: object = {}) =>
    addPastRace(db.pool, { raceNumber, startTime, runners: [feedRunner(1), feedRunner(2)], ...over });
  await race(1, '2026-11-20T06:00:00.000Z');
  await race(2, '2026-11-20T06:40:00.000Z', { interim: true });
  const overdue = await race(3, '2026-11-20T07:20:00.000Z', { interim: true });
  await race(4, '2026-11-18T05:00:00.000Z', { interim: true });
  await race(5, '2026-11-20T11:00:00.000Z', { interim: true });
  await db.pool.query(`UPDATE race_results SET field_status = 'overdue' WHERE race_id = $1`, [overdue]);
  await db.pool.query(`UPDATE races SET status = 'abandoned' WHERE race_number = 2`);
  // Listed two hours ago, so its result is sought.
  const late = await race(6, '2026-11-20T06:20:00.000Z', { interim: true });
  await db.pool.query(`UPDATE races SET first_seen_at = '2026-11-20T10:00:00Z' WHERE race_id = $1`, [late]);
  const met = { at: '2026-11-20T11:00:00.000Z', retryAt: null, note: 'HTTP 403' };
  await stores.doors.wall('racing_australia', met, false);
  await stores.doors.pause('topaz', met);
  const backlog = await readBacklog(db.pool, '2026-11-20T12:00:00.000Z');
  expect(backlog).toEqual({ results: 1, fields: 1, walled: 1, bytes: expect.any(Number) });
  expect(backlog.bytes).toBeGreaterThan(1_000_000);
});

test('the number of sports for which the metered feed lists upcoming matches is null until its lists are read', async () => {
  const at = '2026-11-20T12:00:00.000Z';
  const listed = async () => (await readFeedOfSports(db.pool, 'the_odds_api', at)).listed;
  const { feedLevels } = stores;
  await feedLevels.saveSports(
    'the_odds_api',
    [
      { sourceKey: 'a', sportKey: 'nba' },
      { sourceKey: 'b', sportKey: 'nrl' },
    ],
    at,
  );
  expect(await listed()).toBeNull();
  await feedLevels.saveStart('the_odds_api', 'a', '2026-11-20T13:00:00.000Z', at);
  await feedLevels.saveStart('the_odds_api', 'b', '2026-11-20T11:00:00.000Z', at);
  expect(await listed()).toBe(1);
  await feedLevels.saveStart('the_odds_api', 'a', null, at);
  expect(await listed()).toBe(0);
});

test('a feed of sports fails from its last answer on, until it answers again', async () => {
  const at = '2026-11-20T12:00:00.000Z';
  const failing = async () => (await readFeedOfSports(db.pool, 'the_odds_api', at)).failing;
  const call = (callAt: string, status: string) => {
    const poll = { connector: 'the_odds_api', at: callAt, ok: status === 'ok', status, message: null };
    return stores.health.recordPolls([{ ...poll, recordsWritten: 0, counts: [] }]);
  };
  expect(await failing()).toBeNull();
  await call('2026-11-20T11:30:00.000Z', 'timeout');
  expect(await failing()).toBe(1);
  await call('2026-11-20T11:40:00.000Z', 'ok');
  expect(await failing()).toBe(0);
  await call('2026-11-20T11:55:00.000Z', 'blocked');
  expect(await failing()).toBe(1200);
  await call('2026-11-20T11:59:00.000Z', 'ok');
  expect(await failing()).toBe(0);

  // Lists come, prices do not.
  const { feedLevels } = stores;
  await feedLevels.saveSports('the_odds_api', [{ sourceKey: 'a', sportKey: 'nba' }], at);
  await feedLevels.saveStart('the_odds_api', 'a', '2026-11-20T13:00:00.000Z', at);
  const polled = (when: string, tried: string) =>
    db.pool.query('UPDATE feed_sports SET polled_at = $1, tried_at = $2', [when, tried]);
  await polled('2026-11-20T11:40:00.000Z', '2026-11-20T11:55:00.000Z');
  expect(await failing()).toBe(0);
  await polled('2026-11-20T11:30:00.000Z', '2026-11-20T11:59:00.000Z');
  expect(await failing()).toBe(1800);
});

test.each([
  ['2026-11-21 02:44:17+00', '2026-11-21T02:44:17.000Z'],
  ['2026-11-21 02:44:17.5+00', '2026-11-21T02:44:17.500Z'],
  ['2026-11-21 02:44:17.123456+00', '2026-11-21T02:44:17.123Z'],
])('an instant comes back as ISO 8601 Z: %s', (text, instant) => {
  expect(instantOf(text)).toBe(instant);
});

test('a session uses UTC, whatever the server’s zone, and returns arrays, days and counts as plain values', async () => {
  const { rows } = await db.pool.query(
    `SELECT current_setting('TimeZone') AS zone, ARRAY['2026-11-21T03:00:00Z'::timestamptz, NULL] AS instants,
            '2026-11-21'::date AS day, count(*) AS n FROM (SELECT 1) x`,
  );
  expect(rows).toEqual([{ zone: 'UTC', instants: ['2026-11-21T03:00:00.000Z', null], day: '2026-11-21', n: 1 }]);
});
