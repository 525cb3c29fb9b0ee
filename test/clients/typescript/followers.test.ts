// The followers of the TypeScript client on the real service, through a connection that breaks. Never: an event that is
// lost or passed on twice, a batch after which the board is not `next-to-go`, a follower that goes on for ever.
import {
  AuthenticationError,
  Board,
  ConflictError,
  ConnectionError,
  OddsClient,
  type OddsClientOptions,
  type StreamBatch,
} from '../../../clients/typescript/src/index.ts';
import { hashApiKey } from '../../../src/store/keys/keys';
import { createQuoteStore } from '../../../src/store/polls/quotes';
import { createRedis } from '../../../src/store/redis/redis';
import { createStreamLeases } from '../../../src/store/redis/stream-leases';
import { type Served, serve } from '../../support/api/served';
import { withoutAges } from '../../support/api/without-ages';
import { PATIENT_MS } from '../../support/patient';
import { addRace } from '../../support/races/board';
import { feedRunner, raceSnapshot } from '../../support/races/builders';
import { type TcpLine, tcpLine } from '../../support/servers/tcp-line';

let served: Served;
let line: TcpLine;
let key: string;
let raceId: string;
let redis: ReturnType<typeof createRedis>;

beforeAll(async () => {
  redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
  served = await serve(({ url }) => ({
    streamLeases: createStreamLeases(redis, url),
    streamBounds: { renewMs: 50 },
  }));
  const runners = [feedRunner(1, { win: 3, place: 1.5 }), feedRunner(2, { win: 5 })];
  const race = { venue: 'Guidefield', startTime: '2026-11-21T05:00:00.000Z' };
  ({ raceId } = await addRace(served.db.pool, race, { tab: { runners } }));
  line = await tcpLine(served.api.url);
});
beforeEach(async () => {
  key = await served.addKey({ plan: 'enterprise' });
});
afterAll(async () => {
  await line?.close();
  await served?.stop();
  redis?.disconnect();
});

/** Waits are short, so that a follower is soon back. */
const clientOf = (over: OddsClientOptions = {}): OddsClient =>
  new OddsClient({
    apiKey: key,
    baseUrl: line.url,
    random: () => 0.5,
    maxRetries: 0,
    sleep: (_, signal) =>
      new Promise((done, failed) => {
        signal?.addEventListener('abort', () => failed(signal.reason), { once: true });
        setTimeout(done, 20);
      }),
    ...over,
  });

let polls = 0;
const poll = (place: number, win = 3): Promise<unknown> =>
  createQuoteStore(served.db.pool).savePoll({
    raceId,
    bookmakerKey: 'tab',
    fence: { epoch: 1, attempt: 1 },
    observedAt: new Date(Date.parse('2026-11-21T02:59:55.000Z') + polls++).toISOString(),
    bookAt: null,
    snapshot: raceSnapshot({ runners: [feedRunner(1, { win, place }), feedRunner(2, { win: 5 })] }),
    marketStateSource: false,
    startSource: false,
  });

async function until(is: () => boolean | Promise<boolean>): Promise<void> {
  const late = AbortSignal.timeout(PATIENT_MS);
  while (!(await is())) {
    late.throwIfAborted();
    await new Promise((done) => setTimeout(done, 10));
  }
}

/** Each look is five seconds later, so that freshness is due. */
const untilEqual = (board: Board): Promise<void> =>
  until(async () => {
    served.api.now += 5000;
    const { body } = await served.api.get('/v1/racing/next-to-go?num_races=200&hours_ahead=168', key);
    return JSON.stringify(withoutAges(board.races.values())) === JSON.stringify(withoutAges(body));
  });

/** Follows in the background. `lastIds`: with what each connection began. */
function following(over: Parameters<OddsClient['follow']>[0] = {}) {
  const board = new Board();
  const batches: StreamBatch[] = [];
  const lastIds: (string | null)[] = [];
  const watched: typeof fetch = (input, init) => {
    lastIds.push(new Headers(init!.headers).get('Last-Event-ID'));
    return fetch(input, init);
  };
  const ended = (async () => {
    for await (const batch of clientOf({ fetch: watched }).follow({ silenceSeconds: 1, ...over })) {
      board.apply(batch);
      batches.push(batch);
    }
  })();
  return { board, batches, lastIds, ended };
}

test('the stream keeps a board equal to next-to-go through every kind of break, and repeats nothing', async () => {
  const startTime = '2026-11-21T05:30:00.000Z';
  const leaving = await addRace(
    served.db.pool,
    { venue: 'Leavefield', startTime },
    { tab: { runners: [feedRunner(1, { win: 2 })] } },
  );
  const { board, batches, lastIds, ended } = following();
  const refused = expect(ended).rejects.toBeInstanceOf(AuthenticationError);
  await untilEqual(board);
  const places = [1.6, 1.7, 1.8, 1.9, 2, 2.1];
  const breaks = [
    async () => {},
    () => line.mend(),
    async () => line.swallow(),
    async () => line.endInside('event: race'),
    async () => line.endInside('id: '),
    async () => {
      await line.cut();
      await poll(4.5);
      const over = `UPDATE races SET start_time = '2026-11-21T02:00:00Z' WHERE race_id = $1`;
      await served.db.pool.query(over, [leaving.raceId]);
      await line.mend();
    },
  ];
  for (const [i, place] of places.entries()) {
    await breaks[i]!();
    await poll(place);
    await untilEqual(board);
    await served.db.pool.query(
      `UPDATE race_runners SET jockey = coalesce(jockey, '') || 'A' WHERE race_id = $1 AND number = 2`,
      [raceId],
    );
    await untilEqual(board);
  }
  const rows = batches.flatMap(({ events }) =>
    events.flatMap((one) => (one.event === 'changes' ? one.data.races.flatMap((race) => race.changed_runners) : [])),
  );
  const seen = rows.map(({ number, place_price }) => `${number} ${place_price}`);
  expect(seen.length).toBeGreaterThan(0);
  expect(new Set(seen).size).toBe(seen.length);
  const times = batches.map(({ id }) => id.split(' ')[0]!);
  expect(times).toEqual([...times].sort());
  expect(batches.every(({ id, events }) => id !== '' && events.length > 0)).toBe(true);
  // No state was sent whole a second time.
  expect([lastIds[0], lastIds.length > 4, lastIds.slice(1).filter((id) => !id)]).toEqual([null, true, []]);
  expect(batches.flatMap(({ events }) => events).filter(({ event }) => event === 'reset')).toEqual([]);
  // Its owner knows why it ends; a key is looked up again after half a minute.
  await served.db.pool.query('UPDATE api_keys SET revoked_at = now() WHERE key_hash = $1', [hashApiKey(key)]);
  served.api.now += 60_000;
  await refused;
});

test('another program goes on where one stopped, and the one that still runs ends for good', async () => {
  const first = following();
  const replaced = expect(first.ended).rejects.toMatchObject({ problem: { reason: 'replaced' } });
  await untilEqual(first.board);
  const left = first.batches.at(-1)!;
  const stopping = new AbortController();
  const second = following({ lastEventId: left.id, signal: stopping.signal });
  await replaced;
  await expect(first.ended).rejects.toBeInstanceOf(ConflictError);
  await poll(3.3);
  await until(() => second.batches.length > 0);
  const kinds = new Set(second.batches.flatMap(({ events }) => events.map(({ event }) => event)));
  expect([kinds.has('reset'), kinds.has('state')]).toEqual([false, true]);
  for (const [id, race] of first.board.races) if (!second.board.races.has(id)) second.board.races.set(id, race);
  await untilEqual(second.board);
  stopping.abort(new Error('stopped'));
  await expect(second.ended).rejects.toThrow('stopped');
});

test('who leaves the loop closes the connection; an absent service is given up', async () => {
  const signals: AbortSignal[] = [];
  const watched: typeof fetch = (input, init) => {
    signals.push(init!.signal!);
    return fetch(input, init);
  };
  for await (const { events } of clientOf({ fetch: watched }).follow({ query: { categories: ['horse'] } })) {
    expect([events.at(-1)!.event, signals.map(({ aborted }) => aborted)]).toEqual(['state', [false]]);
    break;
  }
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  await line.cut();
  const clock = { now: 0, waits: [] as number[] };
  const sleep = async (ms: number): Promise<void> => {
    clock.now += ms;
    clock.waits.push(ms);
  };
  const alone = clientOf({ sleep, now: () => clock.now });
  await expect(alone.follow({ giveUpAfterSeconds: 120 }).next()).rejects.toBeInstanceOf(ConnectionError);
  expect(clock.waits.slice(0, 6)).toEqual([1500, 3000, 6000, 12_000, 22_500, 22_500]);
  expect(clock.now).toBeLessThanOrEqual(120_000);
  await line.mend();
});

test('changes by cursor come once each, although answers overlap and connections break', async () => {
  const received: (number | null)[] = [];
  const stopping = new AbortController();
  let answers = 0;
  const counted: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    answers += 1;
    return response;
  };
  const client = clientOf({ fetch: counted });
  const since = new Date(Date.now() - 1000).toISOString();
  const ended = (async () => {
    for await (const { races } of client.followChanges({ since, everySeconds: 0, signal: stopping.signal }))
      for (const { changed_runners } of races.filter(({ race_id }) => race_id === raceId))
        received.push(...changed_runners.filter(({ number }) => number === 1).map(({ win_price }) => win_price));
  })();
  const prices = [4.1, 4.2, 4.3, 4.4];
  for (const [i, price] of prices.entries()) {
    if (i === 1) await line.cut();
    if (i === 2) line.endInside('changed_runners');
    await poll(2.5, price);
    if (i === 1) await line.mend();
    await until(() => received.includes(price));
    // Those that come now repeat it.
    const before = answers;
    await until(() => answers > before + 2);
  }
  stopping.abort(new Error('stopped'));
  await expect(ended).rejects.toThrow('stopped');
  expect(received).toEqual(prices);
});
