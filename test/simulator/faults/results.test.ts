// Scenarios for a result, as the connectors of Entain and TAB read it over HTTP and as the registry has it: each
// scenario does what its description states, and never changes results that are already posted.
import type { BookSnapshot, FeedResult } from '../../../src/domain/race/feed-race';
import { REGISTRY } from '../../../src/domain/registry/registry';
import type { Feed, FeedReply } from '../../../src/feeds/feed';
import { createFeeds } from '../../../src/feeds/registry';
import { createSimulator, type Simulator } from '../../../src/simulator/http/server';
import { publishedResult } from '../../../src/simulator/registry/publication';
import type { Race } from '../../../src/simulator/world/race';
import { PATIENT_MS } from '../../support/patient';

const DAY = '2026-11-21';
const NOW = Date.parse('2026-11-21T03:10:00Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const START = NOW + 40 * MINUTE;
const SCRIPT = { startMs: START, runners: 9, order: [4, 7, 2, 9, 1], jumpDelaySeconds: 30, interimAfterSeconds: 150 };
const BOOKS = ['ladbrokes_au', 'tab'] as const;
type BookKey = (typeof BOOKS)[number];

let nowMs = NOW;
let simulator: Simulator;
let url: string;
let feeds: ReadonlyMap<string, Feed>;

beforeAll(async () => {
  simulator = createSimulator({
    seed: 'a',
    now: () => nowMs,
    races: [
      { ...SCRIPT, venue: 'Flemington', distanceM: 1200 },
      { ...SCRIPT, venue: 'Flemington', distanceM: 1200, startMs: START + HOUR },
      { ...SCRIPT, venue: 'Dapto', category: 'greyhound', runners: 8, order: [4, 7, 2, 1] },
    ],
  });
  url = await simulator.listen(0);
  const who = { contact: 'ops@racing-odds.example', partner: 'racing-odds-service', timeoutMs: PATIENT_MS };
  feeds = createFeeds(Object.fromEntries(BOOKS.map((key) => [key, { baseUrl: `${url}/${key}`, ...who }])), () => nowMs);
});
beforeEach(() => {
  nowMs = NOW;
});
afterEach(() => fetch(`${url}/faults`, { method: 'DELETE' }));
afterAll(() => simulator.close());

async function on(scenario: string, where: Readonly<Record<string, string>> = {}): Promise<void> {
  const reply = await fetch(`${url}/faults/${scenario}?${new URLSearchParams(where)}`, { method: 'PUT' });
  expect([scenario, reply.status]).toEqual([scenario, 200]);
}

function valueIn<T>(reply: FeedReply<T>): T {
  if (reply.kind !== 'ok') throw new Error(`${reply.kind} ${JSON.stringify(reply)}`);
  return reply.value;
}

type Which = 'first' | 'second' | 'dogs';

const raceOf = (which: Which, book: string): Race => {
  const meetings = simulator.worldOf(book).meetings(DAY);
  const meeting = meetings.find((one) => one.track.name === (which === 'dogs' ? 'Dapto' : 'Flemington'))!;
  return meeting.races[which === 'second' ? 1 : 0]!;
};

async function shown(book: BookKey, which: Which, atMs: number): Promise<BookSnapshot> {
  nowMs = atMs;
  const { number, meeting } = raceOf(which, book);
  const feed = feeds.get(book)!;
  const row = valueIn(await feed.listRaces(DAY)).find(
    (one) => one.category === meeting.track.category && one.raceNumber === number,
  )!;
  return valueIn(await feed.fetchRace(row.sourceRaceId, { whole: true }));
}

const resultAt = async (book: BookKey, which: Which, atMs: number): Promise<FeedResult | null> =>
  (await shown(book, which, atMs)).result;

const firstThree = (result: FeedResult | null): string[] | undefined =>
  result?.placings.slice(0, 3).map(({ position, number }) => `${position}:${number}`);

/** What the registry publishes, complete or not. */
function published(which: Which, atMs: number) {
  nowMs = atMs;
  const { stage, field, note } = publishedResult(raceOf(which, REGISTRY), atMs);
  const placed = field.filter((row) => row.position !== null).sort((a, b) => a.position! - b.position!);
  return { stage, note, field, firstThree: placed.slice(0, 3).map(({ position, number }) => `${position}:${number}`) };
}

const story = (which: Which, book: string) => raceOf(which, book).story;
const POLLED = MINUTE;
const USUAL = ['1:4', '2:7', '3:2'];
const SWAPPED = ['1:7', '2:4', '3:2'];
const LATE = START + 2 * HOUR;

test('without a scenario both books and the registry report the first past the post', async () => {
  for (const book of BOOKS) expect(firstThree(await resultAt(book, 'first', LATE))).toEqual(USUAL);
  expect(published('first', LATE)).toMatchObject({ stage: 'interim', firstThree: USUAL });
  expect(published('first', LATE + 4 * HOUR)).toMatchObject({ stage: 'final', firstThree: USUAL });
});

test('interim_changed: Entain’s interim has the first two swapped; its final, TAB and the registry have them right', async () => {
  await on('interim_changed');
  const { interimMs, correctedMs, finalMs } = story('first', 'tab');
  const before = await resultAt('ladbrokes_au', 'first', interimMs + POLLED);
  expect([before!.stage, firstThree(before), before!.protest]).toEqual(['interim', SWAPPED, false]);
  expect(before!.straight).toEqual([]);
  expect(correctedMs).toBeLessThan(finalMs);
  expect(firstThree(await resultAt('ladbrokes_au', 'first', correctedMs! + POLLED))).toEqual(USUAL);
  const final = await resultAt('ladbrokes_au', 'first', finalMs + POLLED);
  expect([final!.stage, firstThree(final)]).toEqual(['final', USUAL]);
  expect(final!.straight.filter((row) => row.market === 'WIN').map((row) => row.number)).toContain(4);
  expect(firstThree(await resultAt('tab', 'first', finalMs + POLLED))).toEqual(USUAL);
  expect(published('first', LATE)).toMatchObject({ stage: 'interim', firstThree: SWAPPED });
  expect(published('first', LATE + 4 * HOUR)).toMatchObject({ stage: 'final', firstThree: USUAL });
});

test.each([
  ['protest_upheld', SWAPPED],
  ['protest_dismissed', USUAL],
] as const)('%s: no book pays before the decision, and then all follow it', async (scenario, settled) => {
  await on(scenario);
  const { protest, finalMs } = story('first', 'tab');
  expect(finalMs).toBeGreaterThan(protest!.decidedMs);
  const pending = await resultAt('ladbrokes_au', 'first', protest!.decidedMs - SECOND);
  expect([pending!.stage, firstThree(pending), pending!.straight]).toEqual(['interim', USUAL, []]);
  expect(await resultAt('tab', 'first', protest!.decidedMs - SECOND)).toBeNull();
  for (const book of BOOKS) expect(firstThree(await resultAt(book, 'first', finalMs + POLLED))).toEqual(settled);
  expect(published('first', LATE).firstThree).toEqual(settled);
  expect(story('dogs', 'tab').protest).toBeNull();
});

test('dead_heat: two winners at both books, each with its dividend, and two at the registry', async () => {
  await on('dead_heat');
  for (const book of BOOKS) {
    const result = (await resultAt(book, 'first', LATE))!;
    expect(firstThree(result)).toEqual(['1:4', '1:7', '3:2']);
    const wins = result.straight.filter((row) => row.market === 'WIN');
    expect(new Set(wins.map((row) => row.number))).toEqual(new Set([4, 7]));
  }
  const { field, firstThree: placed } = published('first', LATE);
  expect(placed).toEqual(['1:4', '1:7', '3:2']);
  expect(field.filter((row) => row.deadHeat).map((row) => row.number)).toEqual([4, 7]);
});

test('barrier_scratching: priced until half a minute before the jump, then out with a deduction, unplaced, and SB at the registry', async () => {
  await on('barrier_scratching');
  const { jumpMs, scratchings } = story('first', 'tab');
  expect(scratchings).toMatchObject([{ kind: 'barrier', number: 9, atMs: jumpMs - 30 * SECOND }]);
  for (const book of BOOKS) {
    const before = await shown(book, 'first', jumpMs - 35 * SECOND);
    expect(before.runners.filter((runner) => runner.scratching !== null)).toEqual([]);
    const after = await shown(book, 'first', LATE);
    expect(after.runners.filter((runner) => runner.scratching !== null).map((runner) => runner.number)).toEqual([9]);
    expect(firstThree(after.result)).toEqual(USUAL);
    expect(after.result!.placings.map((row) => row.number)).not.toContain(9);
  }
  const entain = (await shown('ladbrokes_au', 'first', LATE)).runners.find((runner) => runner.number === 9)!;
  expect(entain.scratching!.winDeduction).toBeGreaterThan(0);
  const { field } = published('first', LATE);
  expect(field.find((row) => row.number === 9)).toMatchObject({ status: 'scratched', abnormal: 'SB', position: null });
  expect(Math.max(...field.map((row) => row.position ?? 0))).toBe(8);
});

test('never_resulted: a day later no book and no registry has an outcome, even if the race was run', async () => {
  await on('never_resulted');
  for (const book of BOOKS) {
    const race = await shown(book, 'first', START + 20 * HOUR);
    expect([race.result, race.marketStatus === 'OPEN']).toEqual([null, false]);
  }
  expect(published('first', START + 72 * HOUR).stage).toBe('none');
});

test('published_late: the books pay as usual, the registry has nothing for three days and then all of it', async () => {
  await on('published_late', { book: REGISTRY });
  for (const book of BOOKS) expect(firstThree(await resultAt(book, 'first', LATE))).toEqual(USUAL);
  expect(published('first', START + 72 * HOUR).stage).toBe('none');
  expect(published('first', START + 80 * HOUR)).toMatchObject({ stage: 'final', firstThree: USUAL });
  expect(published('dogs', START + 72 * HOUR).stage).toBe('none');
});

test('partial_field: the registry’s final lacks the last third until a day later', async () => {
  await on('partial_field', { venue: 'Flemington' });
  const partial = published('first', LATE + 4 * HOUR);
  const dogs = published('dogs', START + 36 * HOUR);
  expect([partial.stage, partial.field.length, partial.firstThree]).toEqual(['final', 6, USUAL]);
  expect([dogs.stage, dogs.field.length]).toEqual(['final', raceOf('dogs', REGISTRY).runners.length]);
  expect(published('first', LATE + 28 * HOUR).field).toHaveLength(9);
});

test('meeting_postponed: the races still to come do not run, and the registry reports the new day', async () => {
  nowMs = START + 20 * MINUTE;
  await on('meeting_postponed', { venue: 'Flemington' });
  expect((await resultAt('ladbrokes_au', 'second', LATE))!.stage).toBe('abandoned');
  expect(published('second', LATE)).toMatchObject({ stage: 'abandoned', note: 'Meeting postponed to 2026-11-22' });
  expect(firstThree(await resultAt('ladbrokes_au', 'first', LATE))).toEqual(USUAL);
  expect(firstThree(await resultAt('ladbrokes_au', 'dogs', LATE))).toEqual(USUAL);
});

test('a scenario limited to a book and a race leaves the other book, the registry and the other race unchanged', async () => {
  await on('dead_heat', { book: 'tab', race: raceOf('first', 'tab').id });
  expect(firstThree(await resultAt('tab', 'first', LATE))).toEqual(['1:4', '1:7', '3:2']);
  expect(firstThree(await resultAt('ladbrokes_au', 'first', LATE))).toEqual(USUAL);
  expect(firstThree(await resultAt('tab', 'second', LATE))).toEqual(USUAL);
  expect(published('first', LATE).firstThree).toEqual(USUAL);
});

test.each(['interim_changed', 'dead_heat', 'protest_upheld', 'never_resulted', 'barrier_scratching', 'published_late'])(
  '%s does not change anything already posted or published',
  async (scenario) => {
    nowMs = LATE;
    await on(scenario);
    for (const book of BOOKS) expect(firstThree(await resultAt(book, 'first', LATE + HOUR))).toEqual(USUAL);
    expect(published('first', LATE + 4 * HOUR)).toMatchObject({ stage: 'final', firstThree: USUAL });
    expect(published('first', LATE + 4 * HOUR).field).toHaveLength(9);
  },
);
