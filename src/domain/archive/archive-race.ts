// The archive of one race, computed from its stored facts (D43): pure, so the same facts give the same rows. `null`
// members are unknown (D3).
import { visibleToCustomers } from '../bookmakers';
import { jumpMsOf, type RaceJump } from '../clv/closing-line';
import type { FieldRunner } from '../market/consensus-field';
import { isVacantBox } from '../race/runner';
import { type ArchivedConsensus, closeConsensus, openConsensus } from './archived-consensus';
import { type ArchivedLine, archivedLine } from './archived-lines';
import { type ArchivedMark, archivedMarks } from './archived-marks';
import { type ArchivedRunner, archivedRunners } from './archived-runners';
import { type ArchivedSummary, archivedSummaries } from './archived-summary';
import { recentChanges } from './recent-changes';
import { type RunnerOutcome, runnerOutcome } from './runner-outcome';
import type { StoredRace } from './stored-race';

/** `closed`: a customer may see a closing line of the race. Otherwise why there is none. */
export type ArchiveOutcome = 'closed' | 'abandoned' | 'no_prices' | 'prices_after_jump' | 'last_seen_only';

export interface ArchivedRace {
  readonly jumpMs: number;
  readonly outcome: ArchiveOutcome;
  readonly runners: readonly (ArchivedRunner & RunnerOutcome)[];
  /** The runner of each series, aligned to those of the stored race. */
  readonly of: readonly ArchivedRunner[];
  readonly lines: readonly ArchivedLine[];
  readonly close: ArchivedConsensus;
  readonly open: ArchivedConsensus;
  readonly summaries: readonly ArchivedSummary[];
  readonly marks: readonly ArchivedMark[];
}

export function archiveRace(race: StoredRace): ArchivedRace {
  const { card, result, category, abandoned } = race;
  const startMs = Date.parse(race.startTime);
  const jump: RaceJump = { startMs, jumpMs: jumpMsOf(race.startTime, race.marketClosedAt) };
  const { runners, of } = archivedRunners(race);
  const series = race.series.map((one) => recentChanges(one, startMs));
  // A race that did not run has no close.
  const lines = abandoned ? [] : series.flatMap((stored, i) => archivedLine(stored, of[i]!, jump) ?? []);
  const outcomes = runners.map((one) => ({ ...one, ...runnerOutcome(one.number, one.card, result, category) }));
  const field = fieldOf(card, outcomes);
  const close = closeConsensus(lines, field);
  const paired = series.map((stored, i) => ({ stored, of: of[i]! }));
  return {
    jumpMs: jump.jumpMs,
    outcome: outcomeOf(race, lines),
    runners: outcomes,
    of,
    lines,
    close,
    open: openConsensus(lines, field),
    summaries: abandoned ? [] : archivedSummaries({ runners: field, series: paired, lines, close }, jump),
    marks: abandoned ? [] : archivedMarks({ runners: field, series: paired, gaps: race.gaps, lines }, jump),
  };
}

/** Without vacant boxes and runners that the card or the result reports as out. */
export function fieldOf(
  card: StoredRace['card'],
  all: readonly (ArchivedRunner & RunnerOutcome)[],
): readonly FieldRunner[] {
  const out = new Set(all.filter(({ scratched }) => scratched).map(({ number }) => number));
  return card
    .filter(({ number, name, scratched }) => !scratched && !out.has(number) && !isVacantBox(name))
    .map(({ number, emergency }) => ({ number, emergency, scratched: false }));
}

function outcomeOf({ abandoned, series }: StoredRace, lines: readonly ArchivedLine[]): ArchiveOutcome {
  if (abandoned) return 'abandoned';
  const visible = lines.filter(({ bookmaker }) => visibleToCustomers(bookmaker));
  if (visible.some(({ isClosingLine }) => isClosingLine)) return 'closed';
  if (visible.length > 0) return 'last_seen_only';
  return series.some(({ bookmaker }) => visibleToCustomers(bookmaker)) ? 'prices_after_jump' : 'no_prices';
}
