// While a scenario disturbs the world, every book keeps its own format: the connectors read lists and races and refuse
// only what they would refuse on an ordinary day. Each connector refuses a transport scenario with its own reason.
import type { Feed, FeedFailure, FeedReply } from '../../../src/feeds/feed';
import { CONNECTED_BOOKS, createFeeds } from '../../../src/feeds/registry';
import { SCENARIOS } from '../../../src/simulator/faults/scenarios';
import { createSimulator, type Simulator } from '../../../src/simulator/http/server';
import { PATIENT_MS } from '../../support/patient';

const DAY = '2026-11-21';
const NOW = Date.parse('2026-11-21T03:10:00Z');
const RACE = { startMs: NOW + 25 * 60_000, venue: 'Flemington', runners: 9, jumpDelaySeconds: 30 };

let nowMs = NOW;
let simulator: Simulator;
let url: string;
let keys: readonly string[];

beforeAll(async () => {
  simulator = createSimulator({
    seed: 'a',
    now: () => nowMs,
    races: [RACE, { ...RACE, startMs: NOW + 60 * 60_000 }, { ...RACE, venue: 'Randwick' }],
  });
  url = await simulator.listen(0);
  // Books whose replies are useless without requests that only their own suite sends: they are tested there.
  keys = CONNECTED_BOOKS.filter((key) => simulator.keys.includes(key));
});
beforeEach(() => {
  nowMs = NOW;
});
afterEach(() => fetch(`${url}/faults`, { method: 'DELETE' }));
afterAll(() => simulator.close());

const switchOn = (name: string, query = '') => fetch(`${url}/faults/${name}${query}`, { method: 'PUT' });

const feedsOf = (timeoutMs: number) => {
  const who = { contact: 'ops@racing-odds.example', partner: 'racing-odds-service', timeoutMs };
  return [
    ...createFeeds(Object.fromEntries(keys.map((key) => [key, { baseUrl: `${url}/${key}`, ...who }])), () => nowMs),
  ];
};

/** Every book in parallel: none waits for another that hangs. */
const eachFeed = (timeoutMs: number, check: (key: string, feed: Feed) => Promise<void>) =>
  Promise.all(feedsOf(timeoutMs).map(([key, feed]) => check(key, feed)));

const dropsOf = (reply: FeedReply<unknown>): string[] =>
  reply.kind === 'ok' ? Object.keys(reply.dropped) : [`${reply.kind}: ${JSON.stringify(reply)}`];

/** The rows that each connector drops, by book, from the list and from every race on it. */
async function allDrops(): Promise<Record<string, string[]>> {
  const read = async ([key, feed]: ReturnType<typeof feedsOf>[number]) => {
    const list = await feed.listRaces(DAY);
    const ids = list.kind === 'ok' ? list.value.map((row) => row.sourceRaceId) : [];
    const races = await Promise.all(ids.map((id) => feed.fetchRace(id)));
    return [key, [...new Set([list, ...races].flatMap(dropsOf))].sort()] as const;
  };
  return Object.fromEntries(await Promise.all(feedsOf(PATIENT_MS).map(read)));
}

/** The drops of an ordinary day at one instant: the same before every scenario. */
let ordinary: Promise<Record<string, string[]>> | undefined;

/** TABtouch's list has neither starts nor countries: it cannot distinguish two meetings at one venue. */
const BY_RULE = ['venue_of_two_meetings'];

test.each(SCENARIOS.filter((one) => one.kind !== 'transport').map((one) => one.name))(
  '%s: every reply keeps the format of its book',
  async (name) => {
    nowMs = NOW + 16 * 60_000;
    ordinary ??= allDrops();
    const usual = await ordinary;
    expect((await switchOn(name)).status).toBe(200);
    nowMs += 5000;
    const now = await allDrops();
    for (const key of keys) {
      const news = now[key]!.filter((reason) => ![...usual[key]!, ...BY_RULE].includes(reason));
      expect({ key, news }).toEqual({ key, news: [] });
    }
  },
);

const REASONS: Readonly<Record<string, readonly FeedFailure[]>> = {
  rate_limited: ['rate_limited'],
  blocked: ['blocked'],
  server_error: ['http_error'],
  hanging: ['timeout'],
  slow_loris: ['timeout'],
  connection_reset: ['network'],
  truncated_json: ['malformed'],
  // If the book itself sends pages, an unexpected page is unreadable.
  html_with_200: ['blocked', 'malformed'],
  challenge_page: ['blocked', 'malformed'],
  wrong_content_type: ['wrong_content_type'],
  gzip_bomb: ['too_large'],
};

/** The first race on each book's list, before any scenario. */
async function firstIds(): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  await eachFeed(PATIENT_MS, async (key, feed) => {
    const list = await feed.listRaces(DAY);
    if (list.kind === 'ok' && list.value[0]) ids.set(key, list.value[0].sourceRaceId);
  });
  return ids;
}

let listed: Promise<ReadonlyMap<string, string>> | undefined;

test.each(SCENARIOS.filter((one) => one.kind === 'transport').map((one) => one.name))(
  '%s: every connector fails for its reason, and only for that book',
  async (name) => {
    listed ??= firstIds();
    const ids = await listed;
    expect((await switchOn(name)).status).toBe(200);
    await eachFeed(name === 'hanging' || name === 'slow_loris' ? 500 : PATIENT_MS, async (key, feed) => {
      const replies: FeedReply<unknown>[] = [await feed.listRaces(DAY)];
      // Eight megabytes are unpacked for each: those of a race in `feeds/faults`.
      if (name !== 'gzip_bomb') replies.push(await feed.fetchRace(ids.get(key)!, { whole: true }));
      const reasons = replies.map((reply) => (reply.kind === 'failed' ? reply.reason : reply.kind));
      expect({
        key,
        unexpected: reasons.filter((reason) => !REASONS[name]!.includes(reason as FeedFailure)),
      }).toEqual({
        key,
        unexpected: [],
      });
    });
  },
);
