// From the commit of a moved price to the receiver's hands: follower, fan-out and lanes as a worker runs them.
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Pool } from 'pg';
import { createLog } from '../../../src/log';
import { plansWith } from '../../../src/plans/rights';
import type { PlacedRace } from '../../../src/store/card/card';
import { createStores } from '../../../src/store/create-stores';
import { follow } from '../../../src/store/events/follow-prices';
import { createSender } from '../../../src/webhooks/send';
import { deliverWebhooks } from '../../../src/workers/deliver-webhooks';
import { feedRunner, placedRace, raceSnapshot } from '../../../test/support/races/builders';
import { emptied, makeWebhooks } from './made';
import type { Receivers } from './receiver';

const BOOK = 'tab';
const APART_MS = 150;
/** A race is announced every five seconds at most. */
const QUIET_MS = 6000;

export async function measureMoves(pool: Pool, receivers: Receivers, moves: number): Promise<void> {
  const stores = createStores(pool);
  const startTime = new Date(Date.now() + 3_600_000).toISOString();
  const races = Array.from({ length: moves }, (_, i) => placedRace({ venue: `Track ${i}`, startTime, country: 'AU' }));
  const listed = races.map((race) => ({ ...race, listed: { ...race.listed, sourceRaceId: race.raceId } }));
  await stores.races.saveCard(BOOK, listed, new Date().toISOString());
  const poll = (race: PlacedRace, price: number) =>
    stores.quotes.savePoll({
      raceId: race.raceId,
      bookmakerKey: BOOK,
      fence: { epoch: 1, attempt: 1 },
      bookAt: null,
      observedAt: new Date().toISOString(),
      marketStateSource: false,
      startSource: false,
      snapshot: raceSnapshot({ runners: [feedRunner(1, { win: price }), feedRunner(2, { win: 5 })] }),
    });
  for (const race of listed) await poll(race, 3);
  await emptied(pool);
  await makeWebhooks(
    pool,
    1,
    () => `${receivers.url}/moves`,
    () => ({ events: ['odds.change'] }),
  );
  const stop = new AbortController();
  const plans = plansWith('webhooks');
  const sender = createSender({ allowLoopback: true, allowHttp: true, elapsedMs: () => performance.now() });
  const running = deliverWebhooks({
    deps: {
      webhooks: { sender, plans },
      wallMs: Date.now,
      random: Math.random,
      client: null as unknown as Client,
      stores,
    },
    followPrices: (entitledPlans) => follow({ pool, now: () => new Date().toISOString(), entitledPlans }),
    slots: 50,
    log: createLog('bench', 'warn'),
    stop: stop.signal,
  });
  await delay(QUIET_MS);
  await receivers.taken();
  const committedMs = new Map<string, number>();
  for (const race of listed) {
    await poll(race, 3.5);
    committedMs.set(race.raceId, Date.now());
    await delay(APART_MS);
  }
  await delay(3000);
  stop.abort();
  await running;
  await sender.close();
  const ms = (await receivers.taken()).flatMap(({ race, atMs }) => {
    const from = committedMs.get(race ?? '');
    return from === undefined ? [] : [atMs - from];
  });
  ms.sort((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map((part) => ms[Math.floor(ms.length * part)]);
  console.log(`commit of a price move to the receiver: p50 ${p50} ms, p99 ${p99} ms (${ms.length} of ${moves} moves)`);
}
