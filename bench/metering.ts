// `metering`: next-to-go with ten races through limits and credits, against the same without them: answers a second,
// the server's CPU an answer and p99, with 64 connections of 20 accounts. Responses cached within their second, and
// computed for each call, which is judged. Each server and the client are processes of their own, rounds alternating.
// Ends with the audit of the ledger, which must have exactly what was answered. Run: DATABASE_URL=… REDIS_URL=… node
// --import tsx bench/metering.ts [--races 60] [--rounds 5] [--ms 2000] [--connections 64] [--accounts 20]
import { parseArgs } from 'node:util';
import { createStores } from '../src/store/create-stores';
import { hashApiKey } from '../src/store/keys/keys';
import { keyRow, newKey } from '../test/support/api/api';
import { createTestDatabase, type TestDatabase } from '../test/support/servers/database';
import { median } from './support/figures';
import { seedFullCard } from './support/full-card';
import { type LoadClient, startLoadClient } from './support/load';
import { type Server, startMeteringServer } from './support/servers';

const TARGET = 0.6;
const WARM_UP_MS = 1500;
const PATH = '/v1/racing/next-to-go?num_races=10';
/** Of one call (A 4.2). */
const CREDITS = 2;

const { values } = parseArgs({
  options: {
    races: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '5' },
    ms: { type: 'string', default: '2000' },
    connections: { type: 'string', default: '64' },
    accounts: { type: 'string', default: '20' },
  },
});
const rounds = Number(values.rounds);
const ms = Number(values.ms);
const connections = Number(values.connections);

interface Round {
  readonly answers: number;
  readonly perSecond: number;
  readonly cpuMs: number;
  readonly p99: number;
}

async function bench(): Promise<void> {
  const db = await createTestDatabase();
  const client = startLoadClient();
  try {
    await seedFullCard(db.pool, Number(values.races), Date.now());
    const keys = await accounts(db);
    console.log(
      `metering: ${PATH}, ${connections} connections, ${keys.length} accounts, ${rounds} alternating rounds of ${ms} ms`,
    );
    const cached = await compare(db, client, keys, true);
    const computed = await compare(db, client, keys, false);
    await audit(db, cached + computed);
  } finally {
    client.stop();
    await db.drop();
  }
}

/** On a plan whose limits are never reached. */
async function accounts(db: TestDatabase): Promise<string[]> {
  const keys = Array.from({ length: Number(values.accounts) }, newKey);
  const store = createStores(db.pool).keys;
  for (const key of keys) await store.insert(hashApiKey(key), keyRow(key, { plan: 'enterprise' }));
  return keys;
}

/** Resolves to the metered answers. */
async function compare(
  db: TestDatabase,
  client: LoadClient,
  keys: readonly string[],
  isCached: boolean,
): Promise<number> {
  const free = await startMeteringServer(db.url, newKey(), false, isCached);
  const metered = await startMeteringServer(db.url, newKey(), true, isCached);
  try {
    const answers = { free: [] as Round[], metered: [] as Round[] };
    await round(client, free, keys, WARM_UP_MS);
    const warm = await round(client, metered, keys, WARM_UP_MS);
    for (let i = 0; i < rounds; i++) {
      answers.free.push(await round(client, free, keys, ms));
      answers.metered.push(await round(client, metered, keys, ms));
    }
    print(isCached, answers.free, answers.metered);
    return warm.answers + answers.metered.reduce((sum, one) => sum + one.answers, 0);
  } finally {
    free.stop();
    metered.stop();
  }
}

async function round(client: LoadClient, server: Server, keys: readonly string[], forMs: number): Promise<Round> {
  const before = await server.cpuSeconds();
  const load = {
    url: server.url,
    path: PATH,
    headers: { 'Accept-Encoding': 'identity' },
    keys,
    connections,
    ms: forMs,
  };
  const { answers, seconds, waits } = await client.run(load);
  const cpu = (await server.cpuSeconds()) - before;
  return {
    answers,
    perSecond: answers / seconds,
    cpuMs: (cpu * 1000) / answers,
    p99: waits[Math.floor(waits.length * 0.99)]!,
  };
}

function print(isCached: boolean, free: readonly Round[], metered: readonly Round[]): void {
  const ratio = median(metered.map((one, i) => one.perSecond / free[i]!.perSecond));
  const added = median(metered.map((one, i) => one.p99 - free[i]!.p99));
  const of = (all: readonly Round[], figure: (one: Round) => number, digits: number) =>
    median(all.map(figure)).toFixed(digits);
  const each = (all: readonly Round[]) =>
    `${of(all, (one) => one.perSecond, 0)}/s (CPU ${of(all, (one) => one.cpuMs, 2)} ms, p99 ${of(all, (one) => one.p99, 1)} ms)`;
  const verdict = isCached ? 'for information' : `target ${TARGET}: ${ratio >= TARGET ? 'PASS' : 'FAIL'}`;
  if (!isCached && ratio < TARGET) process.exitCode = 1;
  console.log(
    `${isCached ? 'cached' : 'computed'}: metered ${each(metered)}, unmetered ${each(free)}, ratio ${ratio.toFixed(2)}, p99 + ${added.toFixed(1)} ms, ${verdict}`,
  );
}

async function audit(db: TestDatabase, answers: number): Promise<void> {
  const faults = await createStores(db.pool).credits.audit();
  const { rows } = await db.pool.query('SELECT count(*) AS calls, sum(credits) AS credits FROM credit_ledger');
  const [{ calls, credits }] = rows as [{ calls: number; credits: number }];
  const isExact = faults.length === 0 && calls === answers && credits === CREDITS * answers;
  if (!isExact) process.exitCode = 1;
  console.log(
    `ledger: ${calls} calls, ${credits} credits for ${answers} answers, ${faults.length} faults: ${isExact ? 'PASS' : 'FAIL'}`,
  );
}

void bench();
