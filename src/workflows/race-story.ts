// The race's story for operators: one line per change, and the table that the Temporal UI shows as current details.
// Derived from two states, so that no handler can forget a line. Pure.

import type { RacePhase, RaceState } from '../domain/lifecycle/lifecycle';
import type { Deadline } from '../domain/lifecycle/race-state';
import type { Instant } from '../domain/race/race';
import { aetClock } from '../domain/time/aet';
import type { RaceInput, StoryLine } from './contract';

/** Enough for any race; old lines are dropped before the details grow past the server's limit. */
const MOST_LINES = 40;

const clock = (at: Instant): string => aetClock(Date.parse(at));

const GIVEN_UP: Readonly<Partial<Record<RacePhase, string>>> = {
  jumped: 'given up without a result',
  interim: 'given up under its protest',
};

type Chapter = (before: RaceState, after: RaceState) => string | null;

const CHAPTERS: readonly Chapter[] = [
  (before, after) =>
    before.startVersion === after.startVersion
      ? null
      : `start moved from ${clock(before.advertisedStart)} to ${clock(after.advertisedStart)}`,
  (before, after) =>
    before.tier === after.tier || after.tier === 'none'
      ? null
      : `polled at the ${after.tier} tier, epoch ${after.epoch}`,
  (before, after) => (!before.marketShut && after.marketShut ? 'market shut' : null),
  (before, after) => (before.marketShut && !after.marketShut && after.jumpedAt === null ? 'market open again' : null),
  (before, after) => (before.jumpedAt === after.jumpedAt ? null : `jumped at ${clock(after.jumpedAt!)}`),
  (before, after) => (before.onBoard && !after.onBoard ? 'left the live board' : null),
  (before, after) => (!before.onBoard && after.onBoard ? 'back on the live board' : null),
  (before, after) =>
    before.placingsKey === after.placingsKey
      ? null
      : `${before.placingsKey === null ? 'placings' : 'placings changed to'} ${after.placingsKey}`,
  (before, after) => (before.protest === after.protest ? null : after.protest ? 'protest lodged' : 'protest settled'),
  (before, after) => (!before.overridden && after.overridden ? 'placings given by an operator' : null),
  (before, after) => (before.phase !== 'final' && after.phase === 'final' ? 'result final' : null),
  (before, after) =>
    before.phase !== 'abandoned' && after.phase === 'abandoned' ? `did not run: ${after.note}` : null,
  (before, after) => (before.phase === 'abandoned' && after.phase !== 'abandoned' ? 'reinstated' : null),
  (before, after) =>
    before.field?.status === after.field?.status ? null : `full field ${after.field?.status ?? 'no longer awaited'}`,
  (before, after) => (!before.over && after.over ? (GIVEN_UP[after.phase] ?? null) : null),
];

/** The story with a line for each change from `before` to `after`. */
export function extendStory(story: readonly StoryLine[], before: RaceState, after: RaceState): StoryLine[] {
  const changes = CHAPTERS.map((chapter) => chapter(before, after)).filter((what) => what !== null);
  return [...story, ...changes.map((what) => ({ at: after.asOf, what }))].slice(-MOST_LINES);
}

/** Markdown for the Temporal UI. */
export function details(input: RaceInput, state: RaceState, story: readonly StoryLine[]): string {
  const title = `**${input.venue} R${input.raceNumber}** · ${input.category} · ${input.country ?? 'country unknown'} · ${input.meetingDate}`;
  const now = `**${state.phase}** since ${clock(state.phaseSince)} · starts ${clock(state.advertisedStart)} · ${state.onBoard ? 'on' : 'off'} the board · field ${state.field?.status ?? 'not yet'}`;
  const rows = story.map(({ at, what }) => `| ${at.slice(0, 19).replace('T', ' ')}Z | ${clock(at)} | ${what} |`);
  return [title, '', now, '', '| UTC | Sydney | what |', '|---|---|---|', ...rows].join('\n');
}

const COMES: Readonly<Record<Deadline['why'], string>> = {
  live_tier: 'live tier',
  jump: 'taken as jumped',
  leave_board: 'off the live board',
  final: 'result final',
  field_pass: 'registry read for the field',
  field_horizon: 'field given up',
  close: 'workflow ends',
};

/** What a timer waits for. A book, a registry or an operator may bring it, or something else, earlier. */
export const timerSummary = ({ why, at }: Deadline): string => `${COMES[why]} no later than ${at}`;
