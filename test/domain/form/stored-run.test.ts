// Which runs a field becomes, and which of their facts stay when it is read again (B 2.6, B 2.7).
import fc from 'fast-check';
import { keptRun, prizeOf, type RunRace, runsOfRace, type StoredRun } from '../../../src/domain/form/stored-run';
import { resultRunner } from '../../support/races/builders';

const CARD = { barrier: 4, jockey: 'A. Card', trainer: 'B. Card', weightKg: 57.5 };
const race = (over: Partial<RunRace> = {}): RunRace => ({
  race_id: '7c1b7f0e-52a4-5d0c-8b6e-3f1d2a9c4e55',
  category: 'horse',
  collector: 'racing_australia',
  meeting_date: '2026-11-07',
  start_time: '2026-11-07T04:20:00.000Z',
  venue: 'Randwick',
  venue_site: 'randwick',
  race_number: 6,
  race_name: 'PLATE',
  distance_m: 1500,
  track_condition: 'Soft (5)',
  race_class: 'BenchMark 78',
  prize_total: 100_000,
  prizes: { '1st': 60_000, '2nd': 20_000, '3rd': 10_000 },
  card: new Map([[1, { ...CARD, name: 'Gold Trip' }]]),
  field: [
    resultRunner(1, {
      name: 'GOLD TRIP (FR)',
      position: 1,
      time_s: 91.24,
      sp: 4.5,
      jockey: 'A. Rider',
      runner_ref: 'ra:7',
    }),
    resultRunner(2, { name: 'Level One', position: 2, dead_heat: true }),
    resultRunner(3, { name: 'Level Two', position: 2, dead_heat: true }),
    resultRunner(4, { name: 'Faller', position: null, abnormal: 'Fell', sp: 0 }),
    resultRunner(5, { name: 'At Barrier', position: null, status: 'scratched', abnormal: 'SB', sp: 8 }),
    resultRunner(6, { name: 'Emergency', position: null, status: 'reserve' }),
    resultRunner(7, { name: 'Vacant Box', position: null, status: 'scratched' }),
  ],
  ...over,
});
const byNumber = (runs: readonly StoredRun[]) => new Map(runs.map((run) => [run.number, run]));

test('a run has the facts of its field, missing ones from its own card, and the winner’s time', () => {
  const [winner] = runsOfRace(race());
  expect(winner).toMatchObject({
    name: 'GOLD TRIP (FR)',
    runner_key: 'goldtrip',
    result_id: race().race_id,
    origin: 'results',
    jockey: 'A. Rider',
    trainer: 'B. Card',
    box: 4,
    weight_kg: 57.5,
    carried_kg: null,
    sp: 4.5,
    field_size: 4,
    race_time_s: 91.24,
    time_s: 91.24,
    prize_won: 60_000,
    pir: null,
    grade: null,
  });
  const other = new Map([[1, { ...CARD, name: 'Quite Another' }]]);
  expect(runsOfRace(race({ card: other }))[0]).toMatchObject({ trainer: null, box: null, weight_kg: null });
});

test('a runner that did not start is not a starter, an unknown price is null, and an empty box is not a run', () => {
  const runs = byNumber(runsOfRace(race()));
  expect([...runs.keys()]).toEqual([1, 2, 3, 4, 5, 6]);
  expect(runs.get(4)).toMatchObject({ status: 'ran', position: null, abnormal: 'Fell', sp: null, prize_won: 0 });
  expect(runs.get(5)).toMatchObject({ status: 'scratched', abnormal: 'SB', prize_won: null });
  expect(runs.get(6)!.status).toBe('scratched');
  expect(byNumber(runsOfRace(race({ category: 'greyhound' }))).get(6)!.status).toBe('reserve');
  expect(runsOfRace(race({ category: 'greyhound' }))[0]!.weight_kg).toBeNull();
});

test('without a field there is no run', () => expect(runsOfRace(race({ field: null }))).toEqual([]));

test('a dead heat shares the places that it occupies', () => {
  const runs = byNumber(runsOfRace(race()));
  expect([runs.get(2)!.prize_won, runs.get(3)!.prize_won]).toEqual([15_000, 15_000]);
  const first = { position: 1, status: 'ran', abnormal: null } as const;
  expect(prizeOf({ ...first, position: 4 }, [], { '1st': 5 })).toBe(0);
  expect(prizeOf(first, [first], null)).toBeNull();
  expect(prizeOf({ ...first, position: null }, [], { '1st': 5 })).toBeNull();
});

const [read] = runsOfRace(race()) as [StoredRun];

test('a later reading never takes a published fact away', () => {
  const nothing = {
    race_name: null,
    distance_m: null,
    sp: null,
    jockey: null,
    weight_kg: null,
    margin: null,
    time_s: null,
  };
  const again = { ...read, ...nothing, prize_won: null, race_time_s: null, trainer: 'C. New' };
  expect(keptRun(read, again)).toEqual({ ...read, trainer: 'C. New' });
  const facts = fc.constantFrom(...(Object.keys(nothing) as (keyof typeof nothing)[]));
  fc.assert(
    fc.property(facts, fc.boolean(), (fact, first) => {
      const [one, other] = first ? [{ ...read, [fact]: null }, read] : [read, { ...read, [fact]: null }];
      expect(keptRun(one, other)[fact]).toEqual(read[fact]);
    }),
  );
});

test('another outcome is stored whole, without the time and prize of the previous one', () => {
  const disqualified = { ...read, position: null, abnormal: 'Disqualified', time_s: null, prize_won: 0, sp: null };
  expect(keptRun(read, disqualified)).toMatchObject({ position: null, time_s: null, prize_won: 0, sp: 4.5 });
});

test('another animal under the number inherits only the race', () => {
  const other = { ...read, name: 'Other', runner_key: 'other', sp: null, jockey: null, time_s: null, race_name: null };
  expect(keptRun(read, other)).toMatchObject({
    name: 'Other',
    sp: null,
    jockey: null,
    time_s: null,
    race_name: 'PLATE',
  });
});
