// `odds next`, `odds race` and `odds usage` against the real service. Never: a race that is over as the next one, a
// stale price without its age, the key or a control character in what is printed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCharger } from '../../../src/api/kernel/charging/charger';
import { createStores } from '../../../src/store/create-stores';
import { createQuoteStore } from '../../../src/store/polls/quotes';
import { createRedis } from '../../../src/store/redis/redis';
import { createStreamLeases } from '../../../src/store/redis/stream-leases';
import { type Served, serve } from '../../support/api/served';
import { oddsProgram, type RunningOdds, startOdds } from '../../support/clients/odds';
import { PATIENT_MS } from '../../support/patient';
import { addRace } from '../../support/races/board';
import { feedRunner, raceSnapshot } from '../../support/races/builders';
import { until } from '../../support/races/stream-lab';
import { freePort } from '../../support/servers/free-port';

const program = oddsProgram();
const NASTY = 'Bold \u001b[31mMove\u202e\u009b2J';
const TERMINAL = { columns: 100, rows: 30 };
const ESCAPE = '\u001b[';
const COLOUR = new RegExp(`\\${ESCAPE}[\\d;]*m`);
const CONTROL = /[^\P{C}\n]/u;

let served: Served;
let key: string;
let redis: ReturnType<typeof createRedis>;
const races = new Map<number, string>();

beforeAll(async () => {
  redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
  served = await serve(({ pool, url }) => ({
    charger: createCharger(createStores(pool).credits),
    streamLeases: createStreamLeases(redis, url),
    streamBounds: { renewMs: 50 },
  }));
  await race(4, '2026-11-21T03:10:00.000Z');
  await race(5, '2026-11-21T03:50:00.000Z');
  const harness = {
    venue: 'Randwick',
    raceNumber: 5,
    category: 'harness',
    startTime: '2026-11-21T04:00:00.000Z',
  } as const;
  await addRace(served.db.pool, harness, { tab: { runners: [feedRunner(1, { win: 4 })] } });
});
beforeEach(async () => {
  key = await served.addKey({ plan: 'enterprise' });
});
afterAll(async () => {
  await served?.stop();
  redis?.disconnect();
});

async function race(raceNumber: number, startTime: string): Promise<void> {
  const field = (win: number) => [
    feedRunner(1, { name: NASTY, win }),
    feedRunner(2, { name: 'Plain Sailing', win: 5 }),
  ];
  const { raceId } = await addRace(
    served.db.pool,
    { venue: 'Randwick', raceNumber, startTime },
    {
      tab: { runners: field(3) },
      ladbrokes_au: { runners: field(3.4), at: '2026-11-21T02:50:00.000Z' },
      sportsbet: { runners: [feedRunner(1, { name: NASTY, win: 3.1 })] },
      unibet: { runners: [feedRunner(1, { name: NASTY, win: 51 })] },
    },
  );
  races.set(raceNumber, raceId);
}

let polls = 0;
const poll = (raceNumber: number, win: number): Promise<unknown> =>
  createQuoteStore(served.db.pool).savePoll({
    raceId: races.get(raceNumber)!,
    bookmakerKey: 'tab',
    fence: { epoch: 1, attempt: 1 },
    observedAt: new Date(Date.parse('2026-11-21T02:59:55.000Z') + polls++).toISOString(),
    bookAt: null,
    snapshot: raceSnapshot({ runners: [feedRunner(1, { name: NASTY, win }), feedRunner(2, { win: 5 })] }),
    marketStateSource: false,
    startSource: false,
  });

const start = (args: string, over: Parameters<typeof startOdds>[2] = { env: {} }): RunningOdds =>
  startOdds(program, args.split(' '), {
    ...over,
    env: { ODDS_API_URL: served.api.url, ODDS_API_KEY: key, ...over.env },
  });

async function ended(args: string, env: Record<string, string> = {}) {
  const running = start(args, { env });
  const code = await running.code;
  expect(running.out + running.err).not.toContain(key);
  return { code, out: running.out, err: running.err };
}

test('next lists the races to come, and obeys no name', async () => {
  const { code, out, err } = await ended('next --category horse');
  expect([code, err]).toEqual([0, '']);
  expect(out).not.toMatch(CONTROL);
  const [head, first, second] = out.split('\n');
  expect(head).toMatch(/^start in +race +category +favourite +best price +runners +books +oldest$/);
  expect(first).toMatch(/^ +10:00 +Randwick R4 +horse +1 Bold �\[31mMove��2J +3\.40!10m ladbrokes_au +2 +4 +10m$/);
  expect(second).toMatch(/Randwick R5/);
  const json = await ended('next --category horse --limit 1 --json');
  expect(json.out.replaceAll('\n', '')).not.toMatch(CONTROL);
  expect(JSON.parse(json.out)).toMatchObject([
    { race_number: 4, runners: [{ name: expect.stringContaining('Bold') }, {}] },
  ]);
});

test('race shows every book, marks the best, the stale and the placeholder, and asks which of two', async () => {
  const { code, out } = await ended('race randwick 4');
  expect(code).toBe(0);
  expect(out).not.toMatch(CONTROL);
  expect(out).toMatch(/^Randwick R4 · horse · .* · starts 2026-11-21 03:10 UTC, in 10:00\nwin prices, 4 books\n/);
  expect(out).toMatch(/# +runner +best +ladbrokes_au +sportsbet +tab +unibet\n/);
  expect(out).toMatch(/\n1 +Bold .*3\.40!10m ladbrokes_au +3\.40!10m\* +3\.10 +3\.00 +51\.00\?\n/);
  expect(out).toMatch(/age +10m +\d+s +\d+s +\d+s\n/);
  expect(await ended('race Randwick 5')).toEqual({
    code: 2,
    out: '',
    err: 'odds: Randwick has race 5 of several categories: add --category horse or harness.\n',
  });
  expect(await ended('race Randwick 9')).toMatchObject({
    code: 1,
    err: 'odds: Race 9 at Randwick is not to come. These are: 4, 5.\n',
  });
  expect(await ended('race Nowhere 9')).toMatchObject({ code: 1, err: expect.stringMatching(/^odds: .*Nowhere.*\n$/) });
});

test('race looks as far ahead as the plan does, and is charged once', async () => {
  const names = ['free', 'standard', 'plus'] as const;
  const keys = await Promise.all(names.map((plan) => served.addKey({ plan })));
  await race(6, '2026-11-22T15:00:00.000Z');
  await race(7, '2026-11-25T03:00:00.000Z');
  const found = async (args: string, ODDS_API_KEY: string) => (await ended(args, { ODDS_API_KEY })).code;
  const seen: (string | number)[][] = [];
  for (const [i, plan] of names.entries()) {
    const numbers = ['R4', 'r6', '7'];
    const codes: number[] = [];
    for (const number of numbers) codes.push(await found(`race Randwick ${number}`, keys[i]!));
    const { out } = await ended('usage --json', { ODDS_API_KEY: keys[i]! });
    seen.push([plan, ...codes, JSON.parse(out).credits_used]);
  }
  expect(seen).toEqual([
    ['free', 0, 1, 1, 9],
    ['standard', 0, 0, 1, 9],
    ['plus', 0, 0, 0, 9],
  ]);
  expect(await ended('race Randwick R6', { ODDS_API_KEY: keys[0]! })).toMatchObject({
    code: 1,
    err: 'odds: Race 6 at Randwick is not to come. These are: 4, 5.\n',
  });
  expect(await ended('race Randwick Rx')).toMatchObject({ code: 2, err: expect.stringContaining('whole number') });
});

test('the help has the exit codes of the README', async () => {
  const { code, out } = await ended('--help');
  const readme = readFileSync(join(__dirname, '../../../clients/odds/README.md'), 'utf8');
  const rows = [...readme.matchAll(/^\| (\d[\d, ]*) \| .* \|$/gm)].flatMap(([, codes = '']) =>
    codes.trim().split(', '),
  );
  expect([code, rows.length]).toEqual([0, 5]);
  expect([...out.matchAll(/^ {2}(\d+) +\S/gm)].map(([, code]) => code)).toEqual(rows);
});

test('usage states what is left', async () => {
  await ended('next');
  const { code, out } = await ended('usage');
  expect(code).toBe(0);
  expect(out).toMatch(/^plan: enterprise\nused this month: 2 .*\nleft: .* until 20\d\d-\d\d-01\n/);
  expect(JSON.parse((await ended('usage --json')).out)).toMatchObject({ plan: 'enterprise', credits_used: 2 });
});

test('what is wrong is one sentence, without the key', async () => {
  const sentence = expect.stringMatching(/^odds: .*\n$/);
  expect(await ended('next', { ODDS_API_URL: '' })).toMatchObject({ code: 2, err: sentence });
  expect(await ended('next', { ODDS_API_KEY: '' })).toMatchObject({ code: 2, err: sentence });
  expect(await ended('next', { ODDS_API_KEY: 'pe_nobodys' })).toMatchObject({
    code: 1,
    err: expect.stringContaining('Set ODDS_API_KEY'),
  });
  expect(await ended('next', { ODDS_API_URL: `http://127.0.0.1:${await freePort()}` })).toMatchObject({
    code: 1,
    err: expect.stringContaining('(ECONNREFUSED)'),
  });
  expect(await ended('next --category camels')).toMatchObject({ code: 1, err: expect.stringContaining('camels') });
  for (const args of [
    `next --key ${key}`,
    `next --key=${key}`,
    `race Randwick ${key}`,
    key,
    'race Randwick',
    'next --limit 0',
  ])
    expect(await ended(args)).toMatchObject({ code: 2, out: '' });
});

test('a watched race is redrawn in place as prices change, and says that it has left the board', async () => {
  const running = start('race Randwick 4 --watch', { env: { NO_COLOR: '1' }, terminal: TERMINAL });
  await until(() => running.out.includes('3.00'));
  await poll(4, 3.6);
  await until(() => running.out.includes('3.60*'));
  const drawn = running.out;
  expect(drawn).toContain(ESCAPE);
  expect(drawn).not.toMatch(COLOUR);
  // In place: the first lines are not written again.
  expect(drawn.match(/win prices, 4 books/g)!.length).toBeLessThan(drawn.match(/tab/g)!.length);
  const over = `UPDATE races SET start_time = '2026-11-21T02:00:00Z' WHERE race_id = $1`;
  await served.db.pool.query(over, [races.get(4)!]);
  expect(await running.code).toBe(0);
  expect(running.out).toContain('Randwick R4 has left the board: it has jumped.');
  const next = await ended('next --category horse');
  expect(next.out).not.toContain('Randwick R4');
});

test('a watched list goes on until it is interrupted, in colour on a terminal', async () => {
  const running = start('next --watch --venue randwick', { env: {}, terminal: TERMINAL });
  await until(() => running.out.includes('Randwick R5'));
  expect(running.out).toMatch(COLOUR);
  running.interrupt();
  expect(await running.code).toBe(130);
  expect(running.err).toBe('');
});

test('where there is no terminal each change is written once more, without any escape', async () => {
  const running = start('race Randwick 5 --category horse --watch');
  await until(() => running.out.includes('Randwick R5'));
  await poll(5, 3.7);
  await until(() => running.out.includes('3.70*'));
  running.interrupt();
  expect(await running.code).toBe(130);
  expect(running.out).not.toMatch(CONTROL);
});

test('a plan without the stream is served by calls', async () => {
  key = await served.addKey({ plan: 'free' });
  const running = start('next --watch --every 1 --category horse --json');
  await until(() => running.out.split('\n').length > 2);
  running.interrupt();
  expect(await running.code).toBe(130);
  expect(JSON.parse(running.out.split('\n')[0]!)).toMatchObject([{ venue: 'Randwick', category: 'horse' }]);
});
