// Every connected book in a disturbed race, read by its connector: every scenario reaches every book, in any format.
import type { BookSnapshot } from '../../../src/domain/race/feed-race';
import { runnerKey } from '../../../src/domain/race/runner';
import type { Feed, FeedReply } from '../../../src/feeds/feed';
import { CONNECTED_BOOKS, createFeeds } from '../../../src/feeds/registry';
import { createSimulator, type Simulator } from '../../../src/simulator/http/server';
import { PATIENT_MS } from '../../support/patient';

const DAY = '2026-11-21';
const NOW = Date.parse('2026-11-21T03:10:00Z');
const MINUTE = 60_000;
const START = NOW + 40 * MINUTE;

let nowMs = NOW;
let simulator: Simulator;
let url: string;
let books: readonly (readonly [string, Feed, string])[];

beforeAll(async () => {
  const race = { startMs: START, venue: 'Flemington', runners: 9, jumpDelaySeconds: 30 };
  simulator = createSimulator({ seed: 'a', now: () => nowMs, races: [race] });
  url = await simulator.listen(0);
  const who = { contact: 'ops@racing-odds.example', partner: 'racing-odds-service', timeoutMs: PATIENT_MS };
  const keys = CONNECTED_BOOKS.filter((key) => simulator.keys.includes(key));
  const feeds = createFeeds(
    Object.fromEntries(keys.map((key) => [key, { baseUrl: `${url}/${key}`, ...who }])),
    () => nowMs,
  );
  books = await Promise.all(
    [...feeds].map(async ([key, feed]) => [key, feed, valueIn(await feed.listRaces(DAY))[0]!.sourceRaceId] as const),
  );
});
afterEach(() => fetch(`${url}/faults`, { method: 'DELETE' }));
afterAll(() => simulator.close());

function valueIn<T>(reply: FeedReply<T>): T {
  if (reply.kind !== 'ok') throw new Error(`${reply.kind} ${JSON.stringify(reply)}`);
  return reply.value;
}

async function shownAt(atMs: number): Promise<Record<string, BookSnapshot>> {
  nowMs = atMs;
  const rows = books.map(async ([key, feed, id]) => [key, valueIn(await feed.fetchRace(id, { whole: true }))] as const);
  return Object.fromEntries(await Promise.all(rows));
}

async function switchOn(name: string, atMs: number): Promise<void> {
  nowMs = atMs;
  expect((await fetch(`${url}/faults/${name}`, { method: 'PUT' })).status).toBe(200);
}

/** Books for which `of` returns what no book should report. */
const wrong = (shown: Record<string, BookSnapshot>, of: (race: BookSnapshot, key: string) => boolean): string[] =>
  Object.entries(shown).flatMap(([key, race]) => (of(race, key) ? [key] : []));

const winsOf = (race: BookSnapshot): string => JSON.stringify(race.runners.map((runner) => [runner.name, runner.win]));

test('frozen_prices: no book moves a price during ten minutes in which every book otherwise would', async () => {
  const from = START - 25 * MINUTE;
  const usual = [await shownAt(from), await shownAt(from + 10 * MINUTE)] as const;
  expect(wrong(usual[0], (race, key) => winsOf(race) === winsOf(usual[1][key]!))).toEqual([]);
  await switchOn('frozen_prices', from);
  const frozen = [await shownAt(from), await shownAt(from + 10 * MINUTE)] as const;
  expect(wrong(frozen[0], (race, key) => winsOf(race) !== winsOf(frozen[1][key]!))).toEqual([]);
});

test('market_reopened: no book takes bets within the gap, and none is closed before or after it', async () => {
  await switchOn('market_reopened', NOW);
  // A book without a market state reports null.
  const isShut = ({ marketStatus }: BookSnapshot): boolean => marketStatus !== null && marketStatus !== 'OPEN';
  expect(wrong(await shownAt(START - 11 * MINUTE), isShut)).toEqual([]);
  const within = await shownAt(START - 9.5 * MINUTE);
  expect(wrong(within, ({ marketStatus }) => marketStatus === 'OPEN')).toEqual([]);
  expect(wrong(within, isShut).length).toBeGreaterThan(books.length / 2);
  expect(wrong(await shownAt(START - 8 * MINUTE), isShut)).toEqual([]);
});

test('start_moved_twice: every book that reports the start reports the latest one', async () => {
  await switchOn('start_moved_twice', START - 30 * MINUTE);
  const late = await shownAt(START - 10 * MINUTE);
  const last = new Date(START + 7 * MINUTE).toISOString();
  expect(wrong(late, (race) => race.startTime !== null && race.startTime !== last)).toEqual([]);
});

test('runner_renamed: every book shows the new name, and none the old one', async () => {
  const before = simulator.world.meetings(DAY)[0]!.races[0]!.runners[0]!.name;
  await switchOn('runner_renamed', NOW);
  const after = simulator.worldOf('tab').meetings(DAY)[0]!.races[0]!.runners[0]!.name;
  const shown = await shownAt(NOW + MINUTE);
  const names = (race: BookSnapshot) => race.runners.map((runner) => runnerKey(runner.name));
  expect(wrong(shown, (race) => !names(race).includes(runnerKey(after)))).toEqual([]);
  expect(wrong(shown, (race) => names(race).includes(runnerKey(before)))).toEqual([]);
});

test('late_emergencies: every book prices the emergency with a start, and not the scratched starter', async () => {
  await switchOn('late_emergencies', START - 20 * MINUTE);
  const shown = await shownAt(START - 12 * MINUTE);
  const race = simulator.worldOf('tab').meetings(DAY)[0]!.races[0]!;
  const priceOf = (snapshot: BookSnapshot, number: number) =>
    snapshot.runners.find((one) => runnerKey(one.name) === runnerKey(race.runners[number - 1]!.name))?.win ?? null;
  const promoted = race.story.promotions.at(-1)!.number;
  const out = race.story.scratchings.find((row) => row.kind === 'late')!.number;
  expect(wrong(shown, (snapshot) => priceOf(snapshot, promoted) === null)).toEqual([]);
  expect(wrong(shown, (snapshot) => priceOf(snapshot, out) !== null)).toEqual([]);
});
