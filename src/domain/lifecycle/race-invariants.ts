// Invariants of a race after any sequence of events. Checked by property tests; a workflow may check them too.
import type { FieldStatus } from '../results/field-coverage';
import type { RaceEvent, RacePhase, RaceState } from './race-state';

export interface Invariant {
  readonly name: string;
  readonly holds: (before: RaceState, after: RaceState, event: RaceEvent) => boolean;
}

const onceSet = (key: 'marketClosedAt' | 'inplayAt'): Invariant => ({
  name: `${key} is set once (A 2.2)`,
  holds: (before, after) => before[key] === null || before[key] === after[key],
});

const ran = (phase: RacePhase): boolean => phase === 'jumped' || phase === 'interim' || phase === 'final';

const FIELD_RANK: Readonly<Partial<Record<FieldStatus, number>>> = {
  pending: 0,
  overdue: 1,
  unavailable: 2,
  complete: 3,
};

/** Coverage only moves forward; an abandonment suspends it, and a reinstatement starts it again. */
function fieldMovesForward(before: RaceState, after: RaceState, { type }: RaceEvent): boolean {
  if (type === 'resultLost' || before.field === null || before.phase === 'abandoned' || after.phase === 'abandoned')
    return true;
  if (after.field === null) return false;
  const from = FIELD_RANK[before.field.status];
  const to = FIELD_RANK[after.field.status];
  return from === undefined || to === undefined ? before.field.status === after.field.status : to >= from;
}

export const INVARIANTS: readonly Invariant[] = [
  onceSet('marketClosedAt'),
  onceSet('inplayAt'),
  {
    name: 'jumpedAt is set once, and taken back only by a reinstatement',
    holds: (before, after, { type }) =>
      before.jumpedAt === null ||
      before.jumpedAt === after.jumpedAt ||
      (type === 'reinstated' && before.phase === 'abandoned'),
  },
  { name: 'the epoch never goes back', holds: (before, after) => after.epoch >= before.epoch },
  {
    name: 'every change of tier is a new epoch',
    holds: (before, after, { type }) =>
      type === 'refused' || (before.tier === after.tier) === (before.epoch === after.epoch),
  },
  { name: 'the clock never goes back', holds: (before, after) => Date.parse(after.asOf) >= Date.parse(before.asOf) },
  {
    name: 'pollers run on the card and live tiers only',
    holds: (_, { phase, tier }) => tier === (phase === 'card' || phase === 'live' ? phase : 'none'),
  },
  { name: 'a race that ran has jumped', holds: (_, { phase, jumpedAt }) => !ran(phase) || jumpedAt !== null },
  {
    name: 'an upcoming race is on the board and has not jumped',
    holds: (_, s) => (s.phase !== 'card' && s.phase !== 'live') || (s.onBoard && s.jumpedAt === null),
  },
  { name: 'on the board or left at an instant', holds: (_, s) => s.onBoard === (s.leftBoardAt === null) },
  {
    name: 'only a reinstatement brings a race back to the board',
    holds: (before, after, { type }) => before.onBoard || !after.onBoard || type === 'reinstated',
  },
  {
    name: 'final is left only by an operator, or where it was not made so (A 3)',
    holds: (before, after, { type }) =>
      before.phase !== 'final' ||
      after.phase === 'final' ||
      ((type === 'overridden' || type === 'notFinal') && after.phase === 'interim') ||
      (type === 'resultLost' && after.phase === 'jumped'),
  },
  {
    name: 'placings stand for 30 minutes without a protest before final (A 3)',
    holds: (before, after) =>
      after.phase !== 'final' ||
      before.phase === 'final' ||
      (!after.protest && Date.parse(after.asOf) - Date.parse(after.placingsSince!) >= 30 * 60_000),
  },
  {
    name: 'interim and final have placings and a field state',
    holds: (_, s) => (s.phase !== 'interim' && s.phase !== 'final') || (!!s.placingsKey && s.field !== null),
  },
  {
    name: 'abandoned has a note and a field that is not applicable (A 3)',
    holds: (_, s) => (s.phase === 'abandoned') === (s.field?.status === 'not_applicable' && s.note !== null),
  },
  {
    name: 'the version of the last abandonment never goes back',
    holds: (before, after) => after.abandonmentVersion >= before.abandonmentVersion,
  },
  {
    name: 'a start is versioned',
    holds: (before, after) =>
      after.startVersion > before.startVersion ||
      (after.startVersion === before.startVersion && after.advertisedStart === before.advertisedStart),
  },
  { name: 'field coverage goes one way (A 3)', holds: fieldMovesForward },
  { name: 'a race on the board is not over', holds: (_, s) => !s.over || !s.onBoard },
];
