// The source of the pages of past races, over the store. Every read names the books that customers may see (D42).
import type { CapturedPrices } from '../../domain/market/intelligence/captured';
import type { Day } from '../../domain/race/race';
import { aetDayBounds } from '../../domain/time/aet';
import type { ClosingLineRow } from '../../store/reads/archive/closing-lines';
import type { PriceHistory } from '../../store/reads/archive/price-history';
import type { LiveReads } from '../../store/reads/live-board';
import type { LiveRace } from '../../store/reads/races/find-races';
import type { Reads } from '../../store/reads/reads';
import type { VisibleRace } from '../../web/board/source';
import type { ArchivedClose, PastSource } from '../../web/past/source';
import { CUSTOMERS } from '../kernel/endpoint/visibility';
import { meetingRaceOf } from './meeting-source';
import { atJump } from './shown/at-jump';
import { capturedToJump } from './shown/captured-to-jump';
import { basisOf, outcomeOf, titleOfRow, visibleRaceOf } from './shown/visible-race';

interface PastSourceDeps {
  readonly reads: Pick<Reads, 'archive' | 'meetings'>;
  readonly liveReads: LiveReads;
}

/** More than any race has. */
const MOST_LINES = 5000;

const iso = (ms: number): string => new Date(ms).toISOString();

export function createPastSource({ reads: { archive, meetings }, liveReads }: PastSourceDeps): PastSource {
  const { bookmakers, compared } = CUSTOMERS;
  return {
    async archiveFromMs() {
      const at = await archive.beginsAt('line');
      return at === null ? null : Date.parse(at);
    },
    days: (days) => archive.days(days.map((day) => ({ day, ...boundsOf(day) }))),
    async races(day) {
      const { since, until } = boundsOf(day);
      const rows = await archive.pastRaces(since, until);
      return rows.map((row) => ({
        ...titleOfRow(row),
        outcome: row.outcome,
        resultStatus: row.result_status,
        winners: row.winners,
        closes: row.closes,
        books: row.books,
      }));
    },
    async race(raceId) {
      const [race, history] = await Promise.all([
        liveReads.race(raceId, bookmakers),
        archive.priceHistory(raceId, compared, null),
      ]);
      if (race === null || history === null) return null;
      const selection = { raceId, includeFlagged: true, includeScratched: true };
      const [meeting, outcome, result, details, { rows }] = await Promise.all([
        meetings.ofRace(raceId),
        archive.outcome(raceId),
        liveReads.outcome(raceId),
        liveReads.cardDetails(raceId, bookmakers),
        archive.closingLines(selection, { limit: MOST_LINES, offset: 0 }),
      ]);
      const captured = capturedToJump(history, rows);
      const { track, deductions } = details;
      return {
        race: pastRaceOf(race, captured, history),
        meeting: meeting.map(meetingRaceOf),
        result: result && outcomeOf(result),
        changes: { track: track && { atMs: Date.parse(track.at), previous: track.previous }, deductions },
        outcome,
        source: history.source,
        captured,
        closes: rows.map(closeOf),
      };
    },
  };
}

function boundsOf(day: Day) {
  const { startMs, endMs } = aetDayBounds(day);
  return { since: iso(startMs), until: iso(endMs) };
}

/** With the last captured prices as the books', as of the jump. */
function pastRaceOf(
  row: LiveRace,
  captured: readonly CapturedPrices[],
  { jumpMs, startMs }: PriceHistory,
): VisibleRace {
  const polled = row.books.map((book) => ({ ...book, polledAtMs: jumpMs }));
  const last = atJump({ ...row, startMs, books: polled }, { captured, places: [], polls: [] }, jumpMs);
  const race = visibleRaceOf(last, jumpMs, true);
  const hasRun = row.jumped_at !== null || row.left_board_at !== null || row.status === 'abandoned';
  const jump = hasRun
    ? { jumpedMs: jumpMs, jumpBasis: basisOf({ ...row, startMs }, jumpMs) }
    : { jumpedMs: null, jumpBasis: null };
  return { ...race, ...jump, onBoard: row.left_board_at === null };
}

const closeOf = (row: ClosingLineRow): ArchivedClose => ({
  bookmaker: row.bookmaker_key,
  number: row.runner_number,
  name: row.runner_name,
  scratched: row.scratched,
  openPrice: row.open_win_price,
  openSecsToJump: row.open_secs_to_jump,
  openIsBaseline: row.open_is_baseline,
  closePrice: row.close_win_price,
  closeSecsToJump: row.close_secs_to_jump,
  isClosingLine: row.is_closing_line,
  points: row.points_observed,
  foundBy: row.close_found_by,
  ageSeconds: row.close_age_s,
  compared: CUSTOMERS.compared.includes(row.bookmaker_key) && !row.name_fragment_suspect,
});
