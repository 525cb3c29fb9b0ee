// `odds next`: the next races to jump.
import { type BoardQuery, lookAgain, lookOnce, momentOf, type Shown } from '../board/live.ts';
import { nextLines } from '../board/next-table.ts';
import type { Race } from '../board/quotes.ts';
import { frameOf, print, watch } from '../board/screen.ts';
import { clientOf } from '../io/client.ts';
import { type Io, write } from '../io/io.ts';
import { jsonText } from '../text/plain.ts';
import { sameVenue } from './venue.ts';

export interface NextOptions {
  readonly category?: string[];
  readonly country?: string[];
  readonly venue?: string[];
  readonly limit: number;
  readonly watch?: boolean;
  readonly every: number;
  readonly json?: boolean;
}

export async function next(io: Io, options: NextOptions): Promise<void> {
  const { category: categories, country, venue, limit, every } = options;
  const query = { categories, country, venue, num_races: limit } as BoardQuery;
  const client = clientOf(io);
  const { signal } = io;
  if (options.watch) {
    const looks = lookAgain(client, { query, everySeconds: every, signal });
    if (options.json) return jsonOf(io, looks, options);
    return watch(io, looks, (shown, frame) => [
      `${shown.source} · ${new Date(shown.clock.nowMs()).toISOString().slice(11, 19)} UTC`,
      ...nextLines(chosen(shown, options), momentOf(shown), frame),
    ]);
  }
  const shown = await lookOnce(client, { query, signal });
  if (options.json) return write(io, `${jsonText(shown.races, 2)}\n`);
  return print(io, nextLines(shown.races, momentOf(shown), frameOf(io)));
}

/** The stream has no filter of venues, and no bound. */
const chosen = ({ races }: Shown, { venue, limit }: NextOptions): readonly Race[] =>
  races.filter((race) => venue === undefined || venue.some((name) => sameVenue(race, name))).slice(0, limit);

/** A line for each look. */
async function jsonOf(io: Io, looks: AsyncIterable<Shown>, options: NextOptions): Promise<void> {
  for await (const shown of looks) await write(io, `${jsonText(chosen(shown, options))}\n`);
}
