import { spelledAsOnCard } from '../../../src/domain/results/card-spelling';
import { resultRunner } from '../../support/races/builders';

const onCard = (number: number, name: string) => ({ number, name, scratched: false, emergency: null });
const spelled = (official: string, ours: string, number = 1) =>
  spelledAsOnCard([resultRunner(1, { name: official })], [onCard(number, ours)])[0]!.name;

test.each([
  ['capitals', 'ZULU WARRIOR', 'Zulu Warrior', 'Zulu Warrior'],
  ['punctuation and accents', "O'REILLYS DE L'ETE", 'O’Reilly’s de l’Été', 'O’Reilly’s de l’Été'],
  ['a country of birth that only the registry writes', 'GOLD TRIP (FR)', 'Gold Trip', 'Gold Trip (FR)'],
  ['a country of birth that only the card writes', 'GOLD TRIP', 'Gold Trip (FR)', 'Gold Trip (FR)'],
  ['the same country of birth', 'GOLD TRIP (FR)', 'Gold Trip (Fr)', 'Gold Trip (Fr)'],
  ['two countries of birth', 'GOLD TRIP (NZ)', 'Gold Trip (FR)', 'GOLD TRIP (NZ)'],
  ['a typing error', 'ZULU WARRIOR', 'Zulu Warior', 'ZULU WARRIOR'],
  ['a part of the name in brackets', 'GOLD TRIP (RESERVE)', 'Gold Trip', 'GOLD TRIP (RESERVE)'],
])('%s: %s on our card as %s is %s', (_, official, ours, served) => {
  expect(spelled(official, ours)).toBe(served);
});

test('a name under another number belongs to another runner', () => {
  expect(spelled('ZULU WARRIOR', 'Zulu Warrior', 2)).toBe('ZULU WARRIOR');
});

test('other members of the runner are unchanged', () => {
  const runner = resultRunner(3, { name: 'ZULU WARRIOR', position: null, abnormal: 'Fell', runner_ref: 'grv:7' });
  expect(spelledAsOnCard([runner], [onCard(3, 'Zulu Warrior')])).toEqual([{ ...runner, name: 'Zulu Warrior' }]);
});
