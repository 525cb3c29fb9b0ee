// The world as a book shows it while a scenario is on: what changes, what must not change, and that the same switches
// at the same instants give the same world.
import { resolveVenue } from '../../../src/domain/race/venue';
import type { Race } from '../../../src/simulator/world/race';
import { startersOf } from '../../../src/simulator/world/story/race-times';
import { raceAt } from '../../../src/simulator/world/story/state';
import { createWorld, racesOf } from '../../../src/simulator/world/world';
import { disturbed } from './disturbed';

const DAY = '2026-11-21';
const NOW = Date.parse('2026-11-21T03:10:00Z');
const MINUTE = 60_000;
const world = createWorld({ seed: 'a' });
const coming = (): Race[] =>
  racesOf(world, DAY).filter((race) => race.story.jumpMs > NOW + 90 * MINUTE && !race.story.abandoned);

test('without a switch a book shows the same objects; with one, only the affected races differ', () => {
  const { lens, on } = disturbed(world, NOW);
  expect(lens.meetings(DAY)).toBe(world.meetings(DAY));
  const race = coming()[0]!;
  on('runner_renamed', { race: race.id });
  expect(lens.meetings(DAY)).not.toBe(world.meetings(DAY));
  expect(lens.meetings(DAY)).toBe(lens.meetings(DAY));
  const others = lens.meetings(DAY).filter((meeting, i) => meeting !== world.meetings(DAY)[i]);
  expect(others.map((meeting) => meeting.id)).toEqual([race.meeting.id]);
  expect(lens.raceBySerial(race.serial, NOW)!.meeting).toBe(others[0]);
});

test('the same switches at the same instants give the same world', () => {
  const names = ['race_renumbered', 'two_cards_at_one_track', 'late_emergencies', 'start_moved_twice'];
  const a = disturbed(createWorld({ seed: 'a' }), NOW);
  const b = disturbed(createWorld({ seed: 'a' }), NOW);
  for (const name of names) for (const one of [a, b]) one.on(name);
  expect(stories(a.lens)).toEqual(stories(b.lens));
  expect(stories(a.lens)).not.toEqual(stories(world));
});

const stories = (of: typeof world) =>
  racesOf(of, DAY).map(({ id, serial, number, runners, story, meeting }) => ({
    id,
    serial,
    number,
    runners,
    story,
    venue: meeting.track.name,
  }));

test('two races swap their numbers and nothing else', () => {
  const { lens, on } = disturbed(world, NOW);
  const race = coming().find((one) => one.number === 4)!;
  on('race_renumbered', { race: race.id });
  const now = lens.raceById(race.id, NOW)!;
  expect(now.number).toBe(5);
  expect(now.runners).toBe(race.runners);
  expect(now.meeting.races.map((one) => one.number).sort((a, b) => a - b)).toEqual(
    race.meeting.races.map((one) => one.number).sort((a, b) => a - b),
  );
});

test('every other spelling of a track still folds to its venue, and no misspelling does', () => {
  const { lens, on, off } = disturbed(world, NOW);
  const idsOf = () =>
    lens
      .meetings(DAY)
      .flatMap(({ track }) =>
        [track.name, track.tab, track.pointsbet].map(
          (spelling) => resolveVenue(spelling, track.category, track.country).venueId,
        ),
      );
  const usual = idsOf();
  on('venue_respelt');
  expect(lens.meetings(DAY).map((one) => one.track.name)).not.toEqual(world.meetings(DAY).map((one) => one.track.name));
  expect(idsOf()).toEqual(usual);
  off('venue_respelt');
  on('venue_misspelt');
  expect(idsOf().filter((id) => usual.includes(id))).toEqual([]);
});

test('a track in another spelling is still found by its plain name for other scenarios', () => {
  const { lens, on } = disturbed(world, NOW);
  const race = coming().find((one) => !one.story.deadHeat)!;
  const venue = race.meeting.track.name;
  on('venue_respelt', { venue });
  on('dead_heat', { venue });
  const now = lens.raceById(race.id, NOW)!;
  expect([now.meeting.track.name, now.story.deadHeat]).toEqual([expect.stringContaining('Sportsbet '), true]);
});

test('a second card has the numbers of the first, other horses, and its own ids', () => {
  const { lens, on } = disturbed(world, NOW);
  const { meeting } = coming()[0]!;
  on('two_cards_at_one_track', { venue: meeting.track.name });
  const { name, category } = meeting.track;
  const cards = lens.meetings(DAY).filter(({ track }) => track.name === name && track.category === category);
  expect(cards.map((one) => one.races.slice(0, 4).map((race) => race.number))).toEqual([
    [1, 2, 3, 4],
    [1, 2, 3, 4],
  ]);
  const all = racesOf(lens, DAY);
  expect(new Set(all.map((race) => race.serial)).size).toBe(all.length);
  expect(new Set(all.map((race) => race.id)).size).toBe(all.length);
});

test('a transferred meeting is off at its track and on at another, with the same runners at the same hours', () => {
  const { lens, on } = disturbed(world, NOW);
  const { meeting } = coming()[0]!;
  on('meeting_transferred', { venue: meeting.track.name });
  const [old] = lens.meetings(DAY).filter((one) => one.id === meeting.id);
  const left = old!.races.filter((race) => race.story.abandoned?.note.startsWith('Meeting transferred to '));
  expect(left.length).toBeGreaterThan(0);
  const elsewhere = lens.meetings(DAY).find((one) => !world.meetings(DAY).some((existing) => existing.id === one.id))!;
  const drawn = meeting.races.filter(({ id }) => left.some((race) => race.id === id));
  expect(elsewhere.races.map((race) => race.story.advertised)).toEqual(drawn.map((race) => race.story.advertised));
  expect(elsewhere.races.map((race) => race.runners)).toEqual(left.map((race) => race.runners));
  expect(elsewhere.races.filter((race) => race.story.abandoned)).toEqual([]);
});

test('an abandoned meeting announces no later start', () => {
  const { lens, on } = disturbed(world, NOW);
  const race = coming().find((one) => one.story.advertised.length > 1)!;
  on('meeting_abandoned', { venue: race.meeting.track.name });
  const { story } = lens.raceById(race.id, NOW)!;
  expect(story.abandoned).not.toBeNull();
  expect(story.advertised).toEqual(race.story.advertised.slice(0, 1));
});

test('a start moves twice, and the whole race moves with it', () => {
  const { lens, on } = disturbed(world, NOW);
  const race = coming().find((one) => one.story.advertised.length === 1)!;
  on('start_moved_twice', { race: race.id });
  const { story } = lens.raceById(race.id, NOW)!;
  const [first, second, third] = story.advertised.map((one) => one.startMs - race.story.advertised[0]!.startMs);
  expect([first, second, third]).toEqual([0, 4 * MINUTE, 7 * MINUTE]);
  expect(story.jumpMs - race.story.jumpMs).toBe(7 * MINUTE);
  expect(story.finalMs - race.story.finalMs).toBe(7 * MINUTE);
});

test('a late emergency takes the place of the scratched starter; every number stays with its runner', () => {
  const { lens, on } = disturbed(world, NOW);
  on('late_emergencies');
  for (const race of coming().slice(0, 40)) {
    const now = lens.raceById(race.id, NOW)!;
    const [promotion] = now.story.promotions.filter((row) => !race.story.promotions.includes(row));
    expect(now.runners.map((runner) => runner.number)).toEqual(now.runners.map((_, i) => i + 1));
    if (!promotion) continue;
    const before = raceAt(now, promotion.atMs - 1);
    const after = raceAt(now, promotion.atMs);
    expect(after.placesPaid).toBe(before.placesPaid);
    const out = after.scratchings.filter((row) => !before.scratchings.includes(row));
    expect(out).toMatchObject([{ kind: 'late', atMs: promotion.atMs }]);
    expect(out[0]!.winDeduction).toBeGreaterThan(0);
    const placed = [...startersOf(now)];
    expect(placed).toContain(promotion.number);
    expect(placed).not.toContain(out[0]!.number);
  }
});

const RESULTS = ['barrier_scratching', 'dead_heat', 'interim_changed', 'protest_upheld', 'protest_dismissed'];

test.each(RESULTS)('%s: races of a day are changed, and each still has one outcome for every source', (scenario) => {
  const { lens, on } = disturbed(world, NOW);
  on(scenario);
  const pairs = coming().map((before) => ({ before, race: lens.raceById(before.id, NOW)! }));
  expect(pairs.filter(({ before, race }) => race.story !== before.story).length).toBeGreaterThan(80);
  for (const { race } of pairs) {
    const { interimMs, straightDividendsMs, finalMs, protest, correctedMs, scratchings } = race.story;
    const out = scratchings.map((row) => row.number);
    expect(race.story.settled.filter((row) => out.includes(row.number))).toEqual([]);
    expect(startersOf(race).size + out.length).toBe(race.runners.length);
    const settledMs = protest?.decidedMs ?? correctedMs ?? interimMs;
    const inOrder = [interimMs <= settledMs, settledMs < straightDividendsMs, straightDividendsMs < finalMs];
    expect(inOrder).toEqual([true, true, true]);
    const numbers = (atMs: number): string =>
      raceAt(race, atMs)
        .placings.map((row) => row.number)
        .join();
    expect(numbers(settledMs)).toBe(numbers(finalMs));
    expect(numbers(interimMs) !== numbers(finalMs)).toBe(correctedMs !== null || protest?.upheld === true);
  }
});
