// The exchange in the service: polled through a race's life into the store, its stream as an activity that survives
// refusals, broken lines and an unavailable database, and hands over when its worker stops.

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { streamExchange } from '../../../src/activities/exchange/stream-exchange';
import { pollBook } from '../../../src/activities/polling/poll-book';
import type { StreamSource } from '../../../src/feeds/betfair/stream/source';
import { timelineOf } from '../../../src/simulator/books/betfair/timeline';
import { createStreamServer, type Published } from '../../../src/simulator/stream/server';
import { worldPublisher } from '../../../src/simulator/stream/world-stream';
import { createWorld, racesOf } from '../../../src/simulator/world/world';
import { until } from '../../support/races/stream-lab';
import { type ActivityLab, discovered, HOUR, MINUTE, NOON, openLab } from '../lab';

const START = NOON + HOUR;
const SCRIPTS = [
  {
    startMs: START,
    venue: 'Flemington',
    runners: 10,
    scratchings: [{ number: 3, secondsBefore: 1200 }],
    jumpDelaySeconds: 45,
  },
] as const;
const RACE = racesOf(createWorld({ seed: 'test', races: SCRIPTS }), '2026-11-21')[0]!;
const LINE = timelineOf(RACE, 'WIN');
const iso = (ms: number): string => new Date(ms).toISOString();

let lab: ActivityLab;
beforeEach(async () => {
  lab = await openLab(SCRIPTS, {}, ['ladbrokes_au', 'pointsbetau', 'betfair_ex_au']);
});
afterEach(() => lab.close());

const source = (port: number): StreamSource => ({
  address: { host: '127.0.0.1', port, tls: false },
  credentials: { appKey: 'key', session: 'token' },
  filter: { eventTypeIds: ['7', '4339'], countryCodes: ['AU', 'NZ'], marketTypes: ['WIN', 'PLACE'] },
});

/** The activity as a worker runs it; `end` acts as a cancellation or as a stopping worker. */
function streaming(port: number) {
  const env = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  const deps = { ...lab.deps, exchangeStream: source(port) };
  const ended = env
    .run(() => streamExchange(deps, env.context))
    .then(
      () => null,
      (error: Error) => error,
    );
  const end = (workerShutdown: boolean) => {
    env.cancel(workerShutdown ? 'WORKER_SHUTDOWN' : 'CANCELLED', { workerShutdown } as never);
    return ended;
  };
  return { env, end };
}

const markets = () =>
  lab.query<{ market_type: string; status: string; in_play: boolean; race_id: string | null; version: number }>(
    'SELECT market_type, status, in_play, race_id, version FROM exchange_markets ORDER BY market_id',
  );

test('polled through its life: a removal, the turn in play, starting prices and winners are stored, and the race stays withheld', async () => {
  const raceId = await discovered(lab, 'live');
  const [book] = await lab.query<{ source_race_id: string }>(
    "SELECT source_race_id FROM race_books WHERE bookmaker_key = 'betfair_ex_au'",
  );
  await lab.deps.stores.control.claim(raceId, 1, 1, iso(NOON));
  const target = { raceId, bookmakerKey: 'betfair_ex_au', sourceRaceId: book!.source_race_id };
  for (const ms of [START - 10 * MINUTE, LINE.offMs, LINE.inPlayMs! + 2000, LINE.closedMs]) {
    lab.clock.nowMs = ms;
    const answer = await pollBook(
      lab.deps,
      { ...target, advertisedStart: iso(START), startSource: false },
      { epoch: 1, attempt: 1 },
      {},
    );
    expect(answer).toMatchObject({ kind: 'answered', result: null });
  }
  expect(await markets()).toMatchObject([
    { market_type: 'WIN', status: 'CLOSED', in_play: true, race_id: raceId },
    { market_type: 'PLACE', status: 'CLOSED', in_play: false, race_id: raceId },
  ]);
  const runners = await lab.query<{ number: number; status: string; bsp: number | null; adjustment_factor: number }>(
    `SELECT r.number, r.status, r.bsp, r.adjustment_factor FROM exchange_runners r JOIN exchange_markets m USING (market_id)
      WHERE m.market_type = 'WIN' ORDER BY number`,
  );
  const winner = RACE.story.settled.find((placing) => placing.position === 1)!.number;
  for (const { number, status, bsp, adjustment_factor } of runners) {
    expect([number, status]).toEqual([number, number === 3 ? 'REMOVED' : number === winner ? 'WINNER' : 'LOSER']);
    expect(bsp === null).toBe(number === 3);
    expect(adjustment_factor).toBeGreaterThan(0);
  }
  const [race] = await lab.query('SELECT inplay_at, market_closed_at, market_state_source FROM races');
  // PointsBet reports the race's market state and was not polled here.
  expect(race).toEqual({ inplay_at: iso(LINE.inPlayMs! + 2000), market_closed_at: null, market_state_source: null });
});

test('by the stream: every version with its instant, the race found by its market, and a worker that stops hands over', async () => {
  const raceId = await discovered(lab, 'live');
  const server = createStreamServer(worldPublisher(createWorld({ seed: 'test', races: SCRIPTS }), lab.deps.now));
  const port = await server.listen(0);
  lab.clock.nowMs = START - MINUTE;
  const first = streaming(port);
  await until(async () => (await markets()).length === 2);
  lab.clock.nowMs = LINE.inPlayMs! + 1000;
  await until(async () => (await markets())[0]!.in_play);
  expect(await first.end(true)).toMatchObject({ type: 'WorkerShutdown', category: 'BENIGN', nextRetryDelay: 250 });

  const second = streaming(port);
  lab.clock.nowMs = LINE.closedMs + 1000;
  await until(async () => (await markets()).every((market) => market.status === 'CLOSED'));
  expect(await second.end(false)).toBeInstanceOf(CancelledFailure);
  await server.close();
  expect(await markets()).toMatchObject([{ race_id: raceId }, { race_id: null }]);
  const [race] = await lab.query('SELECT inplay_at FROM races');
  expect(race).toEqual({ inplay_at: iso(LINE.inPlayMs! + 1000) });
});

test('a refusal, a malformed line and an unavailable database lose no change of the stream', async () => {
  await discovered(lab, 'live');
  let refusal: string | null = 'SUBSCRIPTION_LIMIT_EXCEEDED';
  const sent: Published[] = [1, 2].map((version) => ({
    pt: START - 60_000 + version,
    mc: [{ id: '1.5', marketDefinition: definition(version) }],
  }));
  const server = createStreamServer(
    {
      async publish(_, send, signal) {
        for (const message of sent) await send(message);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    },
    () => refusal,
  );
  await lab.db.pool.query('ALTER TABLE exchange_markets RENAME TO away');
  const { end } = streaming(await server.listen(0));
  const failures = () =>
    lab.query<{ reason: string; count: number }>("SELECT reason, count FROM connector_counts WHERE kind = 'failed'");
  await until(async () => (await failures()).some(({ reason }) => reason === 'stream_refused'));
  refusal = null;
  await until(() => server.requests.filter((request) => request.op === 'marketSubscription').length > 1);
  await lab.db.pool.query('ALTER TABLE away RENAME TO exchange_markets');
  const versions = () => lab.query('SELECT version, at FROM exchange_market_changes ORDER BY 1');
  // A save may fall between the two messages.
  await until(async () => (await versions()).length === sent.length);
  expect(await versions()).toEqual([
    { version: 1, at: iso(START - 59_999) },
    { version: 2, at: iso(START - 59_998) },
  ]);
  await end(false);
  await server.close();
});

test('another service at the address is malformed, and retried', async () => {
  const other = createServer((socket) => socket.on('error', () => undefined).write('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { end } = streaming((other.address() as AddressInfo).port);
  await until(async () => {
    const counts = await lab.query<{ reason: string; count: number }>('SELECT reason, count FROM connector_counts');
    return counts.some(({ reason, count }) => reason === 'stream_malformed' && count > 1);
  });
  expect(await end(false)).toBeInstanceOf(CancelledFailure);
  await new Promise((resolve) => other.close(resolve));
});

const definition = (version: number) => ({
  status: 'OPEN' as const,
  inPlay: false,
  bspReconciled: false,
  version,
  marketType: 'WIN',
  marketTime: iso(START),
  numberOfWinners: 1,
  numberOfActiveRunners: 1,
  bspMarket: true,
  turnInPlayEnabled: true,
  eventId: '31000001',
  eventTypeId: '7',
  openDate: iso(START),
  runners: [{ id: 11, status: 'ACTIVE' as const, sortPriority: 1 }],
});
