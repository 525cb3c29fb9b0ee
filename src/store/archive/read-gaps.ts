// Reads where the polls of a race's books left gaps, for the age of their quotes at an instant.
import type { ClientBase } from 'pg';
import type { PollGap } from '../../domain/archive/stored-race';
import { millis } from '../reads/races/runners';
import type { ArchiveFacts } from './read-race';

const GAPS = {
  name: 'archive-gaps',
  text: `SELECT bookmaker_key AS bookmaker, ${millis('seen_before')} AS seen, ${millis('at')} AS at FROM race_gaps($1, $2, $3)
    ORDER BY bookmaker_key, at`,
};

/** Epoch milliseconds. */
interface GapRow {
  readonly bookmaker: string;
  readonly seen: string | null;
  readonly at: string;
}

export async function readGaps(client: ClientBase, { raceId, from, until }: ArchiveFacts): Promise<readonly PollGap[]> {
  const { rows } = await client.query<GapRow>({ ...GAPS, values: [raceId, from, until] });
  return rows.map(({ bookmaker, seen, at }) => {
    return { bookmaker, seenMs: seen === null ? Number.NaN : Number(seen), atMs: Number(at) };
  });
}
