// Every invariant can fail: for each, there is a step that breaks it and no other. Without these steps, an invariant
// that is always true would go unnoticed.
import { INVARIANTS, type RaceEvent, type RaceState } from '../../../src/domain/lifecycle/lifecycle';
import type { FieldStatus } from '../../../src/domain/results/field-coverage';
import { at, finalRace, interimRace, jumpedRace, liveRace, newRace, play } from './race-script';

const card = play(newRace(-600), { type: 'tick', at: at(-600) });
const live = liveRace();
const jumped = jumpedRace();
const interim = interimRace();
const final = finalRace();
const off = play(liveRace(), { type: 'abandoned', note: 'abandoned', at: at(-30) });
const nextEpoch = (race: RaceState) => ({ epoch: race.epoch + 1 });
const withField = (race: RaceState, status: FieldStatus): RaceState => ({
  ...race,
  field: { ...final.field!, status },
});

/**
 * A step by an event of this type from a race to the same race with changed members; `null`: a step that breaks
 * nothing.
 */
type Row = readonly [name: string | null, before: RaceState, over: Partial<RaceState>, type?: RaceEvent['type']];

const JUMP = 'jumpedAt is set once, and taken back only by a reinstatement';
const EPOCH = 'every change of tier is a new epoch';
const POLLERS = 'pollers run on the card and live tiers only';
const UPCOMING = 'an upcoming race is on the board and has not jumped';
const BOARD = 'on the board or left at an instant';
const FINAL = 'final is left only by an operator, or where it was not made so (A 3)';
const PLACINGS = 'placings stand for 30 minutes without a protest before final (A 3)';
const RESULT = 'interim and final have placings and a field state';
const ABANDONED = 'abandoned has a note and a field that is not applicable (A 3)';
const ORDERED = 'the version of the last abandonment never goes back';
const VERSION = 'a start is versioned';
const FIELD = 'field coverage goes one way (A 3)';

const rows: readonly Row[] = [
  ['marketClosedAt is set once (A 2.2)', jumped, { marketClosedAt: at(2) }],
  ['marketClosedAt is set once (A 2.2)', jumped, { marketClosedAt: null }],
  [null, live, { marketClosedAt: at(-9) }],
  ['inplayAt is set once (A 2.2)', { ...live, inplayAt: at(-9) }, { inplayAt: null }],
  [null, live, { inplayAt: at(-9) }],
  [JUMP, jumped, { jumpedAt: at(2) }],
  [JUMP, { ...off, jumpedAt: at(-40) }, { jumpedAt: null }],
  [JUMP, jumped, { jumpedAt: at(2) }, 'reinstated'],
  [null, { ...off, jumpedAt: at(-40) }, { jumpedAt: null }, 'reinstated'],
  ['the epoch never goes back', live, { phase: 'card', tier: 'card', epoch: live.epoch - 1 }],
  [EPOCH, live, { phase: 'card', tier: 'card' }],
  [EPOCH, live, nextEpoch(live)],
  [null, live, { phase: 'card', tier: 'card', ...nextEpoch(live) }],
  ['the clock never goes back', live, { asOf: at(-120.1) }],
  [POLLERS, live, { tier: 'none', ...nextEpoch(live) }],
  [POLLERS, live, { tier: 'card', ...nextEpoch(live) }],
  [POLLERS, jumped, { tier: 'live', ...nextEpoch(jumped) }],
  [POLLERS, final, { tier: 'card', ...nextEpoch(final) }],
  ...[jumped, interim, final].map(
    (race): Row => ['a race that ran has jumped', { ...race, jumpedAt: null }, { asOf: at(50) }],
  ),
  ...[card, live].flatMap((race): Row[] => [
    [UPCOMING, race, { onBoard: false, leftBoardAt: race.asOf }],
    [UPCOMING, race, { jumpedAt: race.asOf }],
  ]),
  [BOARD, live, { leftBoardAt: at(0) }],
  [BOARD, { ...final, leftBoardAt: null }, { asOf: at(50) }],
  ['only a reinstatement brings a race back to the board', final, { onBoard: true, leftBoardAt: null }],
  [null, final, { onBoard: true, leftBoardAt: null }, 'reinstated'],
  [FINAL, final, { phase: 'interim' }],
  [FINAL, final, { phase: 'jumped' }, 'overridden'],
  [FINAL, final, { phase: 'jumped' }, 'notFinal'],
  [null, final, { phase: 'interim' }, 'overridden'],
  [null, final, { phase: 'interim' }, 'notFinal'],
  [PLACINGS, interim, { phase: 'final', asOf: at(34.9) }],
  [PLACINGS, interim, { phase: 'final', asOf: at(60), protest: true }],
  [null, interim, { phase: 'final', asOf: at(35) }],
  ...[interim, final].flatMap((race): Row[] => [
    [RESULT, race, { placingsKey: '' }],
    [RESULT, race, { placingsKey: null }],
    [RESULT, { ...race, field: null }, { asOf: at(50) }],
  ]),
  [ABANDONED, off, { note: null }],
  [ABANDONED, off, { field: null }],
  [ABANDONED, { ...jumped, note: 'x', field: off.field }, { asOf: at(50) }],
  [ORDERED, { ...live, abandonmentVersion: 2 }, { abandonmentVersion: 1 }],
  [null, live, { abandonmentVersion: 1 }],
  [null, live, nextEpoch(live), 'refused'],
  [null, final, { phase: 'jumped' }, 'resultLost'],
  [VERSION, live, { advertisedStart: at(5) }],
  [VERSION, live, { startVersion: 0 }],
  [VERSION, live, { startVersion: 0, advertisedStart: at(5) }],
  [null, live, { startVersion: 2, advertisedStart: at(5) }],
  [FIELD, withField(final, 'overdue'), { field: final.field }],
  [FIELD, withField(jumped, 'pending'), { field: null }],
  [FIELD, withField(final, 'complete'), withField(final, 'unavailable')],
  [FIELD, withField(final, 'unsupported'), { field: final.field }],
  [FIELD, withField(final, 'pending'), withField(final, 'unsupported')],
  [null, withField(final, 'overdue'), withField(final, 'overdue')],
  [null, withField(final, 'pending'), withField(final, 'complete')],
  [null, withField(final, 'unsupported'), withField(final, 'unsupported')],
  [null, withField(jumped, 'complete'), { phase: 'abandoned', note: 'abandoned', field: off.field }],
  [null, off, { ...nextEpoch(off), phase: 'card', tier: 'card', note: null, field: null }],
  ['a race on the board is not over', jumped, { over: true }],
  [null, final, { over: true }],
];

test.each(rows.map((row, i) => [row[0] ?? 'nothing', i] as const))('%s is broken by step %d', (_, i) => {
  const [name, before, over, type = 'tick'] = rows[i]!;
  const event = { type, at: at(60) } as RaceEvent;
  const broken = INVARIANTS.filter(({ holds }) => !holds(before, { ...before, ...over }, event));
  expect(broken.map((one) => one.name)).toEqual(name === null ? [] : [name]);
});

test('every invariant has a step that breaks it', () => {
  const named = new Set(rows.map(([name]) => name));
  expect(INVARIANTS.filter(({ name }) => !named.has(name))).toEqual([]);
});
