// `memories`: what each cache between a call and PostgreSQL saves. The API as it is and the API without one cache, each
// a process over one full card on which prices move, get the same calls; compared is the CPU that each and its
// PostgreSQL backends (which must run here, on Linux) used for a call, as the median of rounds. Two loads: 50 mixed
// queries a second, and a crowd that sends one query in the same second, a key and a connection each. Seconds are steps
// of a clock that the bench sets, and the two take turns in each, so that neither wall time nor the machine's other
// work is measured. Run: DATABASE_URL=… REDIS_URL=… node --import tsx bench/memories.ts [--races 150] [--rounds 5]
// [--seconds 20] [--crowd 2000] [--only text]
//   [--load mixed]
//   [--against checkout]: instead of one cache less, the API of another checkout, which has this folder.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { ENDPOINTS } from '../src/api/operations';
import { createStores } from '../src/store/create-stores';
import { hashApiKey } from '../src/store/keys/keys';
import { keyRow, newKey } from '../test/support/api/api';
import { requestFor } from '../test/support/api/operation-requests';
import { createTestDatabase } from '../test/support/servers/database';
import { median, seeded } from './support/figures';
import { type FullCard, seedFullCard } from './support/full-card';
import { MEMORIES } from './support/memories';
import { patchedTree, type Tree } from './support/patched-tree';
import type { SteppedServer, startSteppedServer } from './support/servers';

const { values } = parseArgs({
  options: {
    races: { type: 'string', default: '150' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '20' },
    crowd: { type: 'string', default: '2000' },
    only: { type: 'string' },
    load: { type: 'string' },
    against: { type: 'string' },
  },
});
const races = Number(values.races);
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const crowd = Number(values.crowd);
const PER_SECOND = 50;
const CROWDED_SECONDS = 6;
const AT_ONCE = 10;
const WARM_UP_SECONDS = 5;
/** As `bench/panel.ts` measured them: books polled each second; and the share of polls that move a price. */
const POLLS_A_SECOND = 135;
const MOVES = 0.15;

/** Without betslip links and with them: they do not share responses. Only Plus may send every query. */
const planOf = (caller: number) => (caller % 2 === 0 ? 'standard' : 'plus');
const MIXED_CALLERS = 50;

/** A process, with the name that its backends have. */
interface Measured extends SteppedServer {
  readonly name: string;
}

interface Caller {
  readonly key: string;
  readonly agent: Agent;
}

/** The calls of one second: who sends which path. */
type Calls = readonly (readonly [Caller, string])[];

interface Load {
  readonly name: string;
  readonly seconds: number;
  calls(nowMs: number): Calls;
}

async function bench(): Promise<void> {
  const db = await createTestDatabase();
  const ended: (() => void)[] = [];
  try {
    const clock = { nowMs: Math.floor(Date.now() / 1000) * 1000 };
    const card = await seedFullCard(db.pool, races, clock.nowMs);
    const all = loadsOf(card, await callersOf(db.pool));
    const loads = all.filter(({ name }) => name.includes(values.load ?? ''));
    const start = async (root: string, name: string): Promise<Measured> => {
      const tree = require(join(root, 'bench/support/servers.ts')) as { startSteppedServer: typeof startSteppedServer };
      const server = await tree.startSteppedServer(`${db.url}?application_name=${name}`, newKey());
      ended.push(server.stop);
      return { ...server, name };
    };
    const cpu = (server: Measured) => cpuOf(db.pool, server);
    const step = async (): Promise<number> => {
      clock.nowMs += 1000;
      await db.pool.query(MOVE, [new Date(clock.nowMs)]);
      return clock.nowMs;
    };
    console.log(
      `memories: ${races} races, ${rounds} rounds of ${seconds} s with ${PER_SECOND} calls, crowd of ${crowd}`,
    );
    for (const [name, tree] of others()) {
      ended.push(tree.remove);
      // Both anew: code that has run for longer is faster.
      const pair = [await start(join(__dirname, '..'), 'own'), await start(tree.root, 'without')] as const;
      for (const load of loads) await compare(`${name}, ${load.name}`, pair, load, step, cpu);
      for (const server of pair) server.stop();
      tree.remove();
    }
  } finally {
    for (const end of ended.reverse()) end();
    await db.drop();
  }
}

function* others(): Generator<[string, Tree]> {
  const { against, only = '' } = values;
  if (against !== undefined) return yield [`against ${against}`, { root: against, remove: () => undefined }];
  const chosen = Object.entries(MEMORIES).filter(([name]) => name.includes(only));
  for (const [name, edits] of chosen) yield [name, patchedTree(edits)];
}

async function callersOf(pool: Pool): Promise<readonly Caller[]> {
  const { keys } = createStores(pool);
  const callers = Array.from({ length: crowd }, () => ({ key: newKey(), agent: new Agent({ keepAlive: true }) }));
  for (const [i, { key }] of callers.entries()) await keys.insert(hashApiKey(key), keyRow(key, { plan: planOf(i) }));
  return callers;
}

/**
 * Mixed: every GET with a key as the suites send it, and as often as all of them the two boards, as customers narrow
 * them.
 */
function loadsOf(card: FullCard, callers: readonly Caller[]): readonly Load[] {
  const named = { next: card.live, final: card.final } as never;
  const gets = ENDPOINTS.filter(
    (one) => one.method === 'get' && one.auth === 'key' && !one.path.includes('{') && !one.sendsEvents,
  );
  const boards = ['', 'num_races=5', 'num_races=60', 'categories=horse', 'country=AU&num_races=20'].flatMap((search) =>
    ['next-to-go', 'best-odds'].map((board) => `/v1/racing/${board}?${search}`),
  );
  const paths = [...gets.map((one) => requestFor(one, named)), ...boards, ...boards];
  const random = seeded(20261122);
  const anyOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  // What changed in the last seconds, as those send it who follow the changes.
  const asOf = (path: string, nowMs: number) =>
    path.replace(/since=.*/, `since=${new Date(nowMs - 5000).toISOString()}`);
  const few = callers.slice(0, MIXED_CALLERS);
  const mixed = (nowMs: number): Calls =>
    Array.from({ length: PER_SECOND }, () => {
      const path = anyOf(paths);
      const able = boards.includes(path) ? few : few.filter((_, i) => planOf(i) === 'plus');
      return [anyOf(able), asOf(path, nowMs)] as const;
    });
  const alike = (): Calls => callers.map((caller) => [caller, '/v1/racing/best-odds?num_races=10'] as const);
  return [
    { name: 'mixed', seconds, calls: mixed },
    { name: 'crowd', seconds: CROWDED_SECONDS, calls: alike },
  ];
}

const MOVE = `UPDATE race_books b SET polled_at = $1, changed_at = CASE WHEN k.moved THEN $1 ELSE b.changed_at END,
    win[1] = CASE WHEN k.moved THEN b.win[1] + 0.01 ELSE b.win[1] END
  FROM (SELECT race_id, bookmaker_key, random() < ${MOVES} AS moved FROM race_books JOIN races USING (race_id)
    WHERE jumped_at IS NULL ORDER BY polled_at LIMIT ${POLLS_A_SECOND}) k
  WHERE (b.race_id, b.bookmaker_key) = (k.race_id, k.bookmaker_key)`;

type Pair = readonly [own: Measured, without: Measured];

/** Milliseconds; of the database by backend. */
interface Used {
  readonly api: number;
  readonly database: ReadonlyMap<number, number>;
}

/** schedstat's first figure is a process's CPU in nanoseconds. */
async function cpuOf(pool: Pool, server: Measured): Promise<Used> {
  const backends = 'SELECT pid FROM pg_stat_activity WHERE application_name = $1';
  const { rows } = await pool.query<{ pid: number }>(backends, [server.name]);
  const used = (pid: number) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  return { api: (await server.cpuSeconds()) * 1000, database: new Map(rows.map(({ pid }) => [pid, used(pid)])) };
}

interface PerCall {
  readonly api: number;
  readonly database: number;
}

function perCall(before: Used, after: Used, calls: number): PerCall {
  const database = [...after.database].map(([pid, used]) => used - (before.database.get(pid) ?? 0));
  return { api: (after.api - before.api) / calls, database: database.reduce((sum, one) => sum + one, 0) / calls };
}

type Cpu = (server: Measured) => Promise<Used>;

async function compare(name: string, pair: Pair, load: Load, step: () => Promise<number>, cpu: Cpu): Promise<void> {
  await round(pair, { ...load, seconds: Math.min(WARM_UP_SECONDS, load.seconds) }, step, cpu);
  const cells: (readonly [own: PerCall, without: PerCall])[] = [];
  for (let i = 0; i < rounds; i++) cells.push(await round(pair, load, step, cpu));
  const whole = ({ api, database }: PerCall): number => api + database;
  const saved = cells.map(([own, without]) => 1 - whole(own) / whole(without));
  const ms = (at: 0 | 1) =>
    `${median(cells.map((cell) => cell[at].api)).toFixed(3)} + ${median(cells.map((cell) => cell[at].database)).toFixed(3)} ms`;
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  console.log(
    `${name}: CPU a call of API and database ${ms(0)}, without ${ms(1)}; saves ${percent(median(saved))} (${saved.map(percent).join(', ')})`,
  );
}

async function round(
  pair: Pair,
  load: Load,
  step: () => Promise<number>,
  cpu: Cpu,
): Promise<readonly [own: PerCall, without: PerCall]> {
  const before = [await cpu(pair[0]), await cpu(pair[1])] as const;
  let sent = 0;
  for (let second = 0; second < load.seconds; second++) {
    const nowMs = await step();
    const calls = load.calls(nowMs);
    sent += calls.length;
    for (const server of second % 2 === 0 ? pair : pair.toReversed()) {
      await server.setClock(nowMs);
      await sendAll(server, calls, load.name === 'crowd' ? calls.length : AT_ONCE);
    }
  }
  return [perCall(before[0], await cpu(pair[0]), sent), perCall(before[1], await cpu(pair[1]), sent)];
}

async function sendAll(server: SteppedServer, calls: Calls, atOnce: number): Promise<void> {
  for (let from = 0; from < calls.length; from += atOnce)
    await Promise.all(calls.slice(from, from + atOnce).map(([caller, path]) => send(server, caller, path)));
}

async function send(server: SteppedServer, { key, agent }: Caller, path: string): Promise<void> {
  const headers = { 'X-API-Key': key, 'Accept-Encoding': 'gzip, deflate, br' };
  const [response] = await once(request(server.url + path, { agent, headers }).end(), 'response');
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`);
}

void bench();
