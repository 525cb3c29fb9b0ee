// A 2.1: a runner is the same under any name that a book gives it.
import fc from 'fast-check';
import { horseRef, isVacantBox, runnerKey, sameRunner } from '../../../src/domain/race/runner';

describe('runnerKey and horseRef', () => {
  test.each([
    ["Mr. O'Reilly", 'mroreilly'],
    ['GOLD TRIP (FR)', 'goldtrip'],
    ['Zabeel Prince (NZ) ', 'zabeelprince'],
    ['Café Crème', 'cafecreme'],
    ['Say (It) Again', 'sayitagain'],
    ['....', ''],
  ])('A 2.1: %p folds to %p', (name, key) => expect(runnerKey(name)).toBe(key));

  test('A 2.1: only a thoroughbred with a name has a horse_ref', () => {
    expect(horseRef('Gold Trip (FR)', 'horse')).toBe('pe:goldtrip');
    expect(horseRef('Fabregas', 'greyhound')).toBeNull();
    expect(horseRef('Leap To Fame', 'harness')).toBeNull();
    expect([horseRef(null, 'horse'), horseRef('  ', 'horse')]).toEqual([null, null]);
  });

  test('case, spacing, punctuation and the country never matter', () => {
    const name = fc.stringMatching(/^[A-Z][a-z]{2,8}( [A-Z][a-z]{1,8}){0,3}$/);
    const country = fc.constantFrom('', ' (NZ)', ' (IRE)', '(GB)', ' (USA) ');
    fc.assert(
      fc.property(name, country, (n, c) => {
        expect(runnerKey(`${n.toUpperCase().replaceAll(' ', '-')}${c}`)).toBe(runnerKey(n));
      }),
    );
  });
});

test.each(['....', 'Vacant Box', 'VACANT BOX', '', ' . '])('A 2.2: %p is an empty box', (name) => {
  expect(isVacantBox(name)).toBe(true);
});

describe('sameRunner', () => {
  const one = { number: 4, name: 'Gold Trip (FR)' };
  test('the number decides', () => expect(sameRunner(one, { number: 5, name: 'Gold Trip' })).toBe(false));
  test('another name with the number is another runner', () =>
    expect(sameRunner(one, { number: 4, name: 'Without A Fight' })).toBe(false));
  test('another spelling or a placeholder is not a contradiction', () => {
    expect(sameRunner(one, { number: 4, name: 'GOLD TRIP' })).toBe(true);
    expect(sameRunner(one, { number: 4, name: '....' })).toBe(true);
  });
});
