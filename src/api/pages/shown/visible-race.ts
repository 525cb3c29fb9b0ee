// Stored rows as the board receives them: only books, prices and market state that customers may see (A 1, A 3), by the
// same best line, placeholder rule and staleness as the API's responses. Pure.
import { bookmaker } from '../../../domain/bookmakers';
import { jumpBasis } from '../../../domain/lifecycle/jump-basis';
import { type BestLine, bestWin } from '../../../domain/prices/best-price';
import { isShown } from '../../../domain/race/board-state';
import { placePriceOf, placesPaidOf } from '../../../domain/results/places-paid';
import type { ResultRunner } from '../../../domain/results/result';
import { staleFromMs } from '../../../domain/time/stale-from';
import type { OutcomeRow } from '../../../store/reads/live-board';
import type { BoardBook } from '../../../store/reads/races/board';
import type { LiveRace } from '../../../store/reads/races/find-races';
import type { RaceName } from '../../../store/reads/races/race-window';
import type { RaceOutcome } from '../../../web/board/model';
import type { RaceTitle } from '../../../web/board/race-title';
import type { VisibleRace, VisibleTote } from '../../../web/board/source';
import { CUSTOMERS, type MarketState, marketStateFor } from '../../kernel/endpoint/visibility';
import { bestLines, type RunnerLines } from '../../operations/prices/present-best-lines';
import { quoteFreshness } from '../../wire/present-freshness';

const instantMs = (at: string | null): number | null => (at === null ? null : Date.parse(at));

const NO_LINE: BestLine = bestWin([]);

export const titleOfRow = (row: RaceName): RaceTitle => ({
  raceId: row.race_id,
  category: row.category,
  country: row.country,
  venue: row.venue,
  raceNumber: row.race_number,
  startMs: Date.parse(row.start_time),
});

/** Without prices once it is off the board (D63), unless it keeps the last ones. */
export function visibleRaceOf(
  row: LiveRace,
  nowMs: number,
  onBoard = isShown('listed', row, nowMs),
  keepsPrices = onBoard,
): VisibleRace {
  const books = keepsPrices ? row.books : [];
  const jumpedMs = instantMs(row.jumped_at);
  const { runners: lines, anyBooks, marketPct } = bestLines({ ...row, books }, nowMs);
  const lineOf = new Map(lines.map((line) => [line.runner.number, line]));
  const ageOf = (book: BoardBook) => ({
    stale: quoteFreshness(book, row.startMs, nowMs).stale,
    staleFromMs: staleFromMs(book.polledAtMs, row.startMs, nowMs, bookmaker(book.bookmaker)),
  });
  const toteOf = (tote: RunnerLines['tote'] | undefined): VisibleTote | null =>
    tote
      ? {
          amount: tote.price,
          product: tote.product,
          bookmaker: tote.bookmaker,
          polledAtMs: tote.book.polledAtMs,
          ...ageOf(tote.book),
        }
      : null;
  return {
    ...titleOfRow(row),
    startMs: row.startMs,
    onBoard,
    keepsPrices,
    abandoned: row.status === 'abandoned',
    marketStatus: marketStateFor(CUSTOMERS, row).market_status,
    jumpedMs,
    jumpBasis: jumpedMs === null ? null : basisOf(row, jumpedMs),
    raceName: row.race_name,
    distanceM: row.distance_m,
    trackCondition: row.track_condition,
    trackChangedMs: instantMs(row.track_condition_changed_at),
    weather: row.weather,
    raceClass: row.race_class,
    rail: row.rail,
    prizeTotal: row.prize_total,
    placesPaid: row.places_paid,
    runners: row.runners.map((runner) => {
      const {
        win = NO_LINE,
        place = NO_LINE,
        top2 = NO_LINE,
        top3 = NO_LINE,
        top4 = NO_LINE,
        tote,
      } = lineOf.get(runner.number) ?? {};
      const scratchedMs = instantMs(runner.scratchedAt);
      return { ...runner, scratchedMs, win, place, legs: { top2, top3, top4 }, tote: toteOf(tote) };
    }),
    books: anyBooks.map((book) => ({ ...book, ...ageOf(book) })),
    compared: books.filter(({ bookmaker }) => CUSTOMERS.compared.includes(bookmaker)),
    bestMarketPct: keepsPrices ? marketPct : null,
  };
}

/** How the jump of the race is known, by the market state that customers may see. */
export function basisOf(row: MarketState & Pick<LiveRace, 'startMs'>, jumpedMs: number) {
  const closedMs = instantMs(marketStateFor(CUSTOMERS, row).market_closed_at);
  return jumpBasis({ jumpedMs, startMs: row.startMs, closedMs });
}

export function outcomeOf(row: OutcomeRow): RaceOutcome {
  const paid = placesPaidOf(row);
  const positions = row.placings.map((placing) => placing.position);
  const dividends = row.dividends as Pick<RaceOutcome, 'straight' | 'exotics'> | null;
  return {
    ...titleOfRow(row),
    status: row.status,
    note: row.status_note,
    protest: row.protest,
    resultedMs: instantMs(row.resulted_at),
    placings: row.placings.map((placing) => ({
      position: placing.position,
      number: placing.number,
      name: placing.name,
      deadHeat: positions.filter((position) => position === placing.position).length > 1,
      win: placing.win_price,
      place: placePriceOf(placing, paid),
      ...ranOf(row.runners?.find((runner) => runner.number === placing.number)),
    })),
    straight: dividends?.straight ?? [],
    exotics: dividends?.exotics ?? [],
  };
}

/** Of the full field, once it is collected. */
const ranOf = (runner: ResultRunner | undefined) => ({
  sp: runner?.sp ?? null,
  margin: runner?.margin ?? null,
  timeSeconds: runner?.time_s ?? null,
});
