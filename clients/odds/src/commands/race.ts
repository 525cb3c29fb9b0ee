// `odds race Randwick 5`: one race, with the prices of every book.
import { ApiError, type OddsClient } from '../../../typescript/src/index.ts';
import { type BoardQuery, lookAgain, lookOnce, momentOf, type Shown } from '../board/live.ts';
import type { Market, Race } from '../board/quotes.ts';
import { raceLines, raceName } from '../board/race-table.ts';
import { frameOf, print, watch } from '../board/screen.ts';
import { clientOf } from '../io/client.ts';
import { CommandError, UsageError } from '../io/failure.ts';
import { type Io, write } from '../io/io.ts';
import { jsonText } from '../text/plain.ts';

export interface RaceOptions {
  readonly date?: string;
  readonly category?: string;
  readonly market: Market;
  readonly watch?: boolean;
  readonly every: number;
  readonly json?: boolean;
}

/** More than a day has at a venue. */
const MOST = 60;
/** The horizons of the plans; without one the service looks a day ahead, which every plan may. */
const HOURS_AHEAD = [168, 48, undefined];

export async function race(io: Io, venue: string, number: number, options: RaceOptions): Promise<void> {
  const { date, category, market, every } = options;
  const when = date === undefined ? HOURS_AHEAD.map((hours_ahead) => ({ hours_ahead })) : [{ date }];
  const which = { venue: [venue], num_races: MOST, ...(category && { categories: [category] }) };
  const client = clientOf(io);
  const { signal } = io;
  const queries = when.map((one) => ({ ...which, ...one }) as BoardQuery);
  const { query, ...first } = await lookAsFarAsAllowed(client, queries, signal);
  const { race_id: raceId, ...named } = oneOf(first.races, venue, number);
  if (!options.watch) {
    if (options.json) return write(io, `${jsonText({ race_id: raceId, ...named }, 2)}\n`);
    return print(io, raceLines(raceIn(first, raceId)!, market, momentOf(first), frameOf(io)));
  }
  const looks = lookAgain(client, { query: { ...query, categories: [named.category] }, everySeconds: every, signal });
  if (options.json) return jsonOf(io, looks, raceId);
  let kept = raceIn(first, raceId)!;
  await watch(
    io,
    looks,
    (shown, frame) => {
      kept = raceIn(shown, raceId) ?? kept;
      const lines = raceLines(kept, market, momentOf(shown), frame);
      return raceIn(shown, raceId)
        ? lines
        : [...lines, `${raceName(kept)} has left the board: ${reasonOf(shown, raceId)}.`];
    },
    (shown) => !raceIn(shown, raceId),
  );
}

/** A refusal of the horizon is free. */
async function lookAsFarAsAllowed(
  client: OddsClient,
  [query, ...nearer]: BoardQuery[],
  signal: AbortSignal,
): Promise<Shown & { readonly query: BoardQuery }> {
  try {
    return { ...(await lookOnce(client, { query: query!, signal })), query: query! };
  } catch (error) {
    const isTooFar = error instanceof ApiError && error.code === 'horizon_exceeded';
    if (!isTooFar || nearer.length === 0) throw error;
    return lookAsFarAsAllowed(client, nearer, signal);
  }
}

const raceIn = ({ races }: Pick<Shown, 'races'>, raceId: string): Race | undefined =>
  races.find(({ race_id }) => race_id === raceId);

const REASONS: Readonly<Record<string, string>> = {
  jumped: 'it has jumped',
  abandoned: 'it was abandoned',
  left: 'no book prices it now, or its start has moved',
};

const reasonOf = ({ gone }: Shown, raceId: string): string =>
  REASONS[gone.get(raceId) ?? ''] ?? 'it has jumped, or no book prices it now';

/** The earliest with this number: a venue may have a meeting on each of several days. */
function oneOf(races: readonly Race[], venue: string, number: number): Race {
  const found = races.filter(({ race_number }) => race_number === number);
  const [first] = found;
  if (!first) {
    const numbers = [...new Set(races.map(({ race_number }) => race_number))].sort((a, b) => a - b);
    throw new CommandError(
      numbers.length === 0
        ? `No race to come is priced at ${venue} within the hours that your plan looks ahead. \`odds next\` lists what there is.`
        : `Race ${number} at ${venue} is not to come. These are: ${numbers.join(', ')}.`,
    );
  }
  const categories = new Set(found.map(({ category }) => category));
  if (categories.size > 1)
    throw new UsageError(
      `${venue} has race ${number} of several categories: add --category ${[...categories].join(' or ')}.`,
    );
  return first;
}

/** A line for each look, until the race has left the board. */
async function jsonOf(io: Io, looks: AsyncIterable<Shown>, raceId: string): Promise<void> {
  for await (const shown of looks) {
    const one = raceIn(shown, raceId);
    if (!one) return;
    await write(io, `${jsonText(one)}\n`);
  }
}
