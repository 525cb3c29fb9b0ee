// Totals of a list of scored bets. Every average is over the bets that have the figure; without one it is null (D3).
import { median } from '../market/median';

export interface ScoredBet {
  /** Percent; null: not scored. */
  readonly clvPct: number | null;
  /** Null: not settled. */
  readonly result: 'won' | 'lost' | 'refunded' | null;
  readonly stake: number;
  /** In the stake's unit; null: not settled. */
  readonly pnl: number | null;
}

export interface ClvSummary {
  readonly bets: number;
  readonly scored: number;
  readonly settled: number;
  readonly averageClvPct: number | null;
  readonly medianClvPct: number | null;
  readonly beatClose: number;
  /** Percent of the scored. */
  readonly beatClosePct: number | null;
  readonly won: number;
  readonly lost: number;
  readonly refunded: number;
  /** Percent of won and lost. */
  readonly winPct: number | null;
  /** Stakes of won and lost bets: a returned stake was never at risk. Null, as the two below, without such a bet. */
  readonly staked: number | null;
  readonly pnl: number | null;
  /** Percent of `staked`. */
  readonly roiPct: number | null;
  /** As if every one of those bets had had the same stake. */
  readonly flatRoiPct: number | null;
}

/** Unrounded. */
export function summaryOf(bets: readonly ScoredBet[]): ClvSummary {
  const clv = bets.flatMap(({ clvPct }) => (clvPct === null ? [] : [clvPct]));
  const beatClose = clv.filter((pct) => pct > 0).length;
  const count = (result: ScoredBet['result']) => bets.filter((bet) => bet.result === result).length;
  const won = count('won');
  const lost = count('lost');
  const refunded = count('refunded');
  return {
    bets: bets.length,
    scored: clv.length,
    settled: won + lost + refunded,
    averageClvPct: mean(clv),
    medianClvPct: median(clv),
    beatClose,
    beatClosePct: clv.length === 0 ? null : (100 * beatClose) / clv.length,
    won,
    lost,
    refunded,
    winPct: won + lost === 0 ? null : (100 * won) / (won + lost),
    ...returnsOf(bets.filter(({ result }) => result === 'won' || result === 'lost')),
  };
}

function returnsOf(played: readonly ScoredBet[]): Pick<ClvSummary, 'staked' | 'pnl' | 'roiPct' | 'flatRoiPct'> {
  if (played.length === 0) return { staked: null, pnl: null, roiPct: null, flatRoiPct: null };
  const staked = sum(played.map(({ stake }) => stake));
  const pnl = sum(played.map((bet) => bet.pnl ?? 0));
  const flat = played.map((bet) => (100 * (bet.pnl ?? 0)) / bet.stake);
  return { staked, pnl, roiPct: (100 * pnl) / staked, flatRoiPct: mean(flat) };
}

/** Smallest first, so that the order of the bets does not matter to the last bit. */
const sum = (values: readonly number[]): number => [...values].sort((a, b) => a - b).reduce((all, one) => all + one, 0);

const mean = (values: readonly number[]): number | null => (values.length === 0 ? null : sum(values) / values.length);
