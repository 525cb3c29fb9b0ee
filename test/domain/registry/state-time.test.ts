import fc from 'fast-check';
import { REGISTRY_STATES } from '../../../src/domain/registry/registry';
import { stateClock, stateDay, stateInstant } from '../../../src/domain/registry/state-time';

test.each([
  ['NSW', '2026-08-01', '1:40PM', '2026-08-01T03:40:00.000Z'],
  ['NSW', '2026-11-21', '1:40PM', '2026-11-21T02:40:00.000Z'],
  ['TAS', '2026-11-21', '12:05PM', '2026-11-21T01:05:00.000Z'],
  ['ACT', '2026-11-21', '12:05AM', '2026-11-20T13:05:00.000Z'],
  ['QLD', '2026-11-21', '1:40PM', '2026-11-21T03:40:00.000Z'],
  ['SA', '2026-11-21', '1:40PM', '2026-11-21T03:10:00.000Z'],
  ['SA', '2026-08-01', '1:40PM', '2026-08-01T04:10:00.000Z'],
  ['NT', '2026-11-21', '1:40PM', '2026-11-21T04:10:00.000Z'],
  ['WA', '2026-11-21', '1:40PM', '2026-11-21T05:40:00.000Z'],
] as const)('%s on %s at %s', (state, day, clock, instant) => {
  expect(stateInstant(day, clock, state)).toBe(instant);
});

test.each([
  ['2026-11-20T13:05:00.000Z', '12:05AM'],
  ['2026-11-21T00:59:00.000Z', '11:59AM'],
  ['2026-11-21T01:00:00.000Z', '12:00PM'],
  ['2026-11-21T02:40:00.000Z', '1:40PM'],
])('%s shows as %s', (instant, clock) => expect(stateClock(Date.parse(instant), 'NSW')).toBe(clock));

test('a time with blanks around it is read', () => {
  expect(stateInstant('2026-11-21', ' 1:40 pm ', 'NSW')).toBe('2026-11-21T02:40:00.000Z');
});

test.each(['13:00PM', '0:10AM', '1:60PM', '1.40PM', '', 'TBA'])('%p is not a time', (text) => {
  expect(stateInstant('2026-11-21', text, 'NSW')).toBeNull();
});

test('the clocks change at 02:00 standard time on the first Sunday of October and April', () => {
  expect(stateInstant('2026-10-04', '1:59AM', 'VIC')).toBe('2026-10-03T15:59:00.000Z');
  expect(stateInstant('2026-10-04', '3:00AM', 'VIC')).toBe('2026-10-03T16:00:00.000Z');
  expect(stateInstant('2027-04-04', '1:59AM', 'VIC')).toBe('2027-04-03T14:59:00.000Z');
  expect(stateInstant('2027-04-04', '3:00AM', 'VIC')).toBe('2027-04-03T17:00:00.000Z');
});

test('a displayed time reads back as its instant, except in the hour that occurs twice', () => {
  const minute = fc.integer({ min: Date.UTC(2020, 0) / 60_000, max: Date.UTC(2040, 0) / 60_000 });
  fc.assert(
    fc.property(minute, fc.constantFrom(...REGISTRY_STATES), (minutes, state) => {
      const ms = minutes * 60_000;
      const read = Date.parse(stateInstant(stateDay(ms, state), stateClock(ms, state), state)!);
      expect([0, 3_600_000]).toContain(ms - read);
    }),
  );
});
