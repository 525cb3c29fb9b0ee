// `odds follow`: every change as a line of JSON. Across broken connections no event is lost, and none is written twice.
import type { operations } from '../../../typescript/src/index.ts';
import { clientOf } from '../io/client.ts';
import { type Io, write } from '../io/io.ts';
import { jsonText } from '../text/plain.ts';

export interface FollowOptions {
  readonly category?: string[];
  readonly country?: string[];
  readonly lastEventId?: string;
  readonly changes?: boolean;
  readonly since?: string;
  readonly every: number;
}

type Filters = NonNullable<operations['racing_changes_stream']['parameters']['query']>;

export async function follow(io: Io, options: FollowOptions): Promise<void> {
  const { category: categories, country, lastEventId, since, every: everySeconds } = options;
  const query = { categories, country } as Filters;
  const client = clientOf(io);
  const { signal } = io;
  if (options.changes) {
    const batches = client.followChanges({ query, signal, everySeconds, ...(since !== undefined && { since }) });
    for await (const batch of batches)
      await lines(
        io,
        batch.races.map((data) => ({ event: 'changes', since: batch.since, data })),
      );
    return;
  }
  const batches = client.follow({ query, signal, ...(lastEventId !== undefined && { lastEventId }) });
  for await (const { events } of batches) await lines(io, events);
}

export const lines = (io: Io, events: readonly unknown[]): Promise<void> =>
  write(io, events.map((event) => `${jsonText(event)}\n`).join(''));
