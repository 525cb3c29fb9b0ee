// Scores bets against the closing line (A 4.13, reference-shapes 11), with two SQL statements for any number of win
// bets and one more for place bets; as many again if the ticks of some of their races are gone and the archive is read.
// A bet's close and its result are independent, so each is returned as soon as it is stored. Unproven facts become a
// reason, never a figure.
import { closingLine } from '../../../domain/clv/closing-line';
import { againstAll, againstBook, type Close, type Reference } from '../../../domain/clv/measure';
import { type BookClose, type RunnerCloses, runnerCloses } from '../../../domain/clv/runner-closes';
import type { ArchivedClose } from '../../../store/reads/archive/archived-closes';
import { captureBound } from '../../../store/reads/prices/captured-prices';
import type { BookSeries } from '../../../store/reads/prices/closing-prices';
import type { Reads } from '../../../store/reads/reads';
import type { Audience } from '../../kernel/endpoint/visibility';
import type { UnscoredReason } from './clv-report-schema';
import { type Bet, type BetSubject, racesNamed, subjectsOf } from './clv-subject';

export interface BetScore extends BetSubject {
  /** Null if no close was looked up. */
  readonly closes: RunnerCloses | null;
  /** With a reason, the close is shown but the bet is not measured against it. */
  readonly close: Close | null;
  readonly reason: UnscoredReason | null;
}

export type ClvReads = Pick<Reads, 'betRaces' | 'closingPrices' | 'archivedCloses'>;

/** In the order of the bets. */
export async function scoreBets(
  reads: ClvReads,
  bets: readonly Bet[],
  reference: Reference,
  audience: Audience,
  nowMs: number,
): Promise<readonly BetScore[]> {
  const subjects = subjectsOf(bets, await reads.betRaces(racesNamed(bets)), nowMs);
  const found = await Promise.all(
    MARKETS.map((market) =>
      closesOf(
        reads,
        market,
        subjects.filter((one) => one.market === market),
        audience,
      ),
    ),
  );
  const closesOn = new Map(found.flatMap((closes) => [...closes]));
  const comparedOn = new Map(
    [...closesOn].map(([key, closes]) => [key, runnerCloses(closes.filter(isCompared(audience)))]),
  );
  return subjects.map((subject): BetScore => {
    if (subject.reason !== null) return { ...subject, closes: null, close: null, reason: subject.reason };
    const key = keyOf(subject);
    const closes = comparedOn.get(key) ?? runnerCloses([]);
    const own = closesOn.get(key)?.find(({ bookmaker }) => bookmaker === subject.bookmaker);
    const measure = subject.bookmaker === null ? againstAll(closes, reference) : againstBook(own, closes);
    return { ...subject, closes, ...measure };
  });
}

/** Excludes a retired book that a bet names from the best and median close. */
const isCompared =
  ({ compared }: Audience) =>
  ({ bookmaker }: BookClose): boolean =>
    compared.includes(bookmaker);

const MARKETS = ['win', 'place'] as const;

const keyOf = ({ market, race, runner }: Pick<BetSubject, 'market' | 'race' | 'runner'>): string =>
  `${market} ${race!.race_id} ${runner!.number}`;

/** For one market, by market, race and runner: the closes of the comparable books and of the books that bets name. */
async function closesOf(
  reads: ClvReads,
  market: BetSubject['market'],
  subjects: readonly BetSubject[],
  { compared }: Audience,
): Promise<ReadonlyMap<string, readonly BookClose[]>> {
  const measurable = new Map(
    subjects.filter(({ reason }) => reason === null).map((subject) => [keyOf(subject), subject]),
  );
  const closes = new Map([...measurable.keys()].map((key): [string, BookClose[]] => [key, []]));
  if (measurable.size === 0) return closes;
  const bookmakers = [...new Set([...compared, ...subjects.flatMap(({ bookmaker }) => bookmaker ?? [])])].sort();
  const [archived, recent] = [true, false].map((isArchived) =>
    [...measurable.values()].filter(({ race }) => (race!.archived_jump_at !== null) === isArchived),
  ) as [BetSubject[], BetSubject[]];
  const found = await Promise.all([
    archived.length === 0 ? [] : reads.archivedCloses({ runners: archived.map(runnerOf), bookmakers, market }),
    recent.length === 0 ? [] : fromTicks(reads, market, recent, bookmakers),
  ]);
  for (const { raceId, number, ...close } of found.flat()) closes.get(`${market} ${raceId} ${number}`)!.push(close);
  return closes;
}

const runnerOf = ({ race, runner }: BetSubject) => ({ raceId: race!.race_id, number: runner!.number });

async function fromTicks(
  reads: ClvReads,
  market: BetSubject['market'],
  subjects: readonly BetSubject[],
  bookmakers: readonly string[],
): Promise<readonly ArchivedClose[]> {
  const races = new Map(
    subjects.map(({ race, jumpMs }) => [race!.race_id, { start: race!.start_time, jumpMs: jumpMs! }]),
  );
  const from = captureBound([...races.values()].map(({ start }) => Date.parse(start)));
  const series = await reads.closingPrices({ runners: subjects.map(runnerOf), bookmakers, from, market });
  return series.flatMap((one) => {
    const { start, jumpMs } = races.get(one.raceId)!;
    const close = closeOf(one, Date.parse(start), jumpMs);
    return close ? [{ raceId: one.raceId, number: one.number, ...close }] : [];
  });
}

function closeOf(series: BookSeries, startMs: number, jumpMs: number): BookClose | null {
  const line = closingLine(series, { startMs, jumpMs });
  return line && { ...line, bookmaker: series.bookmaker };
}
