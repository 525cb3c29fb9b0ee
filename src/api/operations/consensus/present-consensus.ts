// Presents the consensus of one race (A 2.5). Rounds; never computes.
import type { Static } from '@sinclair/typebox';
import type {
  ConsensusBook,
  ConsensusRules,
  ConsensusRunner,
  ExcludedQuote,
  RaceConsensus,
} from '../../../domain/market/consensus';
import { horseRef } from '../../../domain/race/runner';
import { staleAfterSeconds } from '../../../domain/time/staleness';
import type { LiveRace } from '../../../store/reads/races/find-races';
import type { RunnerRow } from '../../../store/reads/races/runners';
import { presentScratching } from '../../wire/present-race';
import { roundPct, roundPrice, roundProbability } from '../../wire/rounded';
import type { Consensus } from './consensus-schema';
import { jumpedNote, presentConsensusRace } from './present-consensus-race';

type Wire = Static<typeof Consensus>;

const STALE_RULE =
  `A book is stale ${staleAfterSeconds('live')} s after its last update in the live tier and ${staleAfterSeconds('card')} s ` +
  'after it in the card tier. Stale books are left out unless include_stale is true.';
const FIELD_RULE =
  'The complete field is every runner that is not scratched and that at least one book prices, counting all books that are ' +
  'fresh enough (or all books, if none is), including books that were not requested. An emergency belongs to the field once ' +
  'half of those books price it. A book that prices fewer runners is partial_field.';

export function presentConsensus(race: LiveRace, consensus: RaceConsensus, rules: ConsensusRules, nowMs: number): Wire {
  const { books, runners, fieldSize } = consensus;
  const head = presentConsensusRace(race, nowMs);
  const rows = new Map(race.runners.map((row) => [row.number, row]));
  const excluded = books.filter(({ reason }) => reason !== null);
  return {
    race: head,
    method: presentMethod(rules),
    books_quoting: books.length,
    books_in_consensus: books.length - excluded.length,
    books_excluded: excluded.map(({ bookmaker, reason }) => ({ bookmaker, reason: reason! })),
    bookmakers: books.map(presentBook),
    market: {
      median_overround_pct: roundPct(consensus.medianOverroundPct),
      best_price_market_pct: roundPct(consensus.bestPriceMarketPct),
      median_runner_spread_pct: roundPct(consensus.medianSpreadPct),
      consensus_sum_before_normalisation: roundProbability(consensus.sumBefore),
      field_size: fieldSize,
    },
    runners: runners.map((runner) => presentRunner(rows.get(runner.number)!, runner, race)),
    excluded_quotes: consensus.excludedQuotes.map((quote) => presentExcluded(rows.get(quote.number)!, quote)),
    scratchings: race.runners.filter((runner) => runner.scratched).map(presentScratching),
    note: jumpedNote(head.status),
  };
}

function presentMethod({ method, minBooks, includeStale }: ConsensusRules): Wire['method'] {
  return {
    normalisation: method,
    aggregation: 'median_probability',
    renormalised: true,
    stale_rule: STALE_RULE,
    field_rule: FIELD_RULE,
    min_books: minBooks,
    include_stale: includeStale,
  };
}

function presentBook(book: ConsensusBook): Wire['bookmakers'][number] {
  return {
    bookmaker: book.bookmaker,
    runners_priced: book.runnersPriced,
    overround_pct: roundPct(book.overroundPct),
    age_seconds: book.ageSeconds,
    last_update: new Date(book.polledAtMs).toISOString(),
    refresh_tier: book.tier,
    stale: book.stale,
    included: book.reason === null,
    reason: book.reason,
  };
}

function presentRunner(row: RunnerRow, runner: ConsensusRunner, race: LiveRace): Wire['runners'][number] {
  const { probability, best } = runner;
  return {
    number: row.number,
    name: row.name,
    runner_ref: row.runnerRef,
    horse_ref: horseRef(row.name, race.category),
    scratched: false,
    books: runner.books,
    consensus_prob: roundProbability(probability),
    consensus_price: probability === null ? null : roundPrice(1 / probability),
    median_price: roundPrice(runner.medianPrice),
    mean_price: roundPrice(runner.meanPrice),
    best_price: best?.price ?? null,
    best_bookmaker: best?.bookmaker ?? null,
    worst_price: runner.worstPrice,
    price_spread_pct: roundPct(runner.spreadPct),
    best_vs_consensus_pct: roundPct(runner.bestVsConsensusPct),
    freshest_age_seconds: runner.freshestAgeSeconds,
    oldest_age_seconds: runner.oldestAgeSeconds,
    quotes: runner.quotes.map(({ bookmaker, price, probability: own, ageSeconds }) => ({
      bookmaker,
      price,
      no_vig_prob: roundProbability(own),
      age_seconds: ageSeconds,
    })),
  };
}

function presentExcluded({ name }: RunnerRow, quote: ExcludedQuote): Wire['excluded_quotes'][number] {
  const { bookmaker, number, price, consensus } = quote;
  return { bookmaker, number, name, price, consensus: roundPrice(consensus) };
}
