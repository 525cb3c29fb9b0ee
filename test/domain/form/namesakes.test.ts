// How many animals are certainly among runs of one name.
import { animalsAmong } from '../../../src/domain/form/namesakes';

const horse = (name: string) => ({ category: 'horse', name, runner_ref: null }) as const;
const dog = (runner_ref: string | null) => ({ category: 'greyhound', name: 'X', runner_ref }) as const;

test('horses differ by their country of birth, where both have one', () => {
  expect(animalsAmong([])).toBe(1);
  expect(animalsAmong([horse('Gold Trip (FR)'), horse('Gold Trip'), horse('GOLD TRIP (FRA)')])).toBe(1);
  expect(animalsAmong([horse('Gold Trip (FR)'), horse('Gold Trip (NZ)')])).toBe(2);
});

test('dogs differ by the ids of one registry; ids of two registries prove nothing', () => {
  expect(animalsAmong([dog('grv:1'), dog('grsa:9'), dog(null)])).toBe(1);
  expect(animalsAmong([dog('grv:1'), dog('grv:2'), dog('grsa:9')])).toBe(2);
  // A horse has another code at each meeting.
  expect(
    animalsAmong([
      { ...horse('X'), runner_ref: 'ra:1' },
      { ...horse('X'), runner_ref: 'ra:2' },
    ]),
  ).toBe(1);
});
