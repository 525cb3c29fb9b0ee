// The order of a replay over many races, and what it holds: never an event before one that happened earlier, never a
// race read long before its first price, and from any instant on what follows it.
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { type MergedEvent, MergedRaces } from '../../../../src/api/operations/replay/merged-races';
import type { RaceToReplay } from '../../../../src/store/reads/archive/replay/replay-prices';
import type { ReplayRace } from '../../../../src/store/reads/archive/replay/replay-races';
import { runs } from '../../../support/property';

const START = Date.parse('2026-11-20T00:00:00.000Z');
const MINUTE_MS = 60_000;

const prices = fc.uniqueArray(fc.integer({ min: -60 * MINUTE_MS, max: 2 * MINUTE_MS }), {
  minLength: 1,
  maxLength: 12,
});
const race = fc.record({
  /** Few values, so that instants of several races meet. */
  startsAfter: fc.integer({ min: 0, max: 40 }).map((n) => n * 15 * MINUTE_MS),
  jumpsAfter: fc.constantFrom(0, MINUTE_MS),
  resultAfter: fc.constantFrom(null, 0, 10 * MINUTE_MS, 7 * 60 * MINUTE_MS),
  scratchedAfter: fc.constantFrom(null, -30 * MINUTE_MS, 5 * MINUTE_MS),
  conditionAfter: fc.constantFrom(null, -20 * MINUTE_MS, 0),
  series: fc.array(prices, { minLength: 1, maxLength: 3 }),
});
type Case = typeof race extends fc.Arbitrary<infer One> ? One : never;

function toReplay(one: Case, i: number): RaceToReplay {
  const startMs = START + one.startsAfter;
  const at = (ms: number) => new Date(startMs + ms).toISOString();
  const runner = { barrier: null, jockey: null, trainer: null, weightKg: null, form: null, runnerRef: null };
  return {
    raceId: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    head: {
      ...{ venue: 'Albury', race_number: 1, category: 'horse', country: 'AU', start_time: at(0) },
      track_condition_changed_at: one.conditionAfter === null ? null : at(one.conditionAfter),
    } as never,
    runners: one.series.map((_, n) => ({
      ...runner,
      number: n + 1,
      name: `Runner ${n + 1}`,
      emergency: null,
      scratched: n === 0 && one.scratchedAfter !== null,
      scratchedAt: n === 0 && one.scratchedAfter !== null ? at(one.scratchedAfter) : null,
      late: null,
    })),
    jumpMs: startMs + one.jumpsAfter,
    pathFacts: '',
    cardFacts: '',
    result:
      one.resultAfter === null
        ? null
        : { status: 'final', placings: [], resulted_at: null, finalised_at: at(one.resultAfter) },
    series: one.series.map((times, n) => {
      const atMs = [...times].sort((a, b) => a - b).map((ms) => startMs + ms);
      const all = atMs.map((_, place) => 2 + place);
      // A leg of which no price was ever quoted.
      const none = n % 2 === 0 ? null : atMs.map(() => 0);
      return { number: n + 1, bookmaker: 'tab', atMs, win: all, place: none, top2: none, top3: none, top4: none };
    }),
  };
}

const firstMs = ({ series }: RaceToReplay): number => Math.min(...series.map(({ atMs }) => atMs[0]!));

const planOf = (races: readonly RaceToReplay[]): ReplayRace[] =>
  races
    .map((one): ReplayRace => {
      const { raceId, jumpMs, pathFacts, cardFacts, head } = one;
      const startMs = Date.parse(head.start_time);
      return { raceId, startMs, firstMs: firstMs(one), jumpMs, resultMs: null, pathFacts, cardFacts };
    })
    .sort((a, b) => a.firstMs - b.firstMs);

async function all(merged: MergedRaces): Promise<MergedEvent[]> {
  const events: MergedEvent[] = [];
  for await (const batch of merged.events()) events.push(...batch);
  return events;
}

test('events are in the order of race time, races are read when they are due, and any instant can be gone on from', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(race, { minLength: 1, maxLength: 40 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (cases, share) => {
        const races = cases.map(toReplay).filter((one) => firstMs(one) <= one.jumpMs);
        const byId = new Map(races.map((one) => [one.raceId, one]));
        const plan = planOf(races);
        let wanted = 0;
        const read = async (some: readonly ReplayRace[]) => {
          wanted += some.length;
          return some.map(({ raceId }) => byId.get(raceId)!);
        };
        const merged = new MergedRaces(plan, read);
        const events: MergedEvent[] = [];
        for await (const batch of merged.events()) {
          events.push(...batch);
          const due = plan.filter((one) => one.firstMs <= batch.at(-1)!.atMs).length;
          // What is read ahead: the batch that has the next race, and one more.
          expect(wanted).toBeLessThanOrEqual(due + 8);
        }
        const places = events.map(({ atMs, number }) => [atMs, number] as const);
        expect(places).toEqual([...places].sort(([a, n], [b, m]) => a - b || n - m));
        expect(new Set(places.map(String)).size).toBe(places.length);
        expect(events.filter(({ event }) => event === 'gone')).toHaveLength(races.length);
        const results = cases.filter(
          (one, i) => byId.has(toReplay(one, i).raceId) && [0, 10 * MINUTE_MS].includes(one.resultAfter ?? -1),
        );
        expect(events.filter(({ event }) => event === 'result')).toHaveLength(results.length);
        if (events.length === 0) return;
        const from = events[Math.floor(share * (events.length - 1))]!.atMs;
        const later = new MergedRaces(plan, read);
        await later.skipTo(from);
        expect(await all(later)).toEqual(events.filter(({ atMs }) => atMs >= from));
      },
    ),
    { numRuns: runs(100) },
  );
});

test('a race that is over is garbage-collected, however many follow', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const one = { jumpsAfter: 0 as const, resultAfter: 10 * MINUTE_MS, scratchedAfter: null, conditionAfter: null };
  const everyMinute = Array.from({ length: 60 }, (_, minute) => (minute - 59) * MINUTE_MS);
  const made = (i: number) => toReplay({ ...one, startsAfter: i * 15 * MINUTE_MS, series: [everyMinute] }, i);
  const plan = planOf(Array.from({ length: 80 }, (_, i) => made(i)));
  const read: WeakRef<RaceToReplay>[] = [];
  const merged = new MergedRaces(plan, async (some) =>
    some.map((planned) => {
      const race = made(plan.indexOf(planned));
      read.push(new WeakRef(race));
      return race;
    }),
  );
  let most = 0;
  let batches = 0;
  for await (const _ of merged.events()) {
    // A collection of a test's whole heap takes long.
    if (batches++ % 20 > 0) continue;
    await turn();
    collect();
    most = Math.max(most, read.filter((race) => race.deref() !== undefined).length);
  }
  expect(read).toHaveLength(80);
  expect(batches).toBeGreaterThan(60);
  // Those of an hour, with results ten minutes later, and what is read ahead.
  expect(most).toBeLessThanOrEqual(16);
});
