// One scripted race through its whole life, as each book reports it, on a clock that the test moves.
import type { EntainEventReply } from '../../../src/feeds/entain/payload';
import type { PointsBetRaceReply } from '../../../src/feeds/pointsbet/payload';
import type { TabRacecardReply } from '../../../src/feeds/tab/payload';
import { createSimulator, type Simulator } from '../../../src/simulator/http/server';
import type { RaceScript } from '../../../src/simulator/world/scripts';
import { racesOf } from '../../../src/simulator/world/world';

const START = Date.parse('2026-11-21T03:30:00Z');
const WHO = { From: 'ops@racing-odds.example', 'X-Partner': 'racing-odds-service' };
const MINUTE = 60;

let simulator: Simulator;
let url: string;
let nowMs = START;

const at = (secondsAfterStart: number): void => {
  nowMs = START + secondsAfterStart * 1000;
};
const read = async <T>(path: string): Promise<T> =>
  (await fetch(`${url}/${path}`, { headers: WHO })).json() as Promise<T>;

async function serve(...races: RaceScript[]): Promise<void> {
  simulator = createSimulator({ seed: 'script', now: () => nowMs, races });
  url = await simulator.listen(0);
}
afterEach(() => simulator.close());

const theRace = (index = 0) => racesOf(simulator.world, '2026-11-21')[index]!;
const entain = async (index?: number) =>
  (await read<EntainEventReply>(`ladbrokes_au/affiliates/v1/racing/events/${theRace(index).id}`)).data;
const pointsbet = (index?: number) =>
  read<PointsBetRaceReply>(`pointsbetau/api/racing/v3/races/${theRace(index).serial}`);
const tab = (index?: number) => {
  const { number, meeting } = theRace(index);
  return read<TabRacecardReply>(
    `tab/v1/tab-info-service/racing/dates/${meeting.day}/meetings/R/${meeting.track.mnemonic}/races/${number}?jurisdiction=NSW`,
  );
};

test('a plain race: open, shut at the jump, interim, final, dividends', async () => {
  await serve({
    startMs: START,
    venue: 'Flemington',
    runners: 10,
    order: [4, 7, 2, 9],
    jumpDelaySeconds: 30,
    interimAfterSeconds: 180,
    finalAfterSeconds: 360,
  });
  at(-30 * MINUTE);
  expect((await entain()).race).toMatchObject({
    status: 'Open',
    meeting_name: 'Flemington',
    race_number: 1,
    entrant_count: 10,
  });
  expect((await entain()).runners.filter((runner) => !((runner.odds?.fixed_win ?? 0) > 1))).toEqual([]);
  expect(await entain()).not.toHaveProperty('results');
  expect(await entain()).not.toHaveProperty('dividends');

  at(29);
  expect((await pointsbet()).resultStatus).toBe(0);
  at(30);
  expect((await pointsbet()).resultStatus).not.toBe(0);
  at(30 + 60);
  expect((await entain()).race).toMatchObject({ status: 'Live', actual_start: START / 1000 + 30 });
  expect((await tab()).raceStatus).toBe('Closed');

  at(30 + 180 + 20);
  const interim = await entain();
  expect(interim.race.status).toBe('Interim');
  expect(interim.results!.slice(0, 4).map((row) => row.runner_number)).toEqual([4, 7, 2, 9]);
  expect(interim.results).toHaveLength(10);
  expect((await tab()).results).toEqual([]);

  at(15 * MINUTE);
  const final = await entain();
  expect(final.race.status).toBe('Final');
  const win = final.dividends!.filter((row) => row.product_name === 'Tote Win' && row.tote === 'NSW');
  expect(win.map((row) => [row.status, row.positions[0]!.runner_number])).toEqual([
    ['Interim', 4],
    ['Final', 4],
  ]);
  expect(new Set(win.map((row) => row.id)).size).toBe(2);
  const card = await tab();
  expect(card.raceStatus).toBe('Paying');
  expect(card.results).toEqual([[4], [7], [2], [9]]);
  expect(card.dividends!.find((row) => row.wageringProduct === 'Trifecta')!.poolDividends[0]!.selections).toEqual([
    4, 7, 2,
  ]);
});

test('a late scratching and one at the barrier stay listed with their last odds and a deduction', async () => {
  await serve({
    startMs: START,
    runners: 10,
    jumpDelaySeconds: 60,
    scratchings: [
      { number: 3, secondsBefore: 20 * MINUTE },
      { number: 5, secondsBefore: -30, kind: 'barrier' },
    ],
  });
  at(-21 * MINUTE);
  const before = (await entain()).runners[2]!;
  expect(before).toMatchObject({ is_scratched: false, scratch_time: 0, scr_time: null });
  expect((await entain()).race.positions_paid).toBe(3);
  at(-15 * MINUTE);
  const out = (await entain()).runners[2]!;
  expect(out).toMatchObject({ is_scratched: true, scr_time: new Date(START - 20 * MINUTE * 1000).toISOString() });
  expect(out.odds!.fixed_win).toBeGreaterThan(1);
  expect(out.deduction!.win).toBeGreaterThan(0);
  expect((await tab()).runners[2]!.fixedOdds!.bettingStatus).toBe('LateScratched');
  expect((await tab()).runners[2]!.parimutuel!.bettingStatus).toBe('Scratched');
  expect((await pointsbet()).runners[2]!.isScratched).toBe(true);
  at(5 * MINUTE);
  expect(
    (await entain()).runners.filter((runner) => runner.is_scratched).map((runner) => runner.runner_number),
  ).toEqual([3, 5]);
  at(15 * MINUTE);
  expect((await entain()).results).toHaveLength(8);
});

test('a start that moves twice, a protest that is upheld, a dead heat for third', async () => {
  await serve(
    {
      startMs: START,
      runners: 9,
      moves: [
        { secondsBefore: 10 * MINUTE, bySeconds: 180 },
        { secondsBefore: 60, bySeconds: 120 },
      ],
      jumpDelaySeconds: 20,
    },
    {
      startMs: START + 1000,
      distanceM: 1000,
      runners: 9,
      order: [1, 2, 3],
      protest: 'upheld',
      jumpDelaySeconds: 20,
      interimAfterSeconds: 150,
    },
    { startMs: START + 2000, runners: 9, order: [6, 5, 4, 8], deadHeat: 3, jumpDelaySeconds: 20 },
  );
  const starts: number[] = [];
  for (const seconds of [-11 * MINUTE, -5 * MINUTE, 3 * MINUTE]) {
    at(seconds);
    starts.push((await entain()).race.advertised_start - START / 1000);
  }
  expect(starts).toEqual([0, 180, 300]);

  at(1 + 20 + 150 + 15);
  const numbers = async (): Promise<number[]> => (await entain(1)).results!.slice(0, 3).map((row) => row.runner_number);
  expect(await numbers()).toEqual([1, 2, 3]);
  at(30 * MINUTE);
  expect(await numbers()).toEqual([2, 1, 3]);
  expect((await tab(1)).results).toEqual([[2], [1], [3], expect.any(Array)]);

  expect((await entain(2)).results!.slice(0, 4).map((row) => row.position)).toEqual([1, 2, 3, 3]);
  expect((await tab(2)).results).toEqual([[6], [5], [4, 8], []]);
});

test('an abandoned race never jumps, at any book', async () => {
  await serve({ startMs: START, runners: 8, abandonedSecondsBefore: 5 * MINUTE });
  at(-6 * MINUTE);
  expect((await entain()).race.status).toBe('Open');
  at(-3 * MINUTE);
  expect((await entain()).race.status).toBe('Abandoned');
  expect((await pointsbet()).resultStatus).not.toBe(0);
  at(30 * MINUTE);
  expect((await entain()).race.status).toBe('Abandoned');
  expect(await entain()).not.toHaveProperty('results');
  expect(await tab()).toMatchObject({ raceStatus: 'Abandoned', results: [[], [], [], []], dividends: [] });
});

test('a track regraded before the start is reported by Entain and TAB, each in its own spelling', async () => {
  await serve({ startMs: START, runners: 8, regradedSecondsBefore: 20 * MINUTE });
  at(-25 * MINUTE);
  const before = [(await entain()).race.track_condition, (await tab()).meeting!.trackCondition];
  at(-15 * MINUTE);
  const after = [(await entain()).race.track_condition, (await tab()).meeting!.trackCondition];
  expect(after[0]).not.toBe(before[0]);
  expect(after[1]).not.toBe(before[1]);
});

test('a scripted world has only its scripts, and refuses an unknown track', async () => {
  await serve({ startMs: START, category: 'greyhound', venue: 'Dapto', raceNumber: 7, runners: 8 });
  expect(racesOf(simulator.world, '2026-11-21').map((race) => [race.meeting.track.name, race.number])).toEqual([
    ['Dapto', 7],
  ]);
  expect(racesOf(simulator.world, '2026-11-22')).toEqual([]);
  const lost = createSimulator({ seed: 'x', now: () => START, races: [{ startMs: START, venue: 'Nowhere' }] });
  expect(() => lost.world.meetings('2026-11-21')).toThrow(/no horse track is called 'Nowhere'/);
});

test('the story lists the runners that come to grief and wrongly posted results, for all books or for one', async () => {
  await serve({ startMs: START, runners: 9, order: [4, 7, 2, 1], mishaps: [{ number: 9, what: 'Fell' }] });
  const outcome = async (query = '') => {
    type Order = readonly { readonly number: number }[];
    type Outcome = Record<'crossed' | 'settled', Order> & { readonly mishaps: unknown; readonly corrected: unknown };
    const path = `world/races?from=${new Date(START).toISOString()}${query}`;
    const { races } = await read<{ readonly races: readonly { readonly outcome: Outcome }[] }>(path);
    const { mishaps, corrected, crossed, settled } = races[0]!.outcome;
    const winners = [crossed, settled].map(([first]) => first!.number);
    return { mishaps, corrected, winners };
  };
  at(-5 * MINUTE);
  const asDrawn = { mishaps: [{ number: 9, what: 'Fell' }], corrected: null, winners: [4, 4] };
  expect(await outcome()).toEqual(asDrawn);
  await fetch(`${url}/faults/interim_changed?book=tab`, { method: 'PUT' });
  expect(await outcome()).toEqual(asDrawn);
  const atTab = await outcome('&book=tab');
  expect(atTab).toEqual({ ...asDrawn, corrected: expect.any(String), winners: [7, 4] });
  await fetch(`${url}/faults/interim_changed`, { method: 'PUT' });
  expect(await outcome()).toEqual(atTab);
});

test('the story lists the dividends, the deductions and the field that the registry will publish', async () => {
  const scratchings = [{ number: 3, secondsBefore: 600 }];
  await serve({ startMs: START, runners: 9, order: [4, 7, 2, 1], deadHeat: 1, scratchings });
  const { races } = await read<{ readonly races: readonly Record<string, unknown>[] }>('world/races');
  const race = theRace();
  const [out] = race.story.scratchings;
  const ran = (number: number) => ({ number, status: 'ran', position: 1, deadHeat: true, sp: expect.any(Number) });
  expect(races).toMatchObject([
    {
      scratchings: [{ number: 3, kind: 'late', deductions: { win: out!.winDeduction, place: out!.placeDeduction } }],
      outcome: {
        declared: {
          VIC: expect.arrayContaining([
            { product: 'Win', numbers: [4], amount: expect.any(Number) },
            { product: 'Win', numbers: [7], amount: expect.any(Number) },
            { product: 'Trifecta', numbers: [4, 7, 2], amount: expect.any(Number) },
          ]),
        },
        field: expect.arrayContaining([
          expect.objectContaining(ran(4)),
          expect.objectContaining(ran(7)),
          expect.objectContaining({ number: 3, status: 'late_scratching', position: null }),
        ]),
      },
    },
  ]);
});
