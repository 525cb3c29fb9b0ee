// No sequence of events breaks a race: the invariants hold, a replay gives the same states, and JSON loses nothing.
import fc from 'fast-check';
import {
  INVARIANTS,
  initialRace,
  nextDeadline,
  type RaceEvent,
  type RaceState,
  step,
} from '../../../src/domain/lifecycle/lifecycle';
import type { Category } from '../../../src/domain/race/race';
import { runs } from '../../support/property';
import { at, newRace } from './race-script';

const race = fc
  .record({
    category: fc.constantFrom<Category>('horse', 'harness', 'greyhound'),
    country: fc.constantFrom('AU', 'NZ', null),
    minute: fc.integer({ min: -1_000, max: 100 }),
  })
  .map(({ minute, ...over }) => newRace(minute, over));

/** Dense around the jump, where the rules meet, and occasionally days away. */
const minute = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -200, max: 120 }) },
  { weight: 1, arbitrary: fc.integer({ min: -1_000, max: 20_000 }) },
);
const placingsKey = fc.constantFrom('', '1:4|2:2', '1:2|2:4');

const makers: fc.Arbitrary<(when: string) => RaceEvent>[] = [
  fc.constant((when) => ({ type: 'tick', at: when })),
  fc.constant((when) => ({ type: 'marketClosed', at: when })),
  fc.constant((when) => ({ type: 'marketReopened', at: when })),
  fc.constant((when) => ({ type: 'inplay', at: when })),
  fc.constant((when) => ({ type: 'reinstated', at: when })),
  fc.constant((when) => ({ type: 'fieldFilled', at: when })),
  fc.constant((when) => ({ type: 'fieldPassed', at: when })),
  fc.constantFrom('abandoned', 'postponed').map((note) => (when: string) => ({ type: 'abandoned', note, at: when })),
  fc
    .integer({ min: 0, max: 4 })
    .map((version) => (when: string) => ({ type: 'abandoned', note: 'abandoned', version, at: when })),
  fc
    .record({ epoch: fc.integer({ min: 0, max: 5 }), held: fc.option(fc.integer({ min: 0, max: 9 })) })
    .map((refusal) => (when: string) => ({ type: 'refused', ...refusal, at: when })),
  fc.constant((when) => ({ type: 'resultLost', at: when })),
  placingsKey.map((key) => (when: string) => ({ type: 'overridden', placingsKey: key, at: when })),
  fc
    .record({ placingsKey, protest: fc.boolean() })
    .map((check) => (when: string) => ({ type: 'notFinal', ...check, at: when })),
  fc.record({ minute, version: fc.integer({ min: 0, max: 6 }) }).map(({ minute: to, version }) => (when: string) => ({
    type: 'startMoved',
    start: at(to),
    version,
    at: when,
  })),
  fc
    .record({
      stage: fc.constantFrom('interim' as const, 'final' as const, 'abandoned' as const),
      placingsKey,
      protest: fc.boolean(),
    })
    .map((seen) => (when: string) => ({ type: 'resultSeen', ...seen, at: when })),
];

const event = fc.tuple(fc.oneof(...makers), minute).map(([make, when]) => make(at(when)));
/**
 * Events in order of time, as a race usually receives them; and in any order, as retries and queues may deliver them.
 */
const inOrder = fc
  .array(event, { maxLength: 25 })
  .map((events) => [...events].sort((a, b) => Date.parse(a.at) - Date.parse(b.at)));
const events = fc.oneof(inOrder, fc.array(event, { maxLength: 25 }));

function statesOf(from: RaceState, list: readonly RaceEvent[]): RaceState[] {
  const states = [from];
  for (const next of list) states.push(step(states.at(-1)!, next).state);
  return states;
}

function brokenBy(before: RaceState, next: RaceEvent): string[] {
  const { state } = step(before, next);
  return INVARIANTS.filter(({ holds }) => !holds(before, state, next)).map(({ name }) => name);
}

test('the invariants hold after any sequence of events', () => {
  fc.assert(
    fc.property(race, events, (from, list) => {
      const start = step(from, { type: 'tick', at: from.asOf }).state;
      statesOf(start, list).forEach((before, i) => {
        if (list[i]) expect(brokenBy(before, list[i])).toEqual([]);
      });
    }),
    { numRuns: runs(500) },
  );
});

test('deterministic: the same events give the same states, and a carried state continues as if it had not been carried', () => {
  fc.assert(
    fc.property(race, events, fc.nat(), (from, list, cut) => {
      const whole = statesOf(from, list).at(-1)!;
      expect(statesOf(from, list).at(-1)).toEqual(whole);
      const at = list.length === 0 ? 0 : cut % list.length;
      const carried = JSON.parse(JSON.stringify(statesOf(from, list.slice(0, at)).at(-1))) as RaceState;
      expect(statesOf(carried, list.slice(at)).at(-1)).toEqual(whole);
    }),
  );
});

test('a state is plain JSON: nothing is lost by storing it', () => {
  fc.assert(
    fc.property(race, events, (from, list) => {
      const state = statesOf(from, list).at(-1)!;
      expect(JSON.parse(JSON.stringify(state))).toStrictEqual(state);
    }),
  );
});

test('a repeated event has no further effect at the same time', () => {
  fc.assert(
    fc.property(race, events, event, (from, list, last) => {
      const once = statesOf(from, [...list, { type: 'tick', at: last.at }, last]).at(-1)!;
      expect(step(once, last)).toEqual({ state: once, effects: [] });
    }),
  );
});

test('a tick at the next deadline always changes the race, and time alone brings every race to its end', () => {
  fc.assert(
    fc.property(race, events, (from, list) => {
      let state = statesOf(from, list).at(-1)!;
      for (let ticks = 0; ticks < 60; ticks++) {
        const deadline = nextDeadline(state);
        if (deadline === null) break;
        const next = step(state, { type: 'tick', at: deadline.at }).state;
        expect(next).not.toEqual(state);
        state = next;
      }
      expect([state.over, nextDeadline(state)]).toEqual([true, null]);
    }),
  );
});

test('a late tick ends where punctual ticks end', () => {
  const phases = (state: RaceState) => [state.phase, state.onBoard, state.jumpedAt, state.field?.status];
  fc.assert(
    fc.property(race, inOrder, (from, list) => {
      let punctual = statesOf(from, list).at(-1)!;
      const late = step(punctual, { type: 'tick', at: at(100_000) }).state;
      for (let due = nextDeadline(punctual); due !== null; due = nextDeadline(punctual)) {
        if (Date.parse(due.at) > Date.parse(at(100_000))) break;
        punctual = step(punctual, { type: 'tick', at: due.at }).state;
      }
      punctual = step(punctual, { type: 'tick', at: at(100_000) }).state;
      expect(phases(late)).toEqual(phases(punctual));
    }),
  );
});

test('every race begins unpolled, on the card and on the board', () => {
  const { raceId, category, country, advertisedStart, startVersion, asOf } = newRace(-600);
  expect(initialRace({ raceId, category, country, advertisedStart, startVersion, at: asOf })).toMatchObject({
    schema: 1,
    phase: 'card',
    tier: 'none',
    epoch: 0,
    onBoard: true,
    over: false,
  });
});
