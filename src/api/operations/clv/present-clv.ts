// Presents scored bets (A 4.13). The summary is computed from the figures shown, so that a client can check it; money
// is summed before it is rounded.
import type { Static } from '@sinclair/typebox';
import { CLOSING_SECONDS } from '../../../domain/clv/closing-line';
import { clvPct, type Reference } from '../../../domain/clv/measure';
import { summaryOf } from '../../../domain/clv/summary';
import { toCents } from '../../../domain/half-up';
import { horseRef } from '../../../domain/race/runner';
import type { Settlement } from '../../../domain/settlement/settle-bet';
import { presentName } from '../../wire/present-race';
import { roundPct, roundPrice } from '../../wire/rounded';
import type { BetScore } from './clv';
import type { ClvReport, ResultReason, UnscoredReason } from './clv-report-schema';
import { isUuid } from './clv-subject';

type Wire = Static<typeof ClvReport>;
type Row = Wire['bets'][number];

export function presentClv(scores: readonly BetScore[], reference: Reference): Wire {
  const bets = scores.map((score, index) => presentScore(score, index, reference));
  return {
    reference,
    closing_line_seconds: CLOSING_SECONDS,
    summary: presentSummary(scores, bets),
    bets,
  };
}

function presentSummary(scores: readonly BetScore[], rows: readonly Row[]): Wire['summary'] {
  const all = summaryOf(
    scores.map(({ stake, settlement }, i) => {
      const { clv_pct, result } = rows[i]!;
      return { clvPct: clv_pct, result, stake, pnl: settlement?.profit ?? null };
    }),
  );
  return {
    bets: all.bets,
    scored: all.scored,
    settled: all.settled,
    average_clv_pct: roundPct(all.averageClvPct),
    median_clv_pct: roundPct(all.medianClvPct),
    beat_close: all.beatClose,
    beat_close_pct: roundPct(all.beatClosePct),
    won: all.won,
    lost: all.lost,
    refunded: all.refunded,
    win_pct: roundPct(all.winPct),
    staked: cents(all.staked),
    pnl: cents(all.pnl),
    roi_pct: roundPct(all.roiPct),
    flat_roi_pct: roundPct(all.flatRoiPct),
  };
}

const cents = (amount: number | null): number | null => (amount === null ? null : toCents(amount));

function presentScore(score: BetScore, index: number, reference: Reference): Row {
  const { bet, bookmaker, stake } = score;
  const measured = presentMeasure(score, reference);
  const result = presentResult(score);
  return {
    index,
    ref: bet.ref ?? null,
    ...presentSubject(score),
    market: score.market,
    price: bet.price,
    stake,
    bookmaker,
    placed_at: bet.placed_at ?? null,
    ...measured,
    ...result,
    note: noteOf(measured.reason, result, score),
    candidates: score.candidates?.map(presentName) ?? null,
  };
}

/** The stored facts of race and runner; those of the bet if they were not found. */
function presentSubject({ bet, race, runner, jumpMs }: BetScore) {
  const found = race ?? { category: null, country: null, start_time: null };
  const { runner_name = null, runner_number = null, runner_ref = null } = bet;
  const name = runner?.name ?? runner_name;
  return {
    race_id: race?.race_id ?? (isUuid(bet.race_id ?? '') ? bet.race_id! : null),
    venue: race?.venue ?? bet.venue ?? null,
    meeting_date: race?.meeting_date ?? bet.meeting_date ?? null,
    race_number: race?.race_number ?? bet.race_number ?? null,
    category: found.category,
    country: found.country,
    start_time: found.start_time,
    jump_at: jumpMs === null ? null : new Date(jumpMs).toISOString(),
    runner_number: runner?.number ?? runner_number,
    runner_name: name,
    runner_ref: runner ? runner.runnerRef : runner_ref,
    horse_ref: race && runner && horseRef(runner.name, race.category),
  };
}

function presentMeasure({ bet, bookmaker, closes, close, reason }: BetScore, reference: Reference) {
  const clv = close === null || reason !== null ? null : roundPct(clvPct(bet.price, close.price));
  return {
    measured_against: bookmaker === null ? reference : ('bookmaker' as const),
    // A book's own price is not rounded, a computed median is.
    close_price: close?.bookmaker ? close.price : roundPrice(close?.price ?? null),
    close_bookmaker: close?.bookmaker ?? null,
    close_secs_to_jump: close?.secsToJump ?? null,
    is_closing_line: close?.isClosingLine ?? null,
    best_close_price: closes?.best?.closePrice ?? null,
    best_close_bookmaker: closes?.best?.bookmaker ?? null,
    median_close_price: roundPrice(closes?.median ?? null),
    books_in_close: closes?.books ?? null,
    clv_pct: clv,
    beat_close: clv === null ? null : clv > 0,
    reason,
  };
}

type Result = Pick<
  Row,
  'result' | 'result_status' | 'dead_heat' | 'deduction' | 'deduction_assumed' | 'pnl' | 'result_reason'
>;

function presentResult({ race, runner, reason, settlement }: BetScore): Result {
  const result_status = race?.outcome?.status ?? null;
  const none = { result_status, dead_heat: null, deduction: null, deduction_assumed: null };
  if (settlement === null) {
    const missing = race?.country === 'HK' ? 'not_covered' : 'not_resulted';
    return { ...none, result: null, pnl: null, result_reason: runner === null ? (reason as ResultReason) : missing };
  }
  const { outcome, parts } = settlement;
  const won = outcome === 'won';
  return {
    result: outcome === 'unsettled' ? null : outcome,
    result_status,
    dead_heat: won ? (parts?.tied ?? 1) > 1 : null,
    deduction: settlement.deduction,
    deduction_assumed: won ? doubtsOf(settlement).length > 0 : null,
    pnl: cents(settlement.profit),
    // The other reason of a settlement concerns bets that are refused earlier.
    result_reason: settlement.reason as ResultReason | null,
  };
}

const SENTENCES: Readonly<Record<UnscoredReason | ResultReason, string>> = {
  race_not_found: 'No race matches the bet.',
  race_ambiguous: 'More than one race has this venue, meeting_date and race_number: use race_id.',
  no_card: 'No runners of this race are stored: it was first listed after it had run.',
  runner_not_found: 'No runner of this race matches all the details of the bet.',
  runner_ambiguous: 'More than one runner of this race matches: use runner_number.',
  race_abandoned: 'The race did not run: it has no close, and the stake is refunded.',
  runner_scratched: 'The runner did not start: it has no close, and the stake is refunded.',
  reserve_did_not_run: 'The runner was a reserve that did not gain a start: the stake is refunded.',
  not_jumped: 'The race has not been seen to jump yet.',
  no_close: 'No closing line is stored: no price was captured within 300 s of the jump, or it is no longer kept.',
  last_seen_only: 'This book last showed a price more than 300 s before the jump: it is not a closing line.',
  placeholder_close:
    'This book’s last price was a placeholder: 21 or more, and at least four times the median of the other books.',
  not_resulted: 'The race has no result yet.',
  not_covered: 'Hong Kong races have prices only: their results are not collected.',
  result_not_final: 'The result is interim: it may still change.',
  runner_unknown: 'The result does not include this runner.',
  start_not_proven: 'The result does not prove that this runner started.',
  placings_incomplete: 'The placings do not name the winner.',
  result_contradictory: 'The result contradicts itself on this runner.',
  deduction_unknown: 'The deduction for a scratching is not published for the market of the bet.',
  places_unknown: 'How many places were paid is not known, and it decides this bet.',
  no_place_betting: 'The field was too small for place betting: the stake is refunded.',
};
const ASSUMED =
  'The time of the bet or of a scratching is unknown: the bet counts as struck 60 minutes before the start, and a deduction whose time is ' +
  'unknown applies.';
const MISSING = 'A runner was scratched after the bet and no deduction is published for it: none was applied.';

/** Why the deduction is uncertain. */
function doubtsOf(settlement: Settlement | null): readonly string[] {
  const { deductionsAssumed = false, deductionsMissing = [] } = settlement?.parts ?? {};
  return [...(deductionsAssumed ? [ASSUMED] : []), ...(deductionsMissing.length > 0 ? [MISSING] : [])];
}

function noteOf(reason: UnscoredReason | null, { result_reason }: Result, { settlement }: BetScore): string | null {
  const reasons = [...new Set([reason, result_reason])].flatMap((one) => (one === null ? [] : SENTENCES[one]));
  const notes = [...reasons, ...doubtsOf(settlement)];
  return notes.length === 0 ? null : notes.join(' ');
}
