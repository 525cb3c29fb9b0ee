import { contradictsPlacings, objectionTo } from '../../../src/domain/results/field-agreement';
import { resultRunner } from '../../support/races/builders';

const NAMES = ['Zulu Warrior', 'Quiet Harbour', 'Midnight Express', 'Brass Monkey', 'Tin Soldier'];
const runner = (number: number, over = {}) => resultRunner(number, { name: NAMES[number - 1]!, ...over });
const field = [1, 2, 3, 4, 5].map((number) => runner(number));
const card = NAMES.map((name, i) => ({ number: i + 1, name, scratched: false, emergency: false }));

describe('objectionTo', () => {
  test('no objection to the same runners, in any spelling', () => {
    const printed = field.map((one) => ({ ...one, name: `${one.name.toUpperCase()} (NZ)` }));
    expect(objectionTo(printed, card)).toBeNull();
  });

  test('no objection if our card is empty, or to runners that our card lacks', () => {
    expect(objectionTo(field, [])).toBeNull();
    expect(objectionTo(field, card.slice(0, 4))).toBeNull();
  });

  test('other names are another race', () => {
    const others = field.map((one) => ({ ...one, name: `Wholly Other Beast ${one.number}` }));
    expect(objectionTo(others, card)).toBe('another_race');
  });

  test('two runners with swapped numbers contradict the card', () => {
    const swapped = field.map((one) => ({
      ...one,
      number: ({ 4: 5, 5: 4 } as Record<number, number>)[one.number] ?? one.number,
    }));
    expect(objectionTo(swapped, card)).toBe('runner_contradicted');
  });

  test('a duplicate number is an objection', () => {
    expect(objectionTo([...field, runner(2)], card)).toBe('number_twice');
  });

  test('a field without one of our runners is partial, unless that runner was out, an emergency or an empty box', () => {
    const part = field.slice(0, 4);
    const without = (over: object) => card.map((one) => (one.number === 5 ? { ...one, ...over } : one));
    expect(objectionTo(part, card)).toBe('partial_field');
    expect(objectionTo(part, without({ scratched: true }))).toBeNull();
    expect(objectionTo(part, without({ emergency: true }))).toBeNull();
    expect(objectionTo(part, without({ name: 'VACANT BOX' }))).toBeNull();
    expect(objectionTo(part, without({ emergency: null }))).toBe('partial_field');
  });

  test('a final field has a winner', () => {
    expect(
      objectionTo(
        field.filter(({ number }) => number !== 1),
        card.filter(({ number }) => number !== 1),
      ),
    ).toBe('partial_field');
    expect(objectionTo([runner(1, { status: 'scratched', position: 1 }), ...field.slice(1)], card)).toBe(
      'partial_field',
    );
  });
});

describe('contradictsPlacings', () => {
  const placed = (...rows: readonly (readonly [number, number])[]) =>
    rows.map(([position, number]) => ({ position, number }));
  const heat = [runner(1), runner(2), runner(3, { position: 2, dead_heat: true }), runner(4, { position: 4 })];

  test.each([
    ['the same order, as far as the placings go', field, placed([1, 1], [2, 2], [3, 3]), false],
    ['no placings yet', field, [], false],
    ['another winner', field, placed([1, 2], [2, 1]), true],
    ['another third', field, placed([1, 1], [2, 2], [3, 4]), true],
    ['another fourth, the last that counts', field, placed([1, 1], [2, 2], [3, 3], [4, 5]), true],
    ['another fifth, which no book must know', field, placed([1, 1], [2, 2], [3, 3], [4, 4], [5, 9]), false],
    ['a row without a position', field, placed([0, 5], [1, 1], [2, 2]), false],
    ['a dead heat, its next position counted on', heat, placed([1, 1], [2, 2], [2, 3], [4, 4]), false],
    ['a dead heat, its next position counted up', heat, placed([1, 1], [2, 3], [2, 2], [3, 4]), false],
    ['a dead heat that one side does not know', heat, placed([1, 1], [2, 2], [3, 3]), true],
    ['a dead heat for the last of the placings, on one side only', heat, placed([1, 1], [2, 2]), true],
    ['fewer who finished than are placed', field.slice(0, 2), placed([1, 1], [2, 2], [3, 3]), true],
  ])('%s', (_, runners, placings, contradicts) => expect(contradictsPlacings(runners, placings)).toBe(contradicts));

  test('only runners that ran are placed', () => {
    expect(
      contradictsPlacings(
        [runner(1, { status: 'scratched', position: 1 }), runner(2, { position: 1 })],
        placed([1, 2]),
      ),
    ).toBe(false);
  });
});
