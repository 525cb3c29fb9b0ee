// The reference of the ingest benchmark: the rows of one poll appended as they come, nothing compared, nothing fenced.
import type { Pool } from 'pg';
import type { FeedRunner } from '../../src/domain/race/feed-race';

/** The same columns, key and partitioning as `price_ticks`. */
export const rawTable = (): string => `
  CREATE TABLE raw_rows (LIKE price_ticks, PRIMARY KEY (race_id, bookmaker_key, runner_number, captured_at));
  SELECT create_hypertable('raw_rows', by_range('captured_at', INTERVAL '1 day'), create_default_indexes => false)`;

const INSERT = `
  INSERT INTO raw_rows (captured_at, race_id, bookmaker_key, runner_number, runner_key, secs_to_jump,
                        win_price, place_price, top2_price, top3_price, top4_price)
  SELECT $1, $2, $3, n.number, n.key, 0, n.win, n.place, n.top2, n.top3, n.top4
    FROM unnest($4::smallint[], $5::text[], $6::float8[], $7::float8[], $8::float8[], $9::float8[], $10::float8[])
           AS n (number, key, win, place, top2, top3, top4)`;

export interface RawPoll {
  readonly raceId: string;
  readonly bookmakerKey: string;
  readonly atMs: number;
  readonly runners: readonly FeedRunner[];
}

const array = (runners: readonly FeedRunner[], of: (runner: FeedRunner) => unknown): string =>
  `{${runners.map(of).join(',')}}`;

export async function rawInsert(pool: Pool, { raceId, bookmakerKey, atMs, runners }: RawPoll): Promise<void> {
  const values = [
    new Date(atMs).toISOString(),
    raceId,
    bookmakerKey,
    array(runners, (runner) => runner.number),
    array(runners, (runner) => `"${runner.name}"`),
    array(runners, (runner) => runner.win),
    array(runners, (runner) => runner.place),
    array(runners, (runner) => runner.top2),
    array(runners, (runner) => runner.top3),
    array(runners, (runner) => runner.top4),
  ];
  await pool.query({ name: 'raw-insert', text: INSERT, values });
}
