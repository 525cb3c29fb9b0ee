// Which runner a bet is on: all its details must fit exactly one runner.
import { findRunner, type NamedRunner } from '../../../src/domain/clv/find-runner';

const FIELD = [
  { number: 1, name: 'Gold Trip (FR)', runnerRef: 'ra:111' },
  { number: 2, name: "Plain Sailin'", runnerRef: null },
  { number: 3, name: 'Vacant Box', runnerRef: null },
  { number: 4, name: 'Vacant Box', runnerRef: null },
  // The result has more details of number 2 than the card.
  { number: 2, name: 'Plain Sailing', runnerRef: 'ra:222' },
];
const find = (named: NamedRunner) => findRunner(FIELD, named);

test.each<[string, NamedRunner, number]>([
  ['its number', { number: 2 }, 2],
  ['its name, folded, without the country', { name: 'GOLD-TRIP' }, 1],
  ['its name with another country', { name: 'Gold Trip (IRE)' }, 1],
  ['its name as the card has it', { name: 'plain sailin' }, 2],
  ['its name as the result has it', { name: 'Plain Sailing' }, 2],
  ['its reference', { runnerRef: 'ra:111' }, 1],
  ['the reference that only the result has', { runnerRef: 'ra:222' }, 2],
  ['all of them', { number: 1, name: 'gold trip', runnerRef: 'ra:111' }, 1],
  ['a number where the name alone would fit two', { name: 'vacant box', number: 4 }, 4],
])('by %s', (_, named, number) => {
  expect(find(named)).toBe(number);
});

test.each<[string, NamedRunner]>([
  ['another number', { number: 9 }],
  ['a name that no runner has', { name: 'Late Mail' }],
  ['a part of a name', { name: 'Gold' }],
  ['a name without a letter', { name: '....' }],
  ['a reference in another spelling', { runnerRef: 'RA:111' }],
  ['a number and a name of two runners', { number: 1, name: 'Plain Sailing' }],
  ['a reference and a number of two runners', { number: 2, runnerRef: 'ra:111' }],
])('%s matches no runner', (_, named) => {
  expect(find(named)).toBe('not_found');
});

test('two matching runners are ambiguous', () => {
  expect(find({ name: 'Vacant Box' })).toBe('ambiguous');
});
