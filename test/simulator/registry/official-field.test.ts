// The stewards' full field over whole days: a ranking, honest prices, times that follow the margins, and the same
// outcome as the books'.
import { addDays } from '../../../src/domain/time/aet';
import { eventData } from '../../../src/simulator/books/entain/event';
import { LADBROKES } from '../../../src/simulator/books/profiles';
import { type OfficialRunner, officialField } from '../../../src/simulator/registry/official-field';
import type { Mishap, Race } from '../../../src/simulator/world/race';
import { startersOf, truthOf } from '../../../src/simulator/world/story/race-times';
import { chances } from '../../../src/simulator/world/story/truth';
import { createWorld, racesOf } from '../../../src/simulator/world/world';

const DAY = '2026-11-21';
const HOUR_MS = 3_600_000;
const world = createWorld({ seed: 'a' });
const days = [0, 1, 2].map((n) => addDays(DAY, n));
const races = days.flatMap((day) => racesOf(world, day));
const ran = races.filter((race) => !race.story.abandoned);
const whole = (race: Race) => officialField(race, race.story.finalMs + HOUR_MS);
const fields = ran.map((race) => ({ race, field: whole(race) }));
const placed = (field: readonly OfficialRunner[]) =>
  field.filter((row) => row.position !== null).sort((a, b) => a.position! - b.position!);

test('every entry appears once, by number, without empty boxes', () => {
  for (const { race, field } of fields) {
    const entries = race.runners.filter((runner) => !runner.vacant);
    expect(field.map((row) => [row.number, row.name])).toEqual(entries.map((row) => [row.number, row.name]));
    const started = field.filter((row) => row.status === 'ran').map((row) => row.number);
    expect(new Set(started)).toEqual(startersOf(race));
  }
});

test('positions are a ranking, level runners share one, and the margins follow: the winner’s is 0', () => {
  let level = 0;
  for (const { field } of fields) {
    const rows = placed(field);
    const companyOf = rows.map((row) => rows.filter((other) => other.position === row.position));
    expect(rows.map((row) => [row.position, row.deadHeat])).toEqual(
      rows.map((row, i) => [
        1 + rows.filter((other) => other.position! < row.position!).length,
        companyOf[i]!.length > 1,
      ]),
    );
    for (const company of companyOf) {
      if (company.some((other) => other.marginLengths !== company[0]!.marginLengths)) expect(company).toEqual([]);
      level += company.length - 1;
    }
    const margins = rows.map((row) => row.marginLengths!);
    expect(margins[0]).toBe(0);
    expect(margins).toEqual([...margins].sort((a, b) => a - b));
    expect(rows.length).toBeGreaterThan(3);
  }
  expect(level).toBeGreaterThan(0);
});

test('times ascend with the positions, and suit the code and the distance', () => {
  const pace = { horse: [16, 18], harness: [13.8, 15], greyhound: [16.8, 18] } as const;
  for (const { race, field } of fields) {
    const times = placed(field).map((row) => row.timeS!);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const [least, most] = pace[race.meeting.track.category];
    expect(race.distanceM / times[0]!).toBeGreaterThan(least);
    expect(race.distanceM / times[0]!).toBeLessThan(most);
    expect(race.story.jumpMs + times[0]! * 1000).toBeLessThanOrEqual(race.story.finishMs);
  }
});

test('a runner that did not run has no position, margin or time, and no price unless it came out at the barrier', () => {
  const seen = new Set<string>();
  for (const { race, field } of fields) {
    for (const row of field.filter((one) => one.status !== 'ran')) {
      const { position, marginLengths, timeS, favourite, deadHeat } = row;
      expect({ position, marginLengths, timeS, favourite, deadHeat }).toEqual({
        position: null,
        marginLengths: null,
        timeS: null,
        favourite: null,
        deadHeat: false,
      });
      const out = race.story.scratchings.find((one) => one.number === row.number)!;
      const atBarrier = out.kind === 'barrier' && race.meeting.track.category === 'horse';
      expect([row.abnormal, atBarrier || row.sp === null]).toEqual([atBarrier ? 'SB' : null, true]);
      expect(row.status === 'reserve').toBe(out.kind === 'emergency');
      seen.add(`${row.status} ${row.abnormal ?? '-'} ${row.sp === null ? 'no price' : 'a price'}`);
    }
  }
  expect([...seen].sort()).toEqual([
    'late_scratching - no price',
    'reserve - no price',
    'scratched - no price',
    'scratched SB a price',
    'scratched SB no price',
  ]);
});

test('official prices are the chances at the jump plus the bookmakers’ margin; the shortest is the favourite', () => {
  let shared = 0;
  for (const { race, field } of fields) {
    const rows = field.filter((row) => row.status === 'ran');
    const implied = rows.reduce((sum, row) => sum + 1 / row.sp!, 0);
    expect(implied).toBeGreaterThan(1.1);
    expect(implied).toBeLessThan(1.35);
    const win = chances(truthOf(race), race.story.jumpMs, (i) => startersOf(race).has(race.runners[i]!.number));
    const bestFirst = [...rows].sort((a, b) => win[b.number - 1]! - win[a.number - 1]!).map((row) => row.sp!);
    expect(bestFirst).toEqual([...bestFirst].sort((a, b) => a - b));
    const shortest = rows.filter((row) => row.sp === bestFirst[0]);
    expect(rows.filter((row) => row.favourite !== null)).toEqual(shortest);
    expect(new Set(shortest.map((row) => row.favourite))).toEqual(new Set([shortest.length > 1 ? 'EF' : 'F']));
    if (shortest.length > 1) shared += 1;
  }
  expect(shared).toBeGreaterThan(0);
});

test('the prices match the results: favourites win as often as their prices imply', () => {
  let expected = 0;
  let variance = 0;
  let won = 0;
  for (const { field } of fields) {
    const starters = field.filter((row) => row.status === 'ran');
    const implied = starters.reduce((sum, row) => sum + 1 / row.sp!, 0);
    const favourite = starters.find((row) => row.favourite !== null)!;
    const chance = 1 / favourite.sp! / implied;
    expected += chance;
    variance += chance * (1 - chance);
    if (favourite.position === 1) won += 1;
  }
  expect(Math.abs(won - expected)).toBeLessThan(3 * Math.sqrt(variance));
});

test('about one race in sixteen has a runner that comes to grief, never among the first four', () => {
  const kinds = new Set<Mishap>();
  for (const { race, field } of fields) {
    const grieved = field.filter((row) => row.status === 'ran' && (row.position === null || row.abnormal !== null));
    expect(grieved.map((row) => [row.number, row.abnormal])).toEqual(
      race.story.mishaps.map((mishap) => [mishap.number, mishap.what]),
    );
    for (const { abnormal, position } of grieved) {
      const last = placed(field).length;
      expect(position).toBe(abnormal === 'TailedOff' ? last : null);
      expect(last).toBeGreaterThan(3);
      kinds.add(abnormal as Mishap);
    }
  }
  expect([...kinds].sort()).toEqual(['Disqualified', 'Fell', 'PulledUp', 'StayedInBox', 'TailedOff']);
  const share = fields.filter(({ race }) => race.story.mishaps.length > 0).length / fields.length;
  expect(share).toBeGreaterThan(0.04);
  expect(share).toBeLessThan(0.09);
});

test('a book that reports the whole field reports the same one', () => {
  const some = fields.filter(({ race }, i) => i % 20 === 0 || (race.story.mishaps.length > 0 && i % 3 === 0));
  for (const { race, field } of some) {
    const { results } = eventData(race, LADBROKES, race.story.finalMs + HOUR_MS);
    expect(new Map(results!.map((row) => [row.runner_number, row.position]))).toEqual(
      new Map(placed(field).map((row) => [row.number, row.position])),
    );
  }
});

test('nothing before the judge, the first past the post until a protest is decided, never anything for a race that did not run', () => {
  const race = ran.find(({ story }) => story.protest?.upheld)!;
  const { interimMs, protest, crossed } = race.story;
  const winnerAt = (atMs: number) => officialField(race, atMs).find((row) => row.position === 1)?.number;
  expect(winnerAt(interimMs - 1)).toBeUndefined();
  expect([interimMs, protest!.decidedMs - 1, protest!.decidedMs].map(winnerAt)).toEqual([
    crossed[0]!.number,
    crossed[0]!.number,
    crossed[1]!.number,
  ]);
  const off = races.filter((one) => one.story.abandoned);
  expect(off.flatMap(whole)).toEqual([]);
  expect(off.length).toBeGreaterThan(3);
});

test('a dog keeps its id at every track and shares it with none; a horse has another code each day', () => {
  const codes = fields.flatMap(({ field }) => field.map((row) => row.horseCode));
  expect(new Set(codes).size).toBe(codes.length);
  const ids = new Map<string, number>();
  const weeks = Array.from({ length: 12 }, (_, n) => addDays(DAY, n)).flatMap((day) => racesOf(world, day));
  const others: string[] = [];
  let met = 0;
  for (const race of weeks.filter(({ story, meeting }) => meeting.track.category === 'greyhound' && !story.abandoned)) {
    for (const { name, dogId } of whole(race)) {
      if (ids.has(name)) met += 1;
      if ((ids.get(name) ?? dogId) !== dogId) others.push(name);
      ids.set(name, dogId);
    }
  }
  expect(others).toEqual([]);
  expect(new Set(ids.values()).size).toBe(ids.size);
  expect(met).toBeGreaterThan(500);
});

test('an emergency with a start jumps from the barrier of the runner it replaced', () => {
  const promoted = fields.flatMap(({ race, field }) =>
    race.story.promotions.map(({ number, barrier }) => ({ barrier, row: field.find((one) => one.number === number)! })),
  );
  expect(promoted.length).toBeGreaterThan(3);
  for (const { barrier, row } of promoted) expect(row).toMatchObject({ status: 'ran', emergency: true, barrier });
});

test('the field does not depend on the order of queries', () => {
  const other = createWorld({ seed: 'a' });
  const backwards = [...days].reverse().flatMap((day) => racesOf(other, day));
  for (const race of backwards.filter((one) => !one.story.abandoned).slice(0, 60)) {
    const twin = ran.find((one) => one.id === race.id)!;
    expect(JSON.stringify(whole(race))).toBe(JSON.stringify(whole(twin)));
  }
});
