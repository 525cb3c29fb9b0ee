// The rows of one archived race, written within its transaction. Books that customers may not see go to separate tables
// (D42).
import type { ClientBase } from 'pg';
import type { ArchivedRace } from '../../domain/archive/archive-race';
import type { ArchivedLine } from '../../domain/archive/archived-lines';
import type { ArchivedMark } from '../../domain/archive/archived-marks';
import type { ArchivedSummary } from '../../domain/archive/archived-summary';
import type { Rescored } from '../../domain/archive/rescored';
import type { StoredSeries } from '../../domain/archive/stored-race';
import { visibleToCustomers } from '../../domain/bookmakers';
import type { FirstMover } from '../../domain/market/intelligence/first-mover';
import { capturedIn } from './counts';
import { type RaceRow, raceRow } from './race-row';
import type { ArchiveFacts } from './read-race';
import { type Insert, insertAll, manyRows, type StoredColumn } from './rows';

const instant = (ms: number): string => new Date(ms).toISOString();

type Scored = Pick<Rescored, 'runners' | 'close' | 'open'>;
type Runner = ArchivedRace['runners'][number];

function runnerRows(raceId: string, archived: Scored): Insert {
  const { close, open } = archived;
  // An unproven name is in no consensus.
  const of = (map: ReadonlyMap<number, number>, one: Runner): number | null =>
    (one.nameFragmentSuspect || one.card === null ? null : map.get(one.number)) ?? null;
  const booksOf = ({ probabilities, books }: typeof close, one: Runner): number =>
    of(probabilities, one) === null ? 0 : books;
  const opened = (one: Runner): number | null => {
    const probability = of(open.probabilities, one);
    return probability === null ? null : 1 / probability;
  };
  const columns: StoredColumn<Runner>[] = [
    ['runner', 'smallint', ({ runner }) => runner],
    ['number', 'smallint', ({ number }) => number],
    ['runner_key', 'text', ({ runnerKey }) => runnerKey],
    ['name', 'text', ({ card }) => card?.name ?? null],
    ['runner_ref', 'text', ({ runnerRef }) => runnerRef],
    ['finish_position', 'smallint', ({ finishPosition }) => finishPosition],
    ['scratched', 'boolean', ({ scratched }) => scratched],
    ['scratched_at', 'timestamptz', ({ scratchedAt }) => scratchedAt],
    ['name_fragment_suspect', 'boolean', ({ nameFragmentSuspect }) => nameFragmentSuspect],
    ['consensus_close_prob', 'float8', (one) => of(close.probabilities, one)],
    ['books_in_consensus_close', 'smallint', (one) => booksOf(close, one)],
    ['consensus_open_price', 'float8', opened],
    ['books_in_consensus_open', 'smallint', (one) => booksOf(open, one)],
  ];
  return manyRows('archived_runners', [['race_id', 'uuid', raceId]], columns, archived.runners);
}

const LINE: readonly StoredColumn<ArchivedLine>[] = [
  ['runner', 'smallint', ({ of }) => of.runner],
  ['bookmaker_key', 'text', ({ bookmaker }) => bookmaker],
  ['open_win_price', 'float8', ({ openPrice }) => openPrice],
  ['open_secs_to_jump', 'integer', ({ openSecsToJump }) => openSecsToJump],
  ['close_win_price', 'float8', ({ closePrice }) => closePrice],
  ['close_secs_to_jump', 'integer', ({ closeSecsToJump }) => closeSecsToJump],
  ['points_observed', 'integer', ({ points }) => points],
  ['is_closing_line', 'boolean', ({ isClosingLine }) => isClosingLine],
  ['open_is_baseline', 'boolean', ({ openIsBaseline }) => openIsBaseline],
  ['open_place_price', 'float8', ({ openLegs }) => openLegs.place],
  ['close_place_price', 'float8', ({ closeLegs }) => closeLegs.place],
  ['open_top2_price', 'float8', ({ openLegs }) => openLegs.top2],
  ['open_top3_price', 'float8', ({ openLegs }) => openLegs.top3],
  ['open_top4_price', 'float8', ({ openLegs }) => openLegs.top4],
  ['close_top2_price', 'float8', ({ closeLegs }) => closeLegs.top2],
  ['close_top3_price', 'float8', ({ closeLegs }) => closeLegs.top3],
  ['close_top4_price', 'float8', ({ closeLegs }) => closeLegs.top4],
  ['close_found_by', 'text', ({ foundBy }) => foundBy],
  ['close_age_s', 'integer', ({ ageSeconds }) => ageSeconds],
  ['clv_place_price', 'float8', ({ placeClose }) => placeClose?.price ?? null],
  ['clv_place_secs_to_jump', 'integer', ({ placeClose }) => placeClose?.secsToJump ?? null],
];

const EXCHANGE = 'betfair_ex_au';

/** From the exchange's WIN market: the lay price of a runner of race $1 at an instant, from its own ticks. */
export const layPrice = (number: string, at: string): string => `exchange_lay_price($1, ${number}, ${at})`;

const CLOSE_LAY = { name: 'archive-close-lay', text: 'SELECT save_close_lay($1)' };

const split = <R extends { readonly bookmaker: string }>(rows: readonly R[]): [R[], R[]] => [
  rows.filter(({ bookmaker }) => visibleToCustomers(bookmaker)),
  rows.filter(({ bookmaker }) => !visibleToCustomers(bookmaker)),
];

const attributed = (mover: FirstMover) => (mover.status === 'attributed' ? mover : null);
const at = (ms: number | undefined): string | null => (ms === undefined ? null : instant(ms));

const SUMMARY: readonly StoredColumn<ArchivedSummary>[] = [
  ['runner', 'smallint', ({ of }) => of.runner],
  ['consensus_t60', 'float8', ({ analysis }) => analysis.consensus.t60],
  ['consensus_t30', 'float8', ({ analysis }) => analysis.consensus.t30],
  ['consensus_t15', 'float8', ({ analysis }) => analysis.consensus.t15],
  ['consensus_t10', 'float8', ({ analysis }) => analysis.consensus.t10],
  ['consensus_t5', 'float8', ({ analysis }) => analysis.consensus.t5],
  ['consensus_t2', 'float8', ({ analysis }) => analysis.consensus.t2],
  ['consensus_close', 'float8', ({ close }) => close],
  ['close_source', 'text', ({ closeSource }) => closeSource],
  ['books_t60', 'smallint', ({ analysis }) => analysis.booksAt.t60],
  ['books_t15', 'smallint', ({ analysis }) => analysis.booksAt.t15],
  ['books_close', 'smallint', ({ booksClose }) => booksClose],
  ['consensus_high', 'float8', ({ analysis }) => analysis.consensus.high?.price ?? null],
  ['consensus_high_at', 'timestamptz', ({ analysis }) => at(analysis.consensus.high?.atMs)],
  ['consensus_low', 'float8', ({ analysis }) => analysis.consensus.low?.price ?? null],
  ['consensus_low_at', 'timestamptz', ({ analysis }) => at(analysis.consensus.low?.atMs)],
  ['move_from_t60_pct', 'float8', ({ movePct }) => movePct.t60],
  ['move_from_t15_pct', 'float8', ({ movePct }) => movePct.t15],
  ['move_t5_close_pct', 'float8', ({ movePct }) => movePct.t5],
  ['ticks_total', 'integer', ({ ticks }) => ticks],
  ['ticks_last_5m', 'integer', ({ analysis }) => analysis.ticksLast5m],
  ['books_with_history', 'smallint', ({ analysis }) => analysis.breadth.withHistory],
  ['books_firming', 'smallint', ({ analysis }) => analysis.breadth.firming],
  ['books_drifting', 'smallint', ({ analysis }) => analysis.breadth.drifting],
  ['books_unchanged', 'smallint', ({ analysis }) => analysis.breadth.unchanged],
  ['first_mover_bookmaker', 'text', ({ analysis }) => attributed(analysis.firstMover)?.bookmaker ?? null],
  ['first_mover_at', 'timestamptz', ({ analysis }) => at(attributed(analysis.firstMover)?.atMs)],
  ['first_mover_lead_s', 'float8', ({ analysis }) => attributed(analysis.firstMover)?.leadSeconds ?? null],
  [
    'follower_median_lag_s',
    'float8',
    ({ analysis }) => attributed(analysis.firstMover)?.medianFollowerLagSeconds ?? null,
  ],
  ['signal', 'text', ({ signal }) => signal],
  ['best_close_price', 'float8', ({ best }) => best?.price ?? null],
  ['best_close_bookmaker', 'text', ({ best }) => best?.bookmaker ?? null],
  ['best_vs_consensus_pct', 'float8', ({ best }) => best?.vsConsensusPct ?? null],
];

const MARK: readonly StoredColumn<ArchivedMark>[] = [
  ['bookmaker_key', 'text', ({ bookmaker }) => bookmaker],
  ['minutes', 'smallint', ({ minutes }) => minutes],
  ['quoted', 'smallint', ({ quoted }) => quoted],
  ['checked', 'smallint', ({ checked }) => checked],
  ['stale', 'smallint', ({ stale }) => stale],
  ['placeholders', 'smallint', ({ placeholders }) => placeholders],
  ['compared', 'smallint', ({ compared }) => compared],
  ['best', 'smallint', ({ best }) => best],
  ['best_alone', 'smallint', ({ bestAlone }) => bestAlone],
  ['closes', 'smallint', ({ closes }) => closes],
  ['close_sum', 'integer', ({ closeSum }) => closeSum],
  ['fairs', 'smallint', ({ fairs }) => fairs],
  ['fair_sum', 'integer', ({ fairSum }) => fairSum],
];

/** From a race and its runners alone. */
export async function writeFacts(client: ClientBase, race: RaceRow, archived: Scored): Promise<void> {
  await insertAll(client, 'facts-rows', [raceRow(race), runnerRows(race.raceId, archived)]);
}

/** Everything but the price paths. */
export async function writeRows(client: ClientBase, race: RaceRow, archived: ArchivedRace): Promise<void> {
  const { raceId, startTime } = race;
  const fixed = [
    ['start_time', 'timestamptz', startTime],
    ['race_id', 'uuid', raceId],
  ] as const;
  const [shown, withheld] = split(archived.lines);
  await insertAll(client, 'rows', [
    raceRow({ ...race, withheldLines: withheld.length }),
    runnerRows(raceId, archived),
    manyRows('closing_line_rows', fixed, LINE, shown),
    manyRows('withheld_line_rows', fixed, LINE, withheld),
    manyRows('archived_summaries', fixed, SUMMARY, archived.summaries),
    manyRows('archived_marks', [['race_id', 'uuid', raceId]], MARK, archived.marks),
  ]);
  if (withheld.some(({ bookmaker }) => bookmaker === EXCHANGE)) await client.query({ ...CLOSE_LAY, values: [raceId] });
}

const PATHS = {
  name: 'archive-paths',
  text: `SELECT archive_price_paths($1, $2, $3, $4, $5, $6, $7, $8, $9) + archive_withheld_paths($1, $2, $3, $4, $5, $10, $11, $12, $13) AS copied`,
};

/**
 * Copies the ticks of these series, inside the database. Throws if they differ from those that the series were read
 * from.
 */
export async function writePaths(
  client: ClientBase,
  race: ArchiveFacts,
  series: readonly StoredSeries[],
  { of, jumpMs }: ArchivedRace,
): Promise<void> {
  const paired = series.map(({ bookmaker, number, runnerKey }, i) => ({
    bookmaker,
    number,
    runnerKey,
    runner: of[i]!.runner,
  }));
  const keys = split(paired).flatMap((some) => [
    some.map(({ bookmaker }) => bookmaker),
    some.map(({ number }) => number),
    some.map(({ runnerKey }) => runnerKey),
    some.map(({ runner }) => runner),
  ]);
  const values = [race.raceId, race.startTime, instant(jumpMs), race.from, race.until, ...keys];
  const { rows } = await client.query<{ copied: number }>({ ...PATHS, values });
  const ticks = series.reduce((sum, { changes }) => sum + capturedIn(changes), 0);
  if (rows[0]!.copied !== ticks) throw new Error(`${rows[0]!.copied} ticks of race ${race.raceId} instead of ${ticks}`);
}
