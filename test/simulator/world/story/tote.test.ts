// Dividends add up: dead heats share, exotics follow the placings, and multi-race bets end with the last leg.

import type { Placing } from '../../../../src/simulator/world/race';
import { multiBets, multiDividends } from '../../../../src/simulator/world/story/multi';
import { dividendsOf, finishingOrders, TOTES } from '../../../../src/simulator/world/story/tote';
import { createWorld, findRace, racesOf } from '../../../../src/simulator/world/world';

const DAY = '2026-11-21';
const world = createWorld({ seed: 'a' });
const ran = racesOf(world, DAY).filter((race) => !race.story.abandoned);
const placing = (position: number, number: number): Placing => ({ position, number, margin: 0 });

test('finishing orders of a clear result and of dead heats', () => {
  const clear = [placing(1, 7), placing(2, 5), placing(3, 4)];
  expect(finishingOrders(clear, 3)).toEqual([[7, 5, 4]]);
  const level = [placing(1, 7), placing(1, 5), placing(3, 4)];
  expect(finishingOrders(level, 2)).toEqual([
    [7, 5],
    [5, 7],
  ]);
  const levelThird = [placing(1, 2), placing(2, 3), placing(3, 8), placing(3, 9)];
  expect(finishingOrders(levelThird, 3)).toEqual([
    [2, 3, 8],
    [2, 3, 9],
  ]);
  expect(finishingOrders(clear, 4)).toEqual([]);
});

test('every race that ran pays its winner and its places at every tote, and an exacta in the settled order', () => {
  for (const race of ran) {
    for (const tote of TOTES) {
      const { straight, exotics } = dividendsOf(race, tote);
      const winners = race.story.settled.filter((row) => row.position === 1).map((row) => row.number);
      expect(straight.filter((row) => row.product === 'Win').map((row) => row.numbers[0])).toEqual(winners);
      expect([...straight, ...exotics].filter((row) => !(row.amount >= 1))).toEqual([]);
      const exactas = exotics.filter((row) => row.product === 'Exacta').map((row) => row.numbers);
      expect(exactas).toEqual(finishingOrders(race.story.settled, 2));
    }
  }
});

test('a dead heat for first halves the win dividends', () => {
  const race = findRace(world, DAY, ({ story }) => story.settled.filter((row) => row.position === 1).length === 2);
  const wins = dividendsOf(race, 'NSW').straight.filter((row) => row.product === 'Win');
  expect(wins).toHaveLength(2);
  expect(dividendsOf(race, 'NSW').exotics.filter((row) => row.product === 'Quinella')).toHaveLength(1);
  expect(dividendsOf(race, 'NSW').exotics.filter((row) => row.product === 'Exacta')).toHaveLength(2);
});

test('the quaddie is the last four races, early quaddie the four before, and pays only if all were run', () => {
  const full = world
    .meetings(DAY)
    .find((one) => one.races.length >= 8 && one.races.every((race) => !race.story.abandoned))!;
  const last = full.races.length;
  const bets = new Map(multiBets(full).map((bet) => [bet.product, bet.legs]));
  expect(bets.get('Quaddie')).toEqual([last - 3, last - 2, last - 1, last]);
  expect(bets.get('EarlyQuaddie')!.at(-1)).toBe(last - 4);
  expect(bets.get('DailyDouble')).toEqual([last - 2, last]);
  const quaddie = multiDividends(full.races.at(-1)!, 'VIC').find((row) => row.product === 'Quaddie')!;
  expect(quaddie.numbers).toEqual(full.races.slice(-4).map((race) => race.story.settled[0]!.number));
  const off = world.meetings(DAY).find((one) => one.abandonedAtMs !== null)!;
  expect(multiDividends(off.races.at(-1)!, 'VIC')).toEqual([]);
});
