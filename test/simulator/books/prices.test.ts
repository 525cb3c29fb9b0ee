// Prices are on the rungs, with each book's margin, late, rarely wrong, and honest at the jump.
import { addDays } from '../../../src/domain/time/aet';
import { LADDERS, rungNear } from '../../../src/simulator/books/ladder';
import { LADBROKES, NEDS, POINTSBET, TAB } from '../../../src/simulator/books/profiles';
import { type BookView, viewOf } from '../../../src/simulator/books/view';
import type { Race } from '../../../src/simulator/world/race';
import { firstStartMs, jumped, truthOf } from '../../../src/simulator/world/story/race-times';
import { chances, placeChances } from '../../../src/simulator/world/story/truth';
import { createWorld, findRace, racesOf } from '../../../src/simulator/world/world';
import { domesticRaces } from '../../support/races/domestic';

const DAY = '2026-11-21';
const MINUTE_MS = 60_000;
const BOOKS = [LADBROKES, NEDS, POINTSBET, TAB];
const world = createWorld({ seed: 'a' });
const races = domesticRaces(world, DAY);

const stillIn = (race: Race, view: BookView): number[] =>
  race.runners.flatMap((runner, i) => (view.out.has(runner.number) ? [] : [i]));
const complete = (race: Race, view: BookView): boolean =>
  stillIn(race, view).every((i) => view.win[i]! > 0 && view.win[i] !== 201);

test('the ladder has the usual rungs and nothing between them', () => {
  for (const price of [1.01, 2, 2.05, 2.1, 21, 23, 26, 31, 34, 41, 51, 61, 71, 81, 101, 151, 201, 301, 501]) {
    expect(LADDERS.usual).toContain(price);
  }
  expect(rungNear('usual', 22.4)).toBe(23);
  expect(rungNear('usual', 1.0001)).toBe(1.01);
  expect(rungNear('usual', 9999)).toBe(501);
  for (const rungs of Object.values(LADDERS)) expect(rungs).toEqual([...new Set(rungs)].sort((a, b) => a - b));
});

test.each(BOOKS)('$key quotes rungs only, a place no longer than the win, and 106 to 128 percent', (book) => {
  const rungs = new Set(LADDERS[book.ladder]);
  const markets: number[] = [];
  for (const race of races) {
    for (const minutes of [300, 90, 20, 1]) {
      const view = viewOf(race, book, firstStartMs(race) - minutes * MINUTE_MS);
      const quoted = [...view.win, ...view.place].filter((price) => price > 0);
      expect(quoted.filter((price) => !rungs.has(price))).toEqual([]);
      expect(view.win.filter((win, i) => win > 0 && view.place[i]! > win)).toEqual([]);
      if (view.takesBets && complete(race, view))
        markets.push(stillIn(race, view).reduce((sum, i) => sum + 1 / view.win[i]!, 0));
    }
  }
  expect(markets.length).toBeGreaterThan(900);
  expect(Math.min(...markets)).toBeGreaterThan(1.06);
  expect(Math.max(...markets)).toBeLessThan(1.3);
  const typical = [...markets].sort((a, b) => a - b)[markets.length >> 1]!;
  expect(typical).toBeGreaterThan(1.12);
  expect(typical).toBeLessThan(1.28);
});

test('the two Entain brands share ids and mostly opinions, never the whole price list', () => {
  const differ = races.filter((race) => {
    const at = firstStartMs(race) - 30 * MINUTE_MS;
    return viewOf(race, LADBROKES, at).win.join() !== viewOf(race, NEDS, at).win.join();
  });
  expect(differ.length).toBeGreaterThan(races.length / 2);
});

test('prices drift and firm on the way to the jump', () => {
  const moves = races.flatMap((race) => {
    const then = viewOf(race, LADBROKES, firstStartMs(race) - 70 * MINUTE_MS);
    const now = viewOf(race, LADBROKES, firstStartMs(race) - MINUTE_MS);
    return stillIn(race, now).flatMap((i) =>
      then.win[i]! > 0 && now.win[i]! > 0 ? [now.win[i]! / then.win[i]! - 1] : [],
    );
  });
  expect(moves.filter((move) => move < -0.15).length).toBeGreaterThan(100);
  expect(moves.filter((move) => move > 0.15).length).toBeGreaterThan(100);
});

test('a scratched runner keeps its price, the others are repriced at once', () => {
  const race = findRace(
    world,
    DAY,
    ({ story }) => story.scratchings.filter((row) => row.kind === 'late').length === 1 && !story.abandoned,
  );
  const out = race.story.scratchings.find((row) => row.kind === 'late')!;
  const before = viewOf(race, TAB, out.atMs - 1);
  const after = viewOf(race, TAB, out.atMs + 15 * MINUTE_MS);
  expect(before.out.has(out.number)).toBe(false);
  expect(after.out.has(out.number)).toBe(true);
  expect(after.win[out.number - 1]).toBeGreaterThan(1);
  const firmed = stillIn(race, after).filter((i) => after.win[i]! < before.win[i]!);
  expect(firmed.length).toBeGreaterThan(stillIn(race, after).length / 3);
});

test('books rarely make mistakes: placeholders, missing prices, an overlooked scratching', () => {
  let quotes = 0;
  const wrong = { placeholder: 0, missing: 0, overlooked: 0 };
  for (const race of [...races, ...domesticRaces(world, addDays(DAY, 1))]) {
    for (let minutes = 1; minutes < 180; minutes += 30) {
      const at = firstStartMs(race) - minutes * MINUTE_MS;
      for (const book of BOOKS) {
        const view = viewOf(race, book, at);
        const overlooked = race.story.scratchings.filter((row) => row.atMs < at - 90_000 && !view.out.has(row.number));
        wrong.overlooked += overlooked.length;
        for (const i of stillIn(race, view)) {
          const price = view.win[i]!;
          quotes += 1;
          if (price === 0) wrong.missing += 1;
          else if (price === 201 && viewOf(race, NEDS, at).win[i]! < 60) wrong.placeholder += 1;
        }
      }
    }
  }
  for (const count of Object.values(wrong)) {
    expect(count).toBeGreaterThan(0);
    expect(count / quotes).toBeLessThan(0.004);
  }
});

test('closing chances are honest: favourites win as often as the world’s chances imply', () => {
  const days = ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24'];
  let expected = 0;
  let variance = 0;
  let won = 0;
  for (const race of days
    .flatMap((day) => racesOf(world, day))
    .filter(({ story }) => !story.abandoned && !story.protest)) {
    const chance = chances(truthOf(race), race.story.jumpMs, jumped(race));
    const favourite = chance.indexOf(Math.max(...chance));
    expected += chance[favourite]!;
    variance += chance[favourite]! * (1 - chance[favourite]!);
    if (race.story.crossed[0]!.number === race.runners[favourite]!.number) won += 1;
  }
  expect(Math.abs(won - expected)).toBeLessThan(3 * Math.sqrt(variance));
});

test('place chances sum to the places and never put a runner above certainty', () => {
  const win = [0.5, 0.2, 0.1, 0.08, 0.05, 0.04, 0.03, 0];
  const place = placeChances(win, 2);
  expect(place.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(2, 2);
  expect(place.filter((chance) => chance > 1)).toEqual([]);
  expect(place.at(-1)).toBe(0);
  expect(placeChances([0.6, 0.4, 0], 2)).toEqual([1, 1, 0]);
});
