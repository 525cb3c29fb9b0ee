// `webhooks`: first attempts a second, with claim, attempt row and settlement, against raw undici posts of the same
// bodies to the same receiver at the same concurrency, rounds in turn, with the time in the database apart: to a
// receiver that answers at once, and to one that answers after 10 ms, as near ones do. Then the time from the commit of
// a price move to the receiver's hands.
//   DATABASE_URL=… node --import tsx bench/webhooks.ts [--rounds 5] [--deliveries 10000] [--endpoints 200] [--at-once
//   128] [--moves 60] … bench/webhooks.ts --fairness [--pairs 5] [--seconds 30]
// 200 endpoints, a fixed 50 posts a second, receivers and worker in processes of their own; with 20 endpoints that hang
// and without, in turn. Fails if the median of the pairs' ratios of the healthy endpoints' p99 is above 1.3.
//   … bench/webhooks.ts --one [--seconds 10]
// One endpoint that answers after 100 ms, as ordinary ones do. Fails below 32 posts a second.
//   … bench/webhooks.ts --load [--seconds 60] [--answer 100]
// Two workers: 5,000 endpoints, of which 20 follow the prices of 600 races and 80 those of a venue, and 1,000 want each
// result.
//   … bench/webhooks.ts --prune [--rows 200000] [--rounds 3]
// Deliveries that are over their time, dropped as a day against one by one, beside somebody who writes 3,000 a second.
// Fails below ten times as fast. The database has the days of a month, as one has that has run for long.
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { Agent, request } from 'undici';
import { eventBody } from '../src/domain/events/event';
import { createLog } from '../src/log';
import { plansWith } from '../src/plans/rights';
import { createDeliveryStore } from '../src/store/webhooks/deliveries';
import { startLanes } from '../src/webhooks/lanes';
import { createSender } from '../src/webhooks/send';
import { createTestDatabase } from '../test/support/servers/database';
import { endOnSignal } from './support/end-on-signal';
import { median } from './support/figures';
import { standInDays } from './support/webhooks/days';
import { runFairness } from './support/webhooks/fairness';
import { runLoad } from './support/webhooks/load';
import { emptied, makeEvents, makeWebhooks } from './support/webhooks/made';
import { measureMoves } from './support/webhooks/moves';
import { runOne } from './support/webhooks/one';
import { runPrune } from './support/webhooks/prune';
import { type Receivers, startReceivers } from './support/webhooks/receiver';

const TARGET = 0.5;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    deliveries: { type: 'string', default: '10000' },
    endpoints: { type: 'string', default: '200' },
    'at-once': { type: 'string', default: '128' },
    moves: { type: 'string', default: '60' },
    fairness: { type: 'boolean', default: false },
    load: { type: 'boolean', default: false },
    one: { type: 'boolean', default: false },
    prune: { type: 'boolean', default: false },
    rows: { type: 'string', default: '200000' },
    answer: { type: 'string', default: '0' },
    pairs: { type: 'string', default: '5' },
    seconds: { type: 'string' },
  },
});
const [rounds, total, endpoints, atOnce] = [values.rounds, values.deliveries, values.endpoints, values['at-once']].map(
  Number,
) as [number, number, number, number];
const plans = plansWith('webhooks');

/** A second. */
interface Ours {
  readonly perSecond: number;
  /** They overlap with posts, and with each other. */
  readonly statements: ReadonlyMap<string, Statements>;
}

/** Deliveries are made before the clock starts. */
async function ours(pool: Pool, receivers: Receivers, answerMs: number): Promise<Ours> {
  await emptied(pool);
  await makeWebhooks(pool, endpoints, (n) => `${receivers.url}/${answerMs > 0 ? `after/${answerMs}/` : ''}${n}`);
  const events = Array.from({ length: Math.ceil(total / endpoints) }, () => ({
    kind: 'race.result',
    raceId: randomUUID(),
  }));
  await makeEvents(pool, events);
  const timed = timing(pool);
  const deliveries = createDeliveryStore(timed.pool);
  while ((await deliveries.fanOut({ most: 20, plans, bodyOf: eventBody, now: new Date().toISOString() }))!.events > 0);
  await pool.query('ANALYZE webhook_deliveries');
  timed.byName.clear();
  const sender = createSender({ allowLoopback: true, allowHttp: true, elapsedMs: () => performance.now() });
  const common = { deliveries, sender, plans, wallMs: Date.now, random: Math.random, log: createLog('bench', 'warn') };
  const began = performance.now();
  const lanes = startLanes({ ...common, slots: atOnce, retry: () => undefined });
  await settled(pool);
  const seconds = (performance.now() - began) / 1000;
  await lanes.close();
  await sender.close();
  return { perSecond: (events.length * endpoints) / seconds, statements: timed.byName };
}

async function settled(pool: Pool): Promise<void> {
  for (;;) {
    const { rows } = await pool.query(
      `SELECT 1 FROM webhook_deliveries WHERE status IN ('pending', 'retrying') LIMIT 1`,
    );
    if (rows.length === 0) return;
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** The same bodies to the same paths: no signature, no row. */
async function raw(pool: Pool, receivers: Receivers): Promise<number> {
  const { rows } = await pool.query<{ url: string; body: string }>(
    'SELECT w.url, e.body FROM webhook_deliveries d JOIN webhooks w USING (webhook_id) JOIN events e USING (event_id)',
  );
  const dispatcher = new Agent({ connections: null });
  const left = rows.values();
  const began = performance.now();
  const lane = async (): Promise<void> => {
    for (const { url, body } of left) {
      const headers = { 'content-type': 'application/json' };
      const { body: reply } = await request(url, { method: 'POST', body, headers, dispatcher });
      await reply.dump();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  const seconds = (performance.now() - began) / 1000;
  await dispatcher.close();
  await receivers.taken();
  return rows.length / seconds;
}

interface Statements {
  count: number;
  ms: number;
}

/** A pool that counts how long its statements take, by name. */
function timing(pool: Pool) {
  const byName = new Map<string, Statements>();
  const query = async (...args: readonly [{ readonly name: string }]): Promise<unknown> => {
    const began = performance.now();
    try {
      return await (pool.query as (...of: unknown[]) => Promise<unknown>).apply(pool, [...args]);
    } finally {
      const statements = byName.get(args[0].name) ?? { count: 0, ms: 0 };
      byName.set(args[0].name, { count: statements.count + 1, ms: statements.ms + performance.now() - began });
    }
  };
  return { pool: Object.assign(Object.create(pool) as Pool, { query }) as Pool, byName };
}

async function compare(pool: Pool, receivers: Receivers, answerMs: number): Promise<void> {
  const ratios: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const own = await ours(pool, receivers, answerMs);
    await receivers.taken();
    const reference = await raw(pool, receivers);
    if (round === 0) continue;
    ratios.push(own.perSecond / reference);
    const { perSecond, statements } = own;
    const database = [...statements].map(
      ([name, { count, ms }]) => `${name} ${count} of ${(ms / count).toFixed(1)} ms`,
    );
    console.log(
      `${perSecond.toFixed(0)} first attempts a second, ${reference.toFixed(0)} raw posts: ${ratios.at(-1)!.toFixed(2)}; ` +
        database.join(', '),
    );
  }
  const ratio = median(ratios);
  const setup = `median of ${rounds} rounds, ${atOnce} at once, answered after ${answerMs} ms`;
  console.log(`ratio ${ratio.toFixed(2)} (${setup}; target at least ${TARGET})`);
  if (ratio < TARGET) process.exitCode = 1;
}

async function bench(): Promise<void> {
  endOnSignal();
  const db = await createTestDatabase(20);
  await standInDays(db.pool);
  const receivers = await startReceivers();
  process.once('exit', receivers.stop);
  try {
    if (values.fairness) await runFairness(db, receivers, Number(values.pairs), Number(values.seconds ?? 30));
    else if (values.load) await runLoad(db, receivers, Number(values.seconds ?? 60), Number(values.answer));
    else if (values.prune) await runPrune(db.pool, Number(values.rows), rounds);
    else if (values.one) await runOne(db, receivers, Number(values.seconds ?? 10));
    else {
      for (const answerMs of [0, 10]) await compare(db.pool, receivers, answerMs);
      await measureMoves(db.pool, receivers, Number(values.moves));
    }
  } finally {
    receivers.stop();
    await db.drop();
  }
}

bench().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
