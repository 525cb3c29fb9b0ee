// A book without runner numbers is joined to the card by name, and only if the name matches one runner.
import fc from 'fast-check';
import type { BookRunner } from '../../../src/domain/race/feed-race';
import { numberRunners } from '../../../src/domain/race/join-runners';
import { runnerKey } from '../../../src/domain/race/runner';
import { feedRunner } from '../../support/races/builders';

const CARD = ['Abelard', 'Bertrand', 'Carlisle'].map((name, i) => ({ number: i + 1, name }));
const row = (name: string, number: number | null = null): BookRunner => ({
  ...feedRunner(1, { win: 3 }),
  name,
  number,
});
const joined = (rows: readonly BookRunner[], card = CARD) => {
  const { runners, unjoined } = numberRunners(rows, card);
  return [runners.map(({ name, number }) => `${number} ${name}`), unjoined];
};

test.each<[string, readonly BookRunner[], readonly string[], number]>([
  ['by folded name, in the book’s order', [row('CARLISLE (NZ)'), row('Abelard')], ['3 CARLISLE (NZ)', '1 Abelard'], 0],
  ['a number from the book is kept, whatever name the card has', [row('Abelard', 2)], ['2 Abelard'], 0],
  ['a name that the card does not have is left out', [row('Davenport'), row('Bertrand')], ['2 Bertrand'], 1],
  ['two rows with one number are both left out', [row('Abelard'), row('ABELARD'), row('Bertrand')], ['2 Bertrand'], 2],
  ['a name and a number that meet are both left out', [row('Abelard'), row('Emilio', 1)], [], 2],
  ['no rows give no rows', [], [], 0],
])('%s', (_, rows, names, unjoined) => expect(joined(rows)).toEqual([names, unjoined]));

test('a name that two runners of the card share matches neither of them, nor a third', () => {
  const boxes = [4, 5, 6].map((number) => ({ number, name: 'Vacant Box' }));
  expect(joined([row('Vacant Box'), row('Abelard')], [...CARD, ...boxes])).toEqual([['1 Abelard'], 1]);
});

test('prices and other members of a row are unchanged', () => {
  const { runners } = numberRunners([row('Bertrand')], CARD);
  expect(runners).toEqual([{ ...row('Bertrand'), number: 2 }]);
});

test('property: a number is the book’s own or that of the one runner of the name, and no two rows have the same', () => {
  const name = fc.constantFrom('Abelard', 'BERTRAND (NZ)', 'Vacant Box', 'Carlisle', '');
  const number = fc.option(fc.integer({ min: 1, max: 4 }), { nil: null });
  const rows = fc.array(fc.record({ name, number }), { maxLength: 6 });
  const cards = fc.array(fc.record({ name, number: fc.integer({ min: 1, max: 4 }) }), { maxLength: 5 });
  fc.assert(
    fc.property(rows, cards, (reported, card) => {
      const given = reported.map((each, i) => ({ ...row(each.name, each.number), win: 2 + i }));
      const { runners, unjoined } = numberRunners(given, card);
      const numberOf = (each: BookRunner): number | null => {
        const same = card.filter((runner) => runnerKey(runner.name) === runnerKey(each.name));
        return each.number ?? (same.length === 1 ? same[0]!.number : null);
      };
      const numbers = given.map(numberOf);
      const sure = given.filter(
        (_, i) => numbers[i] !== null && numbers.indexOf(numbers[i]!) === numbers.lastIndexOf(numbers[i]!),
      );
      expect(runners).toEqual(sure.map((each) => ({ ...each, number: numberOf(each) })));
      expect(unjoined).toBe(given.length - sure.length);
    }),
  );
});
