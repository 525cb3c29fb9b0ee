// Presents the market analysis of a race (A 2.6). Rounds; never computes.
import type { Static } from '@sinclair/typebox';
import type { RaceIntelligence } from '../../../domain/market/intelligence/analyse';
import { ATTRIBUTION_FLOOR_SECONDS, type FirstMover } from '../../../domain/market/intelligence/first-mover';
import type { PricedAt, RunnerIntelligence } from '../../../domain/market/intelligence/runner';
import { SIGNAL_RULE } from '../../../domain/market/intelligence/signal';
import { horseRef, runnerKey } from '../../../domain/race/runner';
import type { BoardRace } from '../../../store/reads/races/board';
import type { LiveRace } from '../../../store/reads/races/find-races';
import { presentScratching } from '../../wire/present-race';
import { roundPct, roundPrice, roundSeconds } from '../../wire/rounded';
import { jumpedNote, presentConsensusRace } from '../consensus/present-consensus-race';
import type { Intelligence } from './intelligence-schema';

type Wire = Static<typeof Intelligence>;
type WireRunner = Wire['runners'][number];

export const METHOD = {
  consensus:
    'Consensus prices are 1 / probability. The probability is the median, over the books that price the complete field, of each ' +
    'book’s probabilities without margin (power), scaled once to sum to 1, as in the consensus endpoint. Now: without stale ' +
    'books. At a mark: the last price that each book had captured by then; a price first captured within a minute of the opening ' +
    'of the window counts from the opening, and a book that withdrew its prices or stopped responding no longer counts. The ' +
    'current field is used throughout, so that a scratching moves no price.',
  signal_rule: SIGNAL_RULE,
  attribution_floor_seconds: ATTRIBUTION_FLOOR_SECONDS,
};

export function presentIntelligence(race: LiveRace, intelligence: RaceIntelligence, nowMs: number): Wire {
  const { window, marketPct, favourite } = intelligence;
  const head = presentConsensusRace(race, nowMs);
  return {
    race: head,
    window: {
      open: window.open,
      first_tick_at: instantOf(window.firstTickMs),
      ticks_total: window.ticks,
      books_in_ticks: window.booksInTicks,
      marks_available: [...window.marks],
    },
    method: {
      consensus: METHOD.consensus,
      min_books: intelligence.minBooks,
      signal_rule: METHOD.signal_rule,
      attribution_floor_seconds: METHOD.attribution_floor_seconds,
      attribution_excluded_books: [...intelligence.attributionExcluded],
    },
    market: {
      market_pct: { now: roundPct(marketPct.now), t15: roundPct(marketPct.t15), t60: roundPct(marketPct.t60) },
      favourite: {
        now: keyOf(race, favourite.now),
        at_t10: keyOf(race, favourite.t10),
        changed_last_10m: favourite.changed,
      },
      books_in_consensus_now: intelligence.booksNow,
      books_at_t60: intelligence.booksAtT60,
    },
    runners: presentRunners(race, intelligence.runners),
    scratchings: race.runners.filter((runner) => runner.scratched).map(presentScratching),
    note: jumpedNote(head.status),
  };
}

const instantOf = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString());

function keyOf({ runners }: BoardRace, number: number | null): string | null {
  const row = runners.find((runner) => runner.number === number);
  return row ? runnerKey(row.name) : null;
}

export function presentRunners(race: BoardRace, runners: readonly RunnerIntelligence[]): WireRunner[] {
  const rows = new Map(race.runners.map((row) => [row.number, row]));
  return runners.map((runner) => {
    const { number, name, runnerRef } = rows.get(runner.number)!;
    const facts = { number, name, runner_ref: runnerRef, horse_ref: horseRef(name, race.category) };
    return { runner_key: runnerKey(name), ...facts, ...presentFigures(runner) };
  });
}

function presentFigures(runner: RunnerIntelligence) {
  const { consensus, best, breadth } = runner;
  return {
    books_at: runner.booksAt,
    consensus: {
      now: roundPrice(consensus.now),
      t60: roundPrice(consensus.t60),
      t30: roundPrice(consensus.t30),
      t15: roundPrice(consensus.t15),
      t10: roundPrice(consensus.t10),
      t5: roundPrice(consensus.t5),
      t2: roundPrice(consensus.t2),
      high: presentExtreme(consensus.high),
      low: presentExtreme(consensus.low),
    },
    move_from_t60_pct: roundPct(runner.moveFromT60Pct),
    move_from_t15_pct: roundPct(runner.moveFromT15Pct),
    move_last_5m_pct: roundPct(runner.moveLast5mPct),
    move_last_2m_pct: roundPct(runner.moveLast2mPct),
    ticks_last_5m: runner.ticksLast5m,
    best: best && {
      price: best.price,
      bookmaker: best.bookmaker,
      vs_consensus_pct: roundPct(best.vsConsensusPct),
    },
    breadth: {
      quoting: breadth.quoting,
      with_history: breadth.withHistory,
      firming: breadth.firming,
      drifting: breadth.drifting,
      unchanged: breadth.unchanged,
    },
    first_mover: presentFirstMover(runner.firstMover),
    signal: runner.signal,
  };
}

const presentExtreme = (extreme: PricedAt | null) =>
  extreme && { price: roundPrice(extreme.price), at: new Date(extreme.atMs).toISOString() };

const UNDETERMINED = {
  status: 'undetermined' as const,
  bookmaker: null,
  at: null,
  lead_seconds: null,
  median_follower_lag_seconds: null,
  followers: [],
};

function presentFirstMover(mover: FirstMover): WireRunner['first_mover'] {
  if (mover.status === 'undetermined') return { ...UNDETERMINED, reason: mover.reason };
  return {
    status: 'attributed',
    bookmaker: mover.bookmaker,
    at: new Date(mover.atMs).toISOString(),
    lead_seconds: roundSeconds(mover.leadSeconds),
    median_follower_lag_seconds: roundSeconds(mover.medianFollowerLagSeconds),
    followers: [...mover.followers],
    reason: null,
  };
}
