// `odds follow` as a process of its own, through a connection that breaks: what it writes is what a stream without a
// break has. Never: an event that is lost or written twice, half a line, noise when the reader leaves.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { Board, type StreamEvent } from '../../../clients/typescript/src/index.ts';
import { createQuoteStore } from '../../../src/store/polls/quotes';
import { createRedis } from '../../../src/store/redis/redis';
import { createStreamLeases } from '../../../src/store/redis/stream-leases';
import { type Served, serve } from '../../support/api/served';
import { withoutAges } from '../../support/api/without-ages';
import { PATIENT_MS } from '../../support/patient';
import { addRace } from '../../support/races/board';
import { feedRunner, raceSnapshot } from '../../support/races/builders';
import { until } from '../../support/races/stream-lab';
import { type TcpLine, tcpLine } from '../../support/servers/tcp-line';

let served: Served;
let line: TcpLine;
let key: string;
let raceId: string;
let redis: ReturnType<typeof createRedis>;
const folder = mkdtempSync(join(tmpdir(), 'odds-follow-'));
const program = join(folder, 'odds.mjs');
const children: ChildProcess[] = [];

beforeAll(async () => {
  const entryPoint = join(__dirname, '../../../clients/odds/src/main.ts');
  buildSync({ entryPoints: [entryPoint], outfile: program, bundle: true, platform: 'node', format: 'esm' });
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
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await line.mend();
});
afterAll(async () => {
  await line?.close();
  await served?.stop();
  redis?.disconnect();
  rmSync(folder, { recursive: true });
});

let polls = 0;
const poll = (place: number): Promise<unknown> =>
  createQuoteStore(served.db.pool).savePoll({
    raceId,
    bookmakerKey: 'tab',
    fence: { epoch: 1, attempt: 1 },
    observedAt: new Date(Date.parse('2026-11-21T02:59:55.000Z') + polls++).toISOString(),
    bookAt: null,
    snapshot: raceSnapshot({ runners: [feedRunner(1, { win: 3, place }), feedRunner(2, { win: 5 })] }),
    marketStateSource: false,
    startSource: false,
  });

const follow = (...args: string[]) => start('follow', ...args);

function start(...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, NODE_OPTIONS: '', ODDS_API_URL: line.url, ODDS_API_KEY: key },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const run = { child, out: '', err: '', ended: once(child, 'exit') as Promise<[number | null, string | null]> };
  child.stdout.on('data', (bytes) => (run.out += bytes));
  child.stderr.on('data', (bytes) => (run.err += bytes));
  return run;
}

/** Whole lines alone: each is JSON. */
const eventsOf = ({ out }: { out: string }): StreamEvent[] =>
  out
    .slice(0, out.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text));

const placesIn = (events: readonly StreamEvent[]): (number | null)[] =>
  events
    .flatMap((one) => (one.event === 'changes' ? one.data.races : []))
    .filter(({ race_id }) => race_id === raceId)
    .flatMap(({ changed_runners }) => changed_runners.map(({ place_price }) => place_price));

function boardOf(events: readonly StreamEvent[]): Board {
  const board = new Board();
  board.apply({ events });
  return board;
}

test('the lines of a broken connection are those of a whole one: none is lost, none comes twice', async () => {
  const run = follow('--ndjson');
  await until(() => eventsOf(run).some(({ event }) => event === 'state'));
  const breaks = [
    async () => line.endInside('"place_price"'),
    () => line.mend(),
    async () => line.endInside('id: '),
    async () => {
      await line.cut();
      await line.mend();
    },
  ];
  for (const [at, breakOff] of breaks.entries()) {
    await breakOff();
    const place = 1.6 + at / 10;
    await poll(place);
    await until(() => [...placesIn(eventsOf(run)), placeOf(boardOf(eventsOf(run)))].includes(place));
  }
  const places = placesIn(eventsOf(run)).filter((place) => place !== null);
  expect(places).toEqual([...new Set(places)]);
  const { body } = await served.api.get('/v1/racing/next-to-go?num_races=200&hours_ahead=168', key);
  expect(withoutAges(boardOf(eventsOf(run)).races.values())).toEqual(withoutAges(body));
  run.child.kill('SIGINT');
  expect(await run.ended).toEqual([130, null]);
  expect([run.err, run.out.at(-1)]).toEqual(['', '\n']);
});

const placeOf = (board: Board): number | undefined =>
  board.races.get(raceId)?.runners.find(({ number }) => number === 1)?.bookmakers[0]?.place_price;

test('another process goes on after the last id that was written', async () => {
  const first = follow();
  await until(() => eventsOf(first).some(({ event }) => event === 'state'));
  first.child.kill('SIGTERM');
  expect(await first.ended).toEqual([143, null]);
  const written = eventsOf(first);
  await poll(2.4);
  const lastId = written.findLast((one) => 'id' in one && one.id !== undefined) as { id: string };
  const second = follow('--last-event-id', lastId.id);
  await until(() => placeOf(boardOf([...written, ...eventsOf(second)])) === 2.4);
  expect(eventsOf(second).some(({ event }) => event === 'reset')).toBe(false);
});

test('changes are written by calls as well', async () => {
  const since = new Date(Date.now() - 1000).toISOString();
  const run = follow('--changes', '--every', '1', '--since', since);
  await poll(2.5);
  await until(() => run.out.includes('2.5') || run.child.exitCode !== null);
  expect(run.err).toBe('');
  const [first] = eventsOf(run) as unknown as { event: string; since: string; data: { race_id: string } }[];
  expect(first).toMatchObject({ event: 'changes', since: expect.any(String), data: { race_id: raceId } });
});

test('a reader that leaves ends it quietly', async () => {
  const run = follow();
  await once(run.child.stdout, 'data');
  run.child.stdout.destroy();
  while (run.child.exitCode === null && run.child.signalCode === null) {
    await poll(3 + polls / 100);
    await Promise.race([run.ended, new Promise((done) => setTimeout(done, 50))]);
  }
  expect([await run.ended, run.err]).toEqual([[0, null], '']);
});

test('a refusal ends it with a sentence', async () => {
  key = await served.addKey({ plan: 'free' });
  const run = follow();
  expect(await run.ended).toEqual([1, null]);
  expect(run.err).toMatch(/^odds: .+\n$/);
  expect(run.out).toBe('');
});

test('a watched race ends with its race: no stream stays open', async () => {
  const startTime = '2026-11-21T05:30:00.000Z';
  const reports = { tab: { runners: [feedRunner(1, { win: 2 })] } };
  const leaving = await addRace(served.db.pool, { venue: 'Leavefield', startTime }, reports);
  const run = start('race', 'Leavefield', '1', '--watch');
  await until(() => run.out.includes('Leavefield R1'));
  const over = `UPDATE races SET start_time = '2026-11-21T02:00:00Z' WHERE race_id = $1`;
  await served.db.pool.query(over, [leaving.raceId]);
  expect(await run.ended).toEqual([0, null]);
  expect([run.err, run.out]).toEqual(['', expect.stringContaining('has left the board: it has jumped.\n')]);
});
