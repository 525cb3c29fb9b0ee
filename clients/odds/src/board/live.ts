// The races as they change: by the stream where the plan has it, otherwise by calls at even distances. Ages are of the
// service's clock.
import {
  Board,
  ForbiddenError,
  type OddsClient,
  type operations,
  type StreamBatch,
  type StreamEvent,
} from '../../../typescript/src/index.ts';
import { pause } from '../io/pause.ts';
import { ServiceClock } from './clock.ts';
import type { Moment, Race } from './quotes.ts';

/** Until the stream states other thresholds: seconds, as the API documents them. */
const STALE_AFTER = { live: 120, card: 1800 };

export type BoardQuery = NonNullable<operations['next_to_go']['parameters']['query']>;

export interface Wanted {
  readonly query: BoardQuery;
  /** Of the calls, where there is no stream. */
  readonly everySeconds: number;
  readonly signal: AbortSignal;
}

export interface Shown {
  /** Next to jump first. */
  readonly races: readonly Race[];
  readonly clock: Pick<ServiceClock, 'nowMs'>;
  readonly staleAfterSeconds: Moment['staleAfterSeconds'];
  /** Of races that have left, why. */
  readonly gone: ReadonlyMap<string, string>;
  /** `stream`, or how often it is called. */
  readonly source: string;
}

export const momentOf = ({ clock, staleAfterSeconds }: Shown): Moment => ({ nowMs: clock.nowMs(), staleAfterSeconds });

/** One answer of `next-to-go`. */
export async function lookOnce(client: OddsClient, { query, signal }: Omit<Wanted, 'everySeconds'>): Promise<Shown> {
  return answerOf(client, { query, signal }, new ServiceClock(), '');
}

/** The races again and again, whenever something has changed. It ends with the reason of the signal, or an error. */
export async function* lookAgain(client: OddsClient, wanted: Wanted): AsyncGenerator<Shown, never, undefined> {
  try {
    return yield* streamed(client, wanted);
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
  }
  const clock = new ServiceClock();
  for (;;) {
    yield await answerOf(client, wanted, clock, `every ${wanted.everySeconds}s`);
    await pause(wanted.everySeconds * 1000, wanted.signal);
  }
}

async function* streamed(client: OddsClient, { query, signal }: Wanted): AsyncGenerator<Shown, never, undefined> {
  const { categories, country } = query;
  const [board, clock, gone] = [new Board(), new ServiceClock(), new Map<string, string>()];
  const batches: AsyncGenerator<StreamBatch, never, undefined> = client.follow({
    query: { ...(categories && { categories }), ...(country && { country }) },
    signal,
  });
  let isWhole = false;
  try {
    for (;;) {
      const { value } = await batches.next();
      board.apply(value);
      for (const event of value.events) {
        note(event, board, clock, gone);
        // While a state comes, a race that is still to come would look as if it had left.
        if (event.event === 'state' || event.event === 'reset') isWhole = event.event === 'state';
      }
      if (!isWhole) continue;
      const races = [...board.races.values()].sort(byStart);
      yield { races, clock, staleAfterSeconds: board.staleAfterSeconds, gone, source: 'stream' };
    }
  } finally {
    // An open stream would keep the process, and cost credits.
    await batches.return(undefined as never);
  }
}

/** What a board does not keep: the service's clock, why a race left, and that a book which has responded is fresh. */
function note(event: StreamEvent, board: Board, clock: ServiceClock, gone: Map<string, string>): void {
  if (event.event === 'race') seeAges(clock, [event.data]);
  if (event.event === 'changes')
    for (const row of event.data.races.flatMap(({ changed_runners }) => changed_runners))
      clock.seenAge(row.updated_at, 0);
  if (event.event === 'gone') gone.set(event.data.race_id, event.data.reason);
  if (event.event !== 'freshness') return;
  for (const { race_id, books } of event.data.races) {
    for (const { last_update } of books) clock.seenAge(last_update, 0);
    const keys = new Set<string>(books.map(({ key }) => key));
    const quotes = board.races.get(race_id)?.runners.flatMap(({ bookmakers }) => bookmakers) ?? [];
    for (const quote of quotes) if (keys.has(quote.key)) quote.stale = false;
  }
}

function seeAges(clock: ServiceClock, races: readonly Race[]): void {
  for (const { last_update, age_seconds } of races.flatMap(({ runners }) => runners).flatMap((one) => one.bookmakers))
    clock.seenAge(last_update, age_seconds);
}

async function answerOf(
  client: OddsClient,
  { query, signal }: Pick<Wanted, 'query' | 'signal'>,
  clock: ServiceClock,
  source: string,
): Promise<Shown> {
  const races = await client.racing.nextToGo({ query, signal });
  seeAges(clock, races);
  return { races, clock, staleAfterSeconds: STALE_AFTER, gone: new Map(), source };
}

const byStart = (a: Race, b: Race): number =>
  Date.parse(a.start_time) - Date.parse(b.start_time) || (a.race_id < b.race_id ? -1 : 1);
