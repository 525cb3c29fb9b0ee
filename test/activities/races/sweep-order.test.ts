import { inSweepOrder, isUrgent } from '../../../src/activities/races/sweep-order';

const NOON = Date.parse('2026-11-21T01:00:00.000Z');
const HOUR = 3_600_000;

const race = (raceId: string, inMs: number, phase = 'card') => ({
  raceId,
  phase,
  startTime: new Date(NOON + inMs).toISOString(),
});

test('running races come first, then those nearest to now on either side', () => {
  const races = [
    race('tomorrow', 25 * HOUR),
    race('old, without its field', -200 * HOUR, 'final'),
    race('in an hour', HOUR),
    race('live, in two hours', 2 * HOUR, 'live'),
    race('without a result', -5 * HOUR, 'jumped'),
    race('under protest', -3 * HOUR, 'interim'),
    race('half an hour late', -HOUR / 2),
  ];
  expect(inSweepOrder(races, NOON).map(({ raceId }) => raceId)).toEqual([
    'live, in two hours',
    'under protest',
    'without a result',
    'half an hour late',
    'in an hour',
    'tomorrow',
    'old, without its field',
  ]);
});

test('5,000 old races that wait for their field delay none of today’s 2,000', () => {
  const old = Array.from({ length: 5000 }, (_, i) => race(`old ${i}`, -(30 + i / 25) * HOUR, 'final'));
  const today = Array.from({ length: 2000 }, (_, i) => race(`today ${i}`, (i / 100) * HOUR, i < 600 ? 'live' : 'card'));
  const order = inSweepOrder([...old, ...today], NOON).map(({ raceId }) => raceId);
  expect(order).toHaveLength(7000);
  expect(order.slice(0, 2000)).toEqual(today.map(({ raceId }) => raceId));
});

test('races that are live, or would be, or have no result yet are urgent; the others are started more slowly', () => {
  expect(isUrgent(race('live', 2 * HOUR, 'live'), NOON)).toBe(true);
  expect(isUrgent(race('near', 2 * HOUR), NOON)).toBe(true);
  expect(isUrgent(race('without a result', -5 * HOUR, 'jumped'), NOON)).toBe(true);
  expect(isUrgent(race('this evening', 7 * HOUR), NOON)).toBe(false);
  expect(isUrgent(race('waits for its field', -HOUR, 'final'), NOON)).toBe(false);
});
