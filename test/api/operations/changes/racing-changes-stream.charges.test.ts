// The stream of changes at two API processes over one database and one Redis: its cost, how many an account has, and
// what ends it.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type BoardFeed, createBoardFeed } from '../../../../src/api/operations/changes/board-feed';
import { REAL_TIME } from '../../../../src/domain/time/clock';
import { createStores } from '../../../../src/store/create-stores';
import { hashApiKey } from '../../../../src/store/keys/keys';
import { createReads } from '../../../../src/store/reads/reads';
import { createRedis } from '../../../../src/store/redis/redis';
import { createStreamLeases } from '../../../../src/store/redis/stream-leases';
import { NOW } from '../../../support/api/api';
import { expectProblemConforms } from '../../../support/api/conforms';
import { named, type StreamClient } from '../../../support/api/stream-client';
import { createPatience, PATIENT_MS } from '../../../support/patient';
import { changesStreams, HERE, until } from './changes-streams';

const lab = changesStreams();
const { start, addKey, open, poll, hasPrice, used } = lab;

test('a reconnection takes over the place and the paid minute of its key’s half-open connection, once', async () => {
  const key = await addKey();
  const half = await open(key);
  await half.until(named('state'));
  expect(await used(key)).toBe(2);
  const { lastEventId } = half;
  const second = await open(key, { lastEventId }, lab.apis[1]);
  await second.until(named('state'));
  expect(second.headers.get('x-credits-cost')).toBe('0');
  const { data } = await half.until(named('error'));
  expectProblemConforms(data);
  expect([data.status, data.reason]).toEqual([409, 'replaced']);
  await half.ended;
  // An id takes a place once, because the two would otherwise end each other in turns.
  expect((await open(key, { lastEventId })).status).toBe(429);
  // The break came before the gap was filled: the place is known by the first id of the second connection.
  const third = await open(key, { lastEventId: second.lastEventId });
  await third.until(named('state'));
  expect((await second.until(named('error'))).data.reason).toBe('replaced');
  expect(await used(key)).toBe(2);
  const stranger = await addKey();
  const theirs = await open(stranger, { lastEventId: third.lastEventId });
  await theirs.until(named('state'));
  expect([await used(stranger), third.events.some(named('error'))]).toEqual([2, false]);
  // The minute continues: the next is charged when it is over.
  lab.apis[0].now += 60_000;
  await until(async () => (await used(key)) === 4);
});

test('each started minute is charged in advance, once; HEAD is free; the stream ends with a problem when credits run out', async () => {
  const key = await addKey();
  const head = await lab.apis[0].send('HEAD', HERE, { key });
  expect([head.status, head.text, head.headers.get('content-type')]).toEqual([
    200,
    '',
    'text/event-stream; charset=utf-8',
  ]);
  expect(await used(key)).toBe(0);
  const stream = await open(key);
  await stream.until(named('state'));
  expect(await used(key)).toBe(2);
  lab.apis[0].now += 59_999;
  await poll(4);
  await stream.until(hasPrice(4));
  expect(await used(key)).toBe(2);
  // Noticed late, without delaying the next minute.
  lab.apis[0].now += 901;
  await until(async () => (await used(key)) >= 4);
  lab.apis[0].now += 59_100;
  await until(async () => (await used(key)) >= 6);
  expect(await used(key)).toBe(6);
  await lab.db.pool.query(
    'UPDATE credit_balances SET used = 75000 WHERE account_id = (SELECT account_id FROM api_keys WHERE key_hash = $1)',
    [hashApiKey(key)],
  );
  lab.apis[0].now += 60_000;
  const { data } = await stream.until(named('error'));
  expectProblemConforms(data);
  expect([data.status, data.code]).toEqual([402, 'payment_required']);
  await stream.ended;
  expect(await used(key)).toBe(6);
});

test('an account has as many streams as its plan allows, over all processes; without Redis nothing is counted', async () => {
  const standard = await addKey();
  const free = await addKey('free');
  const gated = await lab.apis[0].get(HERE, free);
  expect([gated.status, gated.body.code, gated.body.required_plan]).toEqual([403, 'plan_required', 'standard']);
  const stream = await open(standard);
  await stream.until(named('state'));
  const refused = await lab.apis[1].get(HERE, standard);
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([429, 'rate_limit', '15']);
  expect(await used(standard)).toBe(2);
  await stream.close();
  let next: StreamClient;
  do next = await open(standard, {}, lab.apis[1]);
  while (next.status === 429);
  await next.until(named('state'));
  const away = createRedis('redis://127.0.0.1:1', 250);
  const uncounted = await start({ streamLeases: createStreamLeases(away, lab.db.url) });
  try {
    expect((await open(standard, {}, uncounted)).status).toBe(200);
  } finally {
    away.disconnect();
    await uncounted.close();
  }
});

test('revoking a key, lowering its plan or removing its scope ends its streams; a raised plan continues with a new state', async () => {
  const revoked = await addKey();
  const lowered = await addKey();
  const raised = await addKey();
  const narrowed = await addKey();
  await lab.db.pool.query('UPDATE api_keys SET is_primary = false WHERE key_hash = $1', [hashApiKey(narrowed)]);
  const streams = [await open(revoked), await open(lowered), await open(raised), await open(narrowed)];
  for (const stream of streams) await stream.until(named('state'));
  await lab.db.pool.query('UPDATE api_keys SET revoked_at = now() WHERE key_hash = $1', [hashApiKey(revoked)]);
  for (const [key, plan] of [
    [lowered, 'hobby'],
    [raised, 'plus'],
  ] as const)
    await lab.db.pool.query(
      'UPDATE accounts SET plan = $2 WHERE account_id = (SELECT account_id FROM api_keys WHERE key_hash = $1)',
      [hashApiKey(key), plan],
    );
  await lab.db.pool.query(`UPDATE api_keys SET scopes = '{archive}' WHERE key_hash = $1`, [hashApiKey(narrowed)]);
  const codes: string[] = [];
  for (const stream of streams) {
    codes.push((await stream.until(named('error'))).data.code);
    await stream.ended;
  }
  expect(codes).toEqual(['unauthorized', 'plan_required', 'unavailable', 'scope_required']);
  const { lastEventId } = streams[2]!;
  const wider = await open(raised, { lastEventId });
  expect((await wider.until(named('state'))).data.horizon_hours).toBe(168);
  expect(wider.events[0]).toEqual({ event: 'reset', data: { reason: 'other_rights' } });
});

test('a stream that has nothing to do for half a minute ends as soon as its key is revoked', async () => {
  const { keys } = createStores(lab.pool);
  const sought: string[] = [];
  const find: typeof keys.find = (hashes) => {
    sought.push(...hashes.map(String));
    return keys.find(hashes);
  };
  const api = await start({ keys: { ...keys, find }, streamBounds: { renewMs: 600_000, heartbeatMs: 600_000 } });
  try {
    const [revoked, relabelled] = [await addKey(), await addKey()];
    const [resting, other] = [await open(revoked, {}, api), await open(relabelled, {}, api)];
    for (const stream of [resting, other]) await stream.until(named('state'));
    const hash = hashApiKey(relabelled);
    const looks = (): number => sought.filter((one) => one === String(hash)).length;
    // Between two looks at one stream comes one at the other, which rests from then on.
    for (const label of ['first', 'second']) {
      const before = looks();
      await lab.db.pool.query('UPDATE api_keys SET label = $2 WHERE key_hash = $1', [hash, label]);
      await until(async () => looks() > before);
    }
    await lab.db.pool.query('UPDATE api_keys SET revoked_at = now() WHERE key_hash = $1', [hashApiKey(revoked)]);
    const rest = createPatience(20_000);
    await until(async () => resting.events.some(named('error')) || rest.isOver());
    expect(resting.events.filter(named('error')).map(({ data }) => data.code)).toEqual(['unauthorized']);
  } finally {
    await api.close();
  }
});

test('a stopping process ends its streams at once and refunds the minute', async () => {
  const key = await addKey();
  const stopping = new AbortController();
  const api = await start({ stopping: stopping.signal, streamBounds: { heartbeatMs: 20 } });
  try {
    const stream = await open(key, {}, api);
    const { id } = await stream.until(named('state'));
    await until(async () => stream.comments.length > 1);
    expect(stream.lastEventId >= id!).toBe(true);
    stopping.abort();
    await stream.ended;
    expect(stream.events.some(named('error'))).toBe(false);
    await until(async () => (await used(key)) === 0);
    expect((await api.get(HERE, key)).status).toBe(503);
  } finally {
    await api.close();
  }
});

test('a minute is refunded if the service cuts off its state, but not if its client leaves before the state is complete', async () => {
  const reads = createReads(lab.pool);
  // More than the buffers between a process and a client that reads nothing.
  const board: typeof reads.board = async (query) => {
    const [race] = await reads.board(query);
    return Array.from({ length: 12 }, () => ({ ...race!, race_id: randomUUID(), venue: 'x'.repeat(2 * 1024 * 1024) }));
  };
  const now = () => Date.parse(NOW);
  const feed = createBoardFeed({ reads: { ...reads, board }, clock: REAL_TIME, log: { error: () => {} }, now });
  const open = new Set<() => void>();
  const boardFeed: BoardFeed = {
    ...feed,
    follow: async (selection, follower) => {
      const following = await feed.follow(selection, follower);
      open.add(follower.lost);
      return {
        ...following,
        leave: () => {
          open.delete(follower.lost);
          following.leave();
        },
      };
    },
  };
  const api = await start({ boardFeed, streamBounds: { lingerMs: PATIENT_MS } });
  const left = await addKey();
  const cut = await addKey();
  const begin = async (key: string) => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.write(`GET ${HERE} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`);
    await once(socket, 'readable');
    expect(await used(key)).toBe(2);
    return socket;
  };
  try {
    (await begin(left)).destroy();
    await until(async () => open.size === 0);
    const socket = await begin(cut);
    for (const lost of open) lost();
    await until(async () => (await used(cut)) === 0);
    expect(await used(left)).toBe(2);
    const bytes: Buffer[] = await socket.toArray();
    const text = Buffer.concat(bytes).toString();
    expect([text.includes('event: race'), text.includes('event: state'), text.includes('event: error')]).toEqual([
      true,
      false,
      true,
    ]);
  } finally {
    await api.close();
  }
});
