// `odds replay`: past races as they happened. Across broken connections no event is lost, none comes twice, and nothing
// is charged again.
import type { operations, ReplayBatch, ReplayEvent } from '../../../typescript/src/index.ts';
import { momentOf } from '../board/live.ts';
import { pastLooks, RaceClock, type ShownPast } from '../board/past.ts';
import type { Market } from '../board/quotes.ts';
import { type Frame, raceLines, raceName } from '../board/race-table.ts';
import { watch } from '../board/screen.ts';
import { clientOf } from '../io/client.ts';
import { UsageError } from '../io/failure.ts';
import { type Io, isTerminal } from '../io/io.ts';
import { plain } from '../text/plain.ts';
import { lines } from './follow.ts';

export interface ReplayOptions {
  readonly race?: string;
  readonly date?: string;
  readonly venue?: string;
  readonly from?: string;
  readonly to?: string;
  /** A number or `max`. */
  readonly speed: string;
  readonly market: Market;
  readonly ndjson?: boolean;
  readonly lastEventId?: string;
}

type Selection = NonNullable<operations['racing_replay']['parameters']['query']>;
type Recorded = Extract<ReplayEvent, { event: 'recorded' }>['data'];

export async function replay(io: Io, options: ReplayOptions): Promise<void> {
  const { race: race_id, date, venue, from, to, speed, lastEventId } = options;
  if (race_id === undefined && date === undefined && (from === undefined || to === undefined))
    throw new UsageError('Choose races: --race, --date, or --from and --to.');
  let credits = 0;
  // A connection that goes on costs nothing more.
  const client = clientOf(io, (headers) => {
    credits = Number(headers.get('X-Credits-Cost')) || credits;
  });
  const query = Object.fromEntries(
    Object.entries({ race_id, date, venue, from, to, speed }).filter(([, value]) => value !== undefined),
  ) as Selection;
  const { signal } = io;
  const batches = noted(
    client.replay({ query, signal, ...(lastEventId !== undefined && { lastEventId }) }),
    (recorded) =>
      io.err.write(
        recordedLines(recorded, credits, io.env.ODDS_API_URL ?? '')
          .map((line) => `${plain(line)}\n`)
          .join(''),
      ),
  );
  const isTable = race_id !== undefined && lastEventId === undefined && !options.ndjson && isTerminal(io.out, io.env);
  if (isTable) return table(io, batches, options);
  for await (const { events } of batches) await lines(io, events);
}

/** The same batches; the first event is noted before it is passed on. */
async function* noted(
  batches: AsyncIterable<ReplayBatch>,
  onRecorded: (recorded: Recorded) => void,
): AsyncGenerator<ReplayBatch> {
  for await (const batch of batches) {
    for (const one of batch.events) if (one.event === 'recorded') onRecorded(one.data);
    yield batch;
  }
}

const LEFT_OUT: Readonly<Record<string, string>> = {
  on_board: 'still on the live board',
  not_archived: 'not archived yet',
  flagged: 'perhaps stored as two races',
  no_prices: 'without a recorded price',
};

function recordedLines(recorded: Recorded, credits: number, address: string): string[] {
  const { race_count: count, until, left_out: leftOut, bookmakers_without_prices: without } = recorded;
  const races = `${count} ${count === 1 ? 'race' : 'races'}${until === null ? '' : ` until ${timeText(until)}`}`;
  const reasons = [...new Set<string>(leftOut.map(({ reason }) => reason))].map(
    (one) => `${leftOut.filter(({ reason }) => reason === one).length} ${LEFT_OUT[one] ?? one}`,
  );
  const head = [
    `${races}, for ${credits} credits`,
    ...(reasons.length === 0 ? [] : [`not played: ${reasons.join(', ')}`]),
  ];
  if (count === 0) return [...head, `nothing to play: ${address.replace(/\/+$/, '')}/past has the days of the archive`];
  return [
    ...head,
    ...(without.length === 0 ? [] : [`no recorded prices: ${without.join(', ')}`]),
    `not recorded: ${recorded.not_recorded.join(', ')}`,
  ];
}

const timeText = (instant: string): string => `${instant.slice(0, 19).replace('T', ' ')} UTC`;

function table(io: Io, batches: AsyncIterable<ReplayBatch>, { speed, market }: ReplayOptions): Promise<void> {
  const clock = new RaceClock(speed === 'max' ? 0 : Number(speed));
  return watch(io, pastLooks(batches, clock), (shown, frame) => pastLines(shown, { speed, market }, frame));
}

function pastLines(
  shown: ShownPast,
  { speed, market }: Pick<ReplayOptions, 'speed' | 'market'>,
  frame: Frame,
): string[] {
  const { race, result, gone, clock } = shown;
  const time = `race time ${timeText(new Date(clock.nowMs()).toISOString())}`;
  const head = `${time} · ${speed === 'max' ? 'as fast as it is read' : `${speed} times as fast`}`;
  if (race === null) return [head, 'No price was recorded up to now.'];
  const reason = gone.get(race.race_id);
  return [
    head,
    ...raceLines(race, market, momentOf(shown), frame),
    ...(reason === undefined ? [] : [`${raceName(race)} ${reason === 'abandoned' ? 'was abandoned' : 'has jumped'}.`]),
    ...(result === null ? [] : [plain(`${result.status} result: ${placingsText(result)}`)]),
  ];
}

const placingsText = ({ placings }: NonNullable<ShownPast['result']>): string =>
  placings.map(({ position, number, name }) => `${position}: No. ${number}${name ? ` ${name}` : ''}`).join('; ') ||
  'no placings';
