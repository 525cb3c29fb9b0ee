// The effects that a change of the race's state requires. Derived from the difference between two states, so that a
// handler can neither forget an effect nor repeat one.
import type { RaceEffect, RaceState } from './race-state';

type Rule = (before: RaceState, after: RaceState) => RaceEffect | null;

const differs = <K extends keyof RaceState>(before: RaceState, after: RaceState, ...keys: K[]): boolean =>
  keys.some((key) => before[key] !== after[key]);

const controlOf = ({ epoch, tier, advertisedStart, startVersion, abandonmentVersion }: RaceState): RaceEffect => ({
  do: 'set_control',
  epoch,
  tier,
  advertisedStart,
  closed: tier === 'none',
  startVersion,
  abandonmentVersion,
});

const setControl: Rule = (before, after) =>
  differs(before, after, 'epoch', 'tier', 'advertisedStart', 'startVersion', 'abandonmentVersion')
    ? controlOf(after)
    : null;

/** Whether a control row is due only because of the version of a start: the start moved and moved back. */
export const onlyStartVersionDiffers = (before: RaceState, after: RaceState): boolean =>
  differs(before, after, 'startVersion') &&
  !differs(before, after, 'epoch', 'tier', 'advertisedStart', 'abandonmentVersion');

const writeAbandoned: Rule = (before, after) =>
  after.phase === 'abandoned' && differs(before, after, 'phase', 'note')
    ? { do: 'write_abandoned', note: after.note! }
    : null;

const reinstate: Rule = (before, after) =>
  before.phase === 'abandoned' && after.phase !== 'abandoned' ? { do: 'reinstate' } : null;

const savePhase: Rule = (before, after) =>
  differs(before, after, 'phase', 'jumpedAt', 'leftBoardAt')
    ? { do: 'save_phase', phase: after.phase, jumpedAt: after.jumpedAt, leftBoardAt: after.leftBoardAt }
    : null;

const finalise: Rule = (before, after) =>
  after.phase === 'final' && before.phase !== 'final' ? { do: 'finalise', placingsKey: after.placingsKey! } : null;

const fieldText = (state: RaceState): string => JSON.stringify(state.field);

const saveField: Rule = (before, after) =>
  after.field !== null && (fieldText(before) !== fieldText(after) || differs(before, after, 'lastFieldPassAt'))
    ? { do: 'save_field', field: after.field, lastPassAt: after.lastFieldPassAt }
    : null;

const runFieldPass: Rule = (before, after) =>
  after.fieldPassAskedAt !== null && differs(before, after, 'fieldPassAskedAt')
    ? { do: 'run_field_pass', at: after.fieldPassAskedAt }
    : null;

const close: Rule = (before, after) => (after.over && !before.over ? { do: 'close' } : null);

/** Pollers are stopped before anything is written; the row exists before its field state is. */
const IN_ORDER: readonly Rule[] = [
  setControl,
  writeAbandoned,
  reinstate,
  savePhase,
  finalise,
  saveField,
  runFieldPass,
  close,
];

/**
 * Everything that the state means for a database that was restored from a backup, except what only a collector can
 * fill.
 */
export function wholeState(state: RaceState): RaceEffect[] {
  const { phase, jumpedAt, leftBoardAt, placingsKey, field, lastFieldPassAt: lastPassAt } = state;
  return [
    controlOf(state),
    phase === 'abandoned' ? { do: 'write_abandoned', note: state.note! } : { do: 'reinstate' },
    { do: 'save_phase', phase, jumpedAt, leftBoardAt },
    ...(phase === 'final' ? [{ do: 'finalise', placingsKey: placingsKey! } as const] : []),
    ...(field === null ? [] : [{ do: 'save_field', field, lastPassAt } as const]),
  ];
}

export function effectsOf(before: RaceState, after: RaceState): RaceEffect[] {
  return IN_ORDER.map((rule) => rule(before, after)).filter((effect) => effect !== null);
}
