// A failing book never harms another book or the race: one host never responds, wherever books are polled.
import { runLivePoller } from '../../../src/activities/polling/live-poller';
import type { PollerHost, PollerProgress } from '../../../src/activities/polling/poller';
import { type BookServer, startBookServer } from '../../feeds/support/book-server';
import { pollsUnderWay } from '../../support/races/polls-under-way';
import { type ActivityLab, discovered, HOUR, MINUTE, NOON, openLab } from '../lab';

const RACE = { startMs: NOON + 6 * MINUTE, runners: 8, jumpDelaySeconds: 30, interimAfterSeconds: 180 };
const OTHERS = ['ladbrokes_au', 'neds', 'pointsbetau'];

let lab: ActivityLab;
let silent: BookServer;
beforeEach(async () => {
  silent = await startBookServer();
  silent.answer(() => undefined);
});
afterEach(async () => {
  await lab.close();
  await silent.close();
});

/** TAB lists the race and then never responds. `brief`: the book with the short deadline. */
async function withSilentTab(race: object, tier: 'card' | 'live', brief?: string): Promise<string> {
  lab = await openLab([{ ...RACE, ...race }], { FEED_TAB_URL: silent.url }, undefined, brief);
  lab.deps.feeds.get('tab')!.listRaces = async () => ({ kind: 'unchanged', observedAt: new Date(NOON).toISOString() });
  const raceId = await discovered(lab, tier);
  await lab.db.pool.query("INSERT INTO race_books (race_id, bookmaker_key, source_race_id) VALUES ($1, 'tab', $2)", [
    raceId,
    '2026-11-21/R/FLE/3',
  ]);
  return raceId;
}

const race = (raceId: string) => ({ raceId, epoch: 1, turn: 1, marketShut: false });
const polledBooks = () =>
  lab.query<{ key: string }>('SELECT bookmaker_key AS key FROM race_books WHERE polled_at IS NOT NULL');

/** `answered`: resolves once every book that responds has done so. */
function hostOf(answered: () => Promise<void>) {
  const beats: PollerProgress[] = [];
  const host: PollerHost = {
    attempt: 1,
    signal: new AbortController().signal,
    heartbeat: (progress) => void beats.push(progress),
    wait: async (ms) => {
      await answered();
      lab.clock.nowMs += Math.max(ms, 200);
    },
  };
  return { host, beats };
}

test('live tier: while one book hangs from the first poll to the jump, the others keep their cadence and the jump is stamped', async () => {
  const raceId = await withSilentTab({}, 'live');
  const polls = new Map<string, number>();
  for (const [key, feed] of lab.deps.feeds) {
    const { fetchRace } = feed;
    feed.fetchRace = (id, call) => {
      polls.set(key, (polls.get(key) ?? 0) + 1);
      return fetchRace(id, call);
    };
  }
  const { deps, tally, answered } = pollsUnderWay(lab.deps, 'tab');
  const { host, beats } = hostOf(answered);
  const outcome = await runLivePoller(deps, race(raceId), host, tally);
  expect(outcome).toMatchObject({ kind: 'market-closed' });
  // 4 minutes at 15 s and 2.5 minutes at 8 s are 35 polls.
  for (const key of OTHERS) expect(polls.get(key)).toBeGreaterThan(25);
  expect(polls.get('tab')).toBeLessThan(10);
  expect(beats.at(-1)!.books.find((book) => book.bookmakerKey === 'tab')).toBeDefined();
});

test('card tier: every other book is stored, and the attempt ends by the deadline of the hanging book', async () => {
  const raceId = await withSilentTab({ startMs: NOON + 5 * HOUR }, 'card', 'tab');
  await expect(lab.run('pollCard', [race(raceId)])).rejects.toMatchObject({ type: 'NothingYet' });
  expect(await polledBooks()).toHaveLength(3);
  const [tab] = await lab.query("SELECT status FROM connector_health WHERE connector = 'tab'");
  expect(tab).toEqual({ status: 'timeout' });
});

test('card tier: a sighting is reported at once while another book hangs', async () => {
  const raceId = await withSilentTab({ startMs: NOON + 5 * HOUR, abandonedSecondsBefore: 4 * 3600 }, 'card');
  lab.clock.nowMs = NOON + HOUR + MINUTE;
  expect(await lab.run('pollCard', [race(raceId)])).toMatchObject({ kind: 'abandoned' });
  expect(await lab.query("SELECT status FROM connector_health WHERE connector = 'tab'")).not.toContainEqual({
    status: 'timeout',
  });
});

test('discovery: the other books’ lists are placed while one book hangs', async () => {
  lab = await openLab([RACE], { FEED_LADBROKES_AU_URL: silent.url }, undefined, 'ladbrokes_au');
  expect(await lab.run('discover', [{ days: 1 }])).toMatchObject({ listed: 3, created: 1, failedLists: 1 });
});

test('after the jump: a hanging book does not delay the result of the others', async () => {
  const raceId = await withSilentTab({}, 'live', 'tab');
  const jumpedAt = new Date(RACE.startMs + 30_000).toISOString();
  lab.clock.nowMs = RACE.startMs + 6 * MINUTE;
  expect(await lab.run('awaitResult', [{ raceId, jumpedAt, known: null }])).toMatchObject({ kind: 'result' });
});
