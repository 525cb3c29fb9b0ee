// The state of a race at an instant (A 3, D24, D63), from the stored facts and the time alone: it needs no workflow. It
// decides what every surface shows. `race_state` is the same rule in SQL; a property test compares them.
import { visibleToCustomers } from '../bookmakers';
import { BOARD_AFTER_JUMP_SECONDS } from '../time/cadence';
import type { Instant } from './race';

/**
 * `jumped`: until ten minutes after the jump. `abandoned`: until ten minutes after its advertised start or its jump.
 * Afterwards `over`.
 */
export type BoardState = 'ahead' | 'jumped' | 'over' | 'abandoned';

/** As stored. */
export interface BoardFacts {
  readonly start_time: Instant;
  readonly status: string;
  readonly market_status: string | null;
  readonly market_closed_at: Instant | null;
  readonly market_state_source: string | null;
  readonly jumped_at: Instant | null;
  readonly left_board_at: Instant | null;
}

const AHEAD: readonly BoardState[] = ['ahead'];
const TO_TEN_MINUTES: readonly BoardState[] = ['ahead', 'jumped'];
const ON_BOARD: readonly BoardState[] = ['ahead', 'jumped', 'abandoned'];

/** The states that each surface shows. */
export const SHOWN = {
  /** next-to-go, best-odds, scan, movers, the stream, widgets, the sandbox and the strip of the site: one read. */
  board: AHEAD,
  /** The price audit and the check of betslip links. */
  checks: AHEAD,
  /** Consensus and intelligence (A 3). */
  analysis: TO_TEN_MINUTES,
  /** `events` (A 4.1), `changes` (A 2.8), and the prices on the page of a race. */
  listed: ON_BOARD,
  /** The site's list of races that have just jumped. */
  justJumped: ['jumped'],
  /** `markets` has the last prices of every race, but `current` ones only of these. */
  current: AHEAD,
  /** `race.odds_open` and `odds.change`; the triggers have the same in SQL (`migrations/functions/announce_*.sql`). */
  pricesAnnounced: AHEAD,
  /** `race.scratching` and `race.market_closed`, which a jump causes. A result is always announced. */
  cardAnnounced: ON_BOARD,
} as const satisfies Readonly<Record<string, readonly BoardState[]>>;

export type Surface = keyof typeof SHOWN;

const AFTER_JUMP_MS = BOARD_AFTER_JUMP_SECONDS * 1000;
/**
 * A race counts as jumped at the latest this long after its start, whatever is reported: its workflow presumes the jump
 * then (`presumedJumpMs`).
 */
export const LATEST_JUMP_MS = AFTER_JUMP_MS;

/** No race is on the board this long after its advertised start. */
export const LONGEST_ON_BOARD_MS = LATEST_JUMP_MS + AFTER_JUMP_MS;

/**
 * The recorded jump; otherwise the close of the market at the advertised start or later; otherwise the advertised
 * start. While a book reports the market open or suspended, the race is late, up to `LATEST_JUMP_MS`. For every
 * audience, only the market state that customers may see counts (A 1).
 */
export function boardJumpMs(facts: BoardFacts): number {
  const startMs = Date.parse(facts.start_time);
  return Math.min(reportedJumpMs(facts, startMs), startMs + LATEST_JUMP_MS);
}

function reportedJumpMs(facts: BoardFacts, startMs: number): number {
  const { status, market_status, market_closed_at, market_state_source: source, jumped_at } = facts;
  if (jumped_at !== null) return Date.parse(jumped_at);
  const isReported = market_status !== null && source !== null && visibleToCustomers(source);
  if (status === 'abandoned' || !isReported) return startMs;
  if (market_status !== 'CLOSED') return Number.POSITIVE_INFINITY;
  return market_closed_at === null ? startMs : Math.max(startMs, Date.parse(market_closed_at));
}

export function boardState(facts: BoardFacts, nowMs: number): BoardState {
  const jumpMs = boardJumpMs(facts);
  if (facts.left_board_at !== null || nowMs >= jumpMs + AFTER_JUMP_MS) return 'over';
  if (facts.status === 'abandoned') return 'abandoned';
  return facts.jumped_at !== null || nowMs >= jumpMs ? 'jumped' : 'ahead';
}

export const isShown = (surface: Surface, facts: BoardFacts, nowMs: number): boolean =>
  SHOWN[surface].some((state) => state === boardState(facts, nowMs));
