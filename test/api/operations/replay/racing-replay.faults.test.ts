// What breaks a replay, and who pays: broken connections, two of them, streams of a plan, keys that end, a database and
// a Redis that go away. An interrupted client gets exactly the rest.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { PlayClock } from '../../../../src/api/operations/replay/paced';
import { hashApiKey } from '../../../../src/store/keys/keys';
import { createPool } from '../../../../src/store/pg/pool';
import { createArchiveReads } from '../../../../src/store/reads/archive/archive-reads';
import { createReads } from '../../../../src/store/reads/reads';
import { createPaidPlays } from '../../../../src/store/redis/paid-plays';
import { createRedis } from '../../../../src/store/redis/redis';
import { expectProblemConforms } from '../../../support/api/conforms';
import { named, type StreamEvent } from '../../../support/api/stream-client';
import { asLogin } from '../../../support/servers/roles';
import { tcpLine } from '../../../support/servers/tcp-line';
import { DAY, HERE, replays } from './replays';

const lab = replays();
const { start, addKey, open, played, used } = lab;
const MAX = `?date=${DAY}&speed=max`;
const SLOW = `?date=${DAY}&speed=1`;

/** Stands until the test lets time pass. */
function heldClock() {
  const waiting = new Set<() => void>();
  const clock = { ms: 0, waits: 0 };
  const pass = (ms: number): void => {
    clock.ms += ms;
    for (const wake of [...waiting]) wake();
  };
  const wait: PlayClock['wait'] = (ms, signal) => {
    const due = clock.ms + ms;
    clock.waits++;
    return new Promise((done) => {
      const look = (): void => {
        if (clock.ms < due && !signal.aborted) return;
        waiting.delete(look);
        done();
      };
      waiting.add(look);
      signal.addEventListener('abort', look);
      look();
    });
  };
  return { playClock: { nowMs: () => clock.ms, wait }, pass };
}

const bare = ({ event, data }: StreamEvent) => ({ event, data });

test('events come when they are due, a broken connection goes on elsewhere, and its successor replaces it', async () => {
  const { playClock, pass } = heldClock();
  const api = await start({ playClock });
  const key = await addKey();
  const all = (await played(key, MAX)).map(bare);
  const before = await used(key);
  try {
    const first = await open(key, SLOW, undefined, api);
    await first.until(named('race'));
    expect(first.events.map(({ event }) => event)).toEqual(['recorded', 'state', 'race']);
    // The second race comes into view 38 minutes and 20 seconds after the first.
    pass(38 * 60_000 + 19_999);
    pass(1);
    await first.until(({ event, data }) => event === 'race' && data.race_number === 2);
    const second = await open(key, SLOW, first.lastEventId, lab.apis[1]);
    await second.until(named('end'));
    const { data } = await first.until(named('error'));
    expectProblemConforms(data);
    expect([data.status, data.reason]).toEqual([409, 'replaced']);
    const got = first.events.filter(({ event }) => event !== 'error');
    expect([...got, ...second.events].map(bare)).toEqual(all);
    expect(await used(key)).toBe(before + 15);
    // Another account has paid for nothing.
    const stranger = await addKey();
    const theirs = await open(stranger, MAX, first.lastEventId);
    await theirs.until(named('end'));
    expect(await used(stranger)).toBe(15);
  } finally {
    await api.close();
  }
});

test('the streams of the plan count it, and a key that ends, ends it', async () => {
  const { playClock } = heldClock();
  const api = await start({ playClock });
  const key = await addKey();
  try {
    const streams = [await open(key, SLOW, undefined, api), await open(key, SLOW, undefined, api)];
    for (const stream of streams) await stream.until(named('race'));
    const paid = await used(key);
    const refused = await lab.apis[1].get(`${HERE}${MAX}`, key);
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limit']);
    expect(await used(key)).toBe(paid);
    await lab.db.pool.query('UPDATE api_keys SET revoked_at = now() WHERE key_hash = $1', [hashApiKey(key)]);
    for (const stream of streams) {
      expect((await stream.until(named('error'))).data.code).toBe('unauthorized');
      await stream.ended;
    }
  } finally {
    await api.close();
  }
});

test('too few credits are refused with the cost; credits that go later end nothing; HEAD is free', async () => {
  const key = await addKey();
  const spend = (left: number) =>
    lab.db.pool.query(
      `INSERT INTO credit_balances (account_id, period, used) SELECT account_id, '2026-11-01', 140000 - $2::int FROM api_keys WHERE key_hash = $1
       ON CONFLICT (account_id, period) DO UPDATE SET used = EXCLUDED.used`,
      [hashApiKey(key), left],
    );
  const head = await lab.apis[0].send('HEAD', `${HERE}${MAX}`, { key });
  expect([head.status, head.text, head.headers.get('content-type')]).toEqual([
    200,
    '',
    'text/event-stream; charset=utf-8',
  ]);
  await spend(14);
  const refused = await lab.apis[0].get(`${HERE}${MAX}`, key);
  expect([refused.status, refused.body.code]).toEqual([402, 'payment_required']);
  expect(refused.body.detail).toContain('15');
  await spend(15);
  const stream = await open(key, MAX);
  const { id } = await stream.until(named('race'));
  await stream.until(named('end'));
  expect(stream.headers.get('x-credits-cost')).toBe('15');
  const again = await open(key, MAX, id);
  await again.until(named('end'));
  expect([again.status, again.headers.get('x-credits-cost')]).toEqual([200, '0']);
});

test('a database that breaks in the middle ends it with a problem, and the rest follows for free', async () => {
  const line = await tcpLine(asLogin(lab.db.url, 'racing_api'));
  const broken = createPool(line.url, 2);
  broken.on('error', () => {});
  const { playClock, pass } = heldClock();
  const reads = createReads(lab.pool);
  const api = await start({ reads: { ...reads, archive: createArchiveReads(broken, broken) }, playClock });
  const key = await addKey();
  // So many races that not all are read before the line is cut.
  const search = `?from=2026-11-10&to=2026-11-10&venue=Longfield`;
  await lab.addCopies(12, '2026-11-10', 'Longfield');
  const all = (await played(key, `${search}&speed=max`)).map(bare);
  const before = await used(key);
  try {
    const stream = await open(key, `${search}&speed=1`, undefined, api);
    await stream.until(named('race'));
    await line.cut();
    // What is late shifts the rest, so time passes in steps.
    const passing = setInterval(() => pass(600_000), 5);
    const { data } = await stream.until(named('error')).finally(() => clearInterval(passing));
    expectProblemConforms(data);
    expect(data.status).toBe(503);
    await stream.ended;
    const rest = await open(key, `${search}&speed=max`, stream.lastEventId);
    await rest.until(named('end'));
    const got = stream.events.filter(({ event }) => event !== 'error');
    expect([...got, ...rest.events].map(bare)).toEqual(all);
    expect(await used(key)).toBe(before + 60);
  } finally {
    await api.close();
    await broken.end();
    await line.close();
  }
});

test('without Redis it plays, and an id is refused until it can be looked up', async () => {
  const away = createRedis('redis://127.0.0.1:1', 250);
  const api = await start({ paidPlays: createPaidPlays(away, lab.db.url) });
  const key = await addKey();
  try {
    const events = await played(key, MAX, api);
    expect(events.at(-1)!.event).toBe('end');
    const { status, headers } = await api.get(`${HERE}${MAX}&last_event_id=${encodeURIComponent(events[3]!.id!)}`, key);
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(await used(key)).toBe(15);
  } finally {
    away.disconnect();
    await api.close();
  }
});

test('races archived again in the meantime begin with a reset and the races in view', async () => {
  const key = await addKey();
  const events = await played(key, MAX);
  const place = events.findIndex(({ event, data }) => event === 'race' && data.race_number === 2);
  await lab.db.pool.query(`UPDATE archived_races SET path_facts = 'other' WHERE race_id = $1`, [lab.races[0]]);
  const rest = await played(key, `${MAX}&last_event_id=${encodeURIComponent(events[place]!.id!)}`);
  expect(
    rest.slice(0, 4).map(({ event, data }) => [event, data.race_number ?? data.race_count ?? data.reason]),
  ).toEqual([
    ['reset', 'archived_again'],
    ['race', 1],
    ['race', 2],
    ['state', 2],
  ]);
  expect(rest.slice(4).map(bare)).toEqual(events.slice(place + 1).map(bare));
  expect(await used(key)).toBe(15);
});

test('what is archived since is charged before it goes on, and a refusal of it ends nothing', async () => {
  const { playClock, pass } = heldClock();
  const api = await start({ playClock });
  const key = await addKey();
  const search = '?from=2026-11-12&to=2026-11-12&venue=Latefield';
  const left = (credits: number) =>
    lab.db.pool.query(
      `UPDATE credit_balances SET used = 140000 - $2::int WHERE account_id = (SELECT account_id FROM api_keys WHERE key_hash = $1)`,
      [hashApiKey(key), credits],
    );
  await lab.addCopies(1, '2026-11-12', 'Latefield');
  try {
    const first = await open(key, `${search}&speed=1`, undefined, api);
    await first.until(named('race'));
    expect(first.headers.get('x-credits-cost')).toBe('5');
    await lab.addCopies(1, '2026-11-12', 'Latefield', 1);
    await left(4);
    const again = `${HERE}${search}&speed=max&format=ndjson&last_event_id=${encodeURIComponent(first.lastEventId!)}`;
    const refused = await lab.apis[1].get(again, key);
    expect([refused.status, refused.body.code]).toEqual([402, 'payment_required']);
    expect(refused.body.detail).toContain('costs 5 credits');
    const passing = setInterval(() => pass(600_000), 5);
    await first.until(named('end')).finally(() => clearInterval(passing));
    expect(first.events.map(({ event }) => event)).not.toContain('error');
    await left(5);
    const paid = await lab.apis[1].get(again, key);
    expect([paid.status, paid.headers.get('x-credits-cost')]).toEqual([200, '5']);
    expect(await used(key)).toBe(10);
  } finally {
    await api.close();
  }
});

test('a result that came since, dated before the place, is sent after a reset', async () => {
  const search = '?from=2026-11-09&to=2026-11-09&venue=Resultfield&speed=max';
  const key = await addKey();
  await lab.addCopies(2, '2026-11-09', 'Resultfield');
  const events = await played(key, search);
  const resultOf = (number: number) =>
    lab.db.pool.query(
      `INSERT INTO race_results (race_id, status, placings, placings_key, placings_since, field_status, finalised_at, updated_at)
       SELECT race_id, 'final', '[{"position":1,"number":1}]', 'placed', start_time, 'pending', start_time + interval '1 minute', start_time
         FROM races WHERE venue = 'Resultfield' AND race_number = $1`,
      [number],
    );
  await resultOf(1);
  const shownTo = async (id: string) => {
    const rest = await played(key, `${search}&last_event_id=${encodeURIComponent(id)}`);
    return rest.map(({ event, data }) => `${event} ${data.race_number ?? ''}`.trim());
  };
  const second = events.findIndex(({ event, data }) => event === 'race' && data.race_number === 2);
  const last = events.findLastIndex(({ event }) => event === 'changes');
  expect(second).toBeLessThan(last);
  expect((await shownTo(events[last]!.id!)).slice(0, 4)).toEqual(['reset', 'race 2', 'result 1', 'state']);
  expect(await used(key)).toBe(10);
});

test('a reader that stands still stops the reading of races, and then gets all of them', async () => {
  const search = '?date=2026-11-11&speed=max&format=ndjson';
  await lab.addCopies(24, '2026-11-11', 'Slowfield');
  const reads = createReads(lab.pool);
  let wanted = 0;
  // More than the buffers between a process and a client that reads nothing.
  const racesToReplay: typeof reads.archive.racesToReplay = async (races, bookmakers) => {
    wanted += races.length;
    const found = await reads.archive.racesToReplay(races, bookmakers);
    return found.map((one) => ({ ...one, head: { ...one.head, race_name: 'x'.repeat(4 * 1024 * 1024) } }));
  };
  const api = await start({ reads: { ...reads, archive: { ...reads.archive, racesToReplay } } });
  const key = await addKey();
  try {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.write(`GET ${HERE}${search} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: ${key}\r\n\r\n`);
    await once(socket, 'readable');
    let before = -1;
    while (before !== wanted) {
      before = wanted;
      await delay(200);
    }
    expect(wanted).toBeLessThan(24);
    const bytes: Buffer[] = await socket.toArray();
    const text = Buffer.concat(bytes).toString();
    expect(wanted).toBe(24);
    expect(text.match(/"event":"gone"/g)).toHaveLength(24);
    expect(text).toContain('"event":"end"');
    // What its client has read is not free again.
    const idOf = (line: string | undefined): string => encodeURIComponent(/"id":"([^"]*)"/.exec(line!)![1]!);
    const lines = text.split('\n').filter((line) => line.startsWith('{"id"'));
    const costOf = async (id: string) =>
      (await lab.apis[0].get(`${HERE}${search}&last_event_id=${id}`, key)).headers.get('x-credits-cost');
    expect(await costOf(idOf(lines.at(-2)))).toBe('0');
    expect(await costOf(idOf(lines[0]))).toBe('120');
  } finally {
    await api.close();
  }
});
