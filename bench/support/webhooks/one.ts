// What one ordinary endpoint gets a second: it answers after 100 ms, and always has more to take.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestDatabase } from '../../../test/support/servers/database';
import { emptied, makeEvents, makeWebhooks } from './made';
import type { Receivers } from './receiver';
import { startWebhookWorker } from './worker';

const ANSWER_MS = 100;
const TARGET = 32;
/** At four in flight. */
const MOST_PER_SECOND = 4000 / ANSWER_MS;
/** Until the endpoint is measured. */
const WARM_MS = 2000;

export async function runOne(db: TestDatabase, receivers: Receivers, seconds: number): Promise<void> {
  await emptied(db.pool);
  await makeWebhooks(db.pool, 1, (n) => `${receivers.url}/after/${ANSWER_MS}/${n}`);
  const worker = await startWebhookWorker(db.url);
  try {
    const events = Math.ceil((seconds + WARM_MS / 1000) * MOST_PER_SECOND * 1.2);
    await makeEvents(
      db.pool,
      Array.from({ length: events }, () => ({ kind: 'race.result', raceId: randomUUID() })),
    );
    await delay(WARM_MS);
    const before = await receivers.count();
    const began = performance.now();
    await delay(seconds * 1000);
    const posts = (await receivers.count()) - before;
    const rate = posts / ((performance.now() - began) / 1000);
    console.log(
      `one endpoint that answers after ${ANSWER_MS} ms: ${rate.toFixed(1)} posts a second (target at least ${TARGET})`,
    );
    if (rate < TARGET) process.exitCode = 1;
  } finally {
    worker.kill();
  }
}
