// Whether endpoints that hang delay the others: the same posts with and without them, in turn.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestDatabase } from '../../../test/support/servers/database';
import { median } from '../figures';
import { emptied, makeEvents, makeWebhooks } from './made';
import type { Receivers } from './receiver';
import { startWebhookWorker } from './worker';

const ENDPOINTS = 200;
const HANGING = 20;
const PER_SECOND = 50;
const EVERY_MS = 100;
const TARGET = 1.3;

export async function runFairness(
  db: TestDatabase,
  receivers: Receivers,
  pairs: number,
  seconds: number,
): Promise<void> {
  const worker = await startWebhookWorker(db.url);
  try {
    await measure(db, receivers, 0, 5);
    const ratios: number[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      const of = new Map<number, number>();
      for (const hanging of pair % 2 === 0 ? [0, HANGING] : [HANGING, 0])
        of.set(hanging, await measure(db, receivers, hanging, seconds));
      const alone = of.get(0)!;
      const beside = of.get(HANGING)!;
      ratios.push(beside / alone);
      console.log(
        `healthy p99: ${alone} ms alone, ${beside} ms beside ${HANGING} that hang: ${ratios.at(-1)!.toFixed(2)}`,
      );
    }
    const ratio = median(ratios);
    console.log(`ratio ${ratio.toFixed(2)} (median of ${pairs} pairs of ${seconds} s; target at most ${TARGET})`);
    if (ratio > TARGET) process.exitCode = 1;
  } finally {
    worker.kill();
  }
}

/** The healthy endpoints' p99, ms from the event's writing to its arrival. */
async function measure(
  { pool }: TestDatabase,
  receivers: Receivers,
  hanging: number,
  seconds: number,
): Promise<number> {
  await emptied(pool);
  const accounts = await makeWebhooks(pool, ENDPOINTS, (n) => `${receivers.url}/${n < hanging ? 'hang/' : ''}${n}`);
  await receivers.taken();
  let made = 0;
  const began = Date.now();
  while (Date.now() < began + seconds * 1000) {
    const due = Math.floor(((Date.now() - began) * PER_SECOND) / 1000) - made;
    const events = Array.from({ length: due }, (_, i) => ({
      kind: 'race.result',
      raceId: randomUUID(),
      accountId: accounts[(made + i) % ENDPOINTS]!,
    }));
    if (due > 0) await makeEvents(pool, events);
    made += due;
    await delay(EVERY_MS);
  }
  await delay(2000);
  const ms = (await receivers.taken()).filter(({ hangs }) => !hangs).map(({ atMs, madeMs }) => atMs - madeMs!);
  const healthy = Math.floor((made * (ENDPOINTS - hanging)) / ENDPOINTS);
  if (ms.length < healthy - ENDPOINTS) throw new Error(`${ms.length} of ${healthy} posts came`);
  return ms.sort((a, b) => a - b)[Math.floor(ms.length * 0.99)]!;
}
