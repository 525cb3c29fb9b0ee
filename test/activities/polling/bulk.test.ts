// A bulk book with a hundred and twenty live races: their pollers share a beat, and the book's limit of races per call
// decides the number of calls per beat.
import { createHealthTally, type HealthTally } from '../../../src/activities/polling/health-tally';
import { runLivePoller } from '../../../src/activities/polling/live-poller';
import { PollQueue } from '../../../src/activities/polling/load/poll-queue';
import type { PollerHost } from '../../../src/activities/polling/poller';
import type { BulkFeed, Feed } from '../../../src/feeds/feed';
import { gathered } from '../../../src/feeds/gather';
import { createLog } from '../../../src/log';
import { AU_GREYHOUND, AU_HORSE } from '../../../src/simulator/world/tracks';
import { PATIENT_MS } from '../../support/patient';
import { waitFor } from '../../support/servers/service';
import { type ActivityLab, HOUR, NOON, openLab } from '../lab';

const BOOK = 'pointsbetau';
const TRACKS = [...AU_HORSE, ...AU_GREYHOUND].slice(0, 20);
const RACES = 120;

let lab: ActivityLab;
beforeAll(async () => {
  const races = Array.from({ length: RACES }, (_, i) => {
    const { name: venue, category } = TRACKS[i % TRACKS.length]!;
    return { startMs: NOON + HOUR + Math.floor(i / TRACKS.length) * 10 * 60_000, venue, category, runners: 6 };
  });
  lab = await openLab(races, {}, [BOOK]);
});
afterAll(() => lab.close());
afterEach(() => jest.restoreAllMocks());

/** A beat starts once all pollers have joined it, however long that takes; every other timer is real. */
const GATHER_MS = 300;
function gatheringAll(feed: Feed): Feed {
  const real = setTimeout;
  const ends = [] as (() => void)[];
  jest
    .spyOn(global, 'setTimeout')
    .mockImplementation(((...given: Parameters<typeof real>) =>
      given[1] === GATHER_MS ? void ends.push(given[0]) : real(...given)) as never);
  const together = gathered(feed, lab.deps.now, GATHER_MS);
  let joined = 0;
  return {
    ...together,
    fetchRace: (id, call) => {
      const reply = together.fetchRace(id, call);
      if (++joined % RACES === 0) for (const end of ends.splice(0)) end();
      return reply;
    },
  };
}

/** Sleeps until the test moves the world's clock. */
function turnstile() {
  let sleeping: (() => void)[] = [];
  return {
    wait: () => new Promise<void>((resolve) => void sleeping.push(resolve)),
    asleep: () => sleeping.length,
    wake: () => {
      const all = sleeping;
      sleeping = [];
      for (const go of all) go();
    },
  };
}

/** Counts the polls that have ended, stored or not. */
class CountingQueue extends PollQueue {
  ended = 0;
  override left(): void {
    this.ended += 1;
    super.left();
  }
}

/**
 * The simulator computes a race at its first request, which takes longer than a poller's deadline on a busy machine.
 */
async function warmUp({ fetchRaces, maxRaces }: BulkFeed): Promise<void> {
  const ids = (await lab.query<{ id: string }>('SELECT source_race_id AS id FROM race_books')).map(({ id }) => id);
  for (let i = 0; i < ids.length; i += maxRaces) await fetchRaces(ids.slice(i, i + maxRaces), { whole: true });
}

async function liveRaces(): Promise<string[]> {
  await lab.run('discover', [{ days: 1 }]);
  const races = await lab.query<{ race_id: string; start_time: string }>('SELECT race_id, start_time FROM races');
  for (const { race_id: raceId, start_time: advertisedStart } of races) {
    const set = { do: 'set_control', epoch: 1, tier: 'live', advertisedStart, closed: false } as const;
    await lab.run('carryOut', [{ raceId, effects: [set] }]);
  }
  return races.map((race) => race.race_id);
}

test('120 races polled by 120 pollers: three calls a beat at fifty races a call, and every race is stored on every beat', async () => {
  const raceIds = await liveRaces();
  expect(raceIds).toHaveLength(RACES);
  const calls: number[] = [];
  const plain = lab.deps.feeds.get(BOOK)!;
  const { bulk } = plain as { bulk: BulkFeed };
  await warmUp(bulk);
  const counted: typeof plain = {
    ...plain,
    fetchRace: () => Promise.reject(new Error('one by one')),
    bulk: {
      ...bulk,
      fetchRaces: (ids, call) => {
        calls.push(ids.length);
        return bulk.fetchRaces(ids, call);
      },
    },
  };
  const failures: unknown[] = [];
  const log = createLog('test', 'silent');
  jest.spyOn(log, 'warn').mockImplementation((...given: unknown[]) => void failures.push(given));
  jest.spyOn(log, 'error').mockImplementation((...given: unknown[]) => void failures.push(given));
  const deps = { ...lab.deps, log, feeds: new Map([[BOOK, gatheringAll(counted)]]) };
  const queue = new CountingQueue(deps.now);
  const gate = turnstile();
  const stop = new AbortController();
  const host: PollerHost = { attempt: 1, signal: stop.signal, heartbeat: () => undefined, wait: gate.wait };
  const kept = createHealthTally(deps.stores.health, () => undefined);
  const tally: HealthTally = {
    ...kept,
    add: (poll) => {
      if (!poll.ok) failures.push(poll);
      kept.add(poll);
    },
  };
  const stopped = new Error('the test is over');
  const pollers = raceIds.map((raceId, i) =>
    runLivePoller(
      deps,
      { raceId, epoch: 1, turn: 1, marketShut: false },
      // Each wakes at a different moment within the second.
      {
        ...host,
        wait: async () => {
          await gate.wait();
          await new Promise((resolve) => setTimeout(resolve, i));
          if (stop.signal.aborted) throw stopped;
        },
      },
      tally,
      undefined,
      queue,
    ).catch((error: unknown) => error),
  );
  const allAsleep = () => waitFor(async () => gate.asleep() === RACES, PATIENT_MS);
  const storedAt = async (iso: string) =>
    (await lab.query<{ n: number }>(`SELECT count(*)::int AS n FROM race_books WHERE polled_at = '${iso}'`))[0]!.n;
  let beats = 0;
  /** Every poll of the beat has ended, and none of them failed. */
  const stored = async () => {
    beats += 1;
    await waitFor(async () => queue.ended === beats * RACES, PATIENT_MS);
    expect(failures).toEqual([]);
    expect(await storedAt(new Date(deps.now()).toISOString())).toBe(RACES);
  };

  await allAsleep();
  await stored();
  // Two beats of twenty seconds; between them no book is due.
  for (const seconds of [7, 20, 33, 40]) {
    calls.length = 0;
    lab.clock.nowMs = NOON + seconds * 1000;
    gate.wake();
    await allAsleep();
    if (seconds % 20 !== 0) {
      expect(calls).toEqual([]);
      continue;
    }
    await stored();
    expect(calls).toHaveLength(Math.ceil(RACES / bulk.maxRaces));
    expect(calls.reduce((sum, n) => sum + n, 0)).toBe(RACES);
  }
  stop.abort();
  gate.wake();
  expect(new Set(await Promise.all(pollers))).toEqual(new Set([stopped]));
});
