// Latencies of the archive's calls over HTTP, nothing cached: at the size of the archive against a small one, far into
// it against its beginning.
import { request } from 'undici';
import { newKey } from '../../../test/support/api/api';
import { type Server, startMeteringServer } from '../servers';
import type { BenchDatabase } from './databases';
import { dayOf } from './generated-days';
import { alternating, line, milliseconds, ratioOf, timed } from './report';

const PAGE = 500;
const COVERAGE_CALLS = 300;
const WARM_UPS = 3;

export interface Sizes {
  readonly small: BenchDatabase;
  readonly large: BenchDatabase;
  readonly rounds: number;
}

export interface KeyedServer extends Server {
  readonly key: string;
}

/** Neither metered nor cached. */
export async function startServer({ url }: BenchDatabase): Promise<KeyedServer> {
  const key = newKey();
  return { key, ...(await startMeteringServer(url, key, false, false)) };
}

async function get(server: KeyedServer, path: string): Promise<string> {
  const { statusCode, body } = await request(server.url + path, { headers: { 'x-api-key': server.key } });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text.slice(0, 300)}`);
  return text;
}

/** From the archive (the first day, whose ticks are gone) and from the ticks (the second day, whose ticks stand). */
export async function measureHistory({ small, large, rounds }: Sizes): Promise<void> {
  const one = await startServer(large);
  const other = await startServer(small);
  try {
    for (const [source, day] of [
      ['archive', 0],
      ['ticks', 1],
    ] as const) {
      const paths = (await racesOf(small, day)).map((id) => `/v1/racing/price-history?race_id=${id}`);
      const all = (server: KeyedServer) => async (): Promise<number> =>
        (await timed(async () => {
          for (const path of paths) await get(server, path);
        })) / paths.length;
      for (let i = 0; i < WARM_UPS; i++) for (const server of [one, other]) await all(server)();
      const [ours, theirs] = await alternating(rounds, all(one), all(other));
      const figures = `${milliseconds(ours)}, in the small archive ${milliseconds(theirs)}`;
      line(`price history of a race, from the ${source}`, figures, ratioOf(ours, theirs), ['at most', 1.2]);
    }
  } finally {
    one.stop();
    other.stop();
  }
}

async function racesOf({ pool }: BenchDatabase, day: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    'SELECT race_id AS id FROM archived_races WHERE start_day = $1 ORDER BY start_time LIMIT 10',
    [dayOf(day)],
  );
  return rows.map(({ id }) => id);
}

export async function measurePage({ large, rounds }: Sizes): Promise<void> {
  const server = await startServer(large);
  const path = (offset: number): string => `/v1/racing/closing-lines?limit=${PAGE}&offset=${offset}`;
  try {
    const { total_rows } = JSON.parse(await get(server, path(0))) as { total_rows: number };
    const page = (offset: number) => () => timed(() => get(server, path(offset)));
    const far = page(total_rows - PAGE);
    const first = page(0);
    for (let i = 0; i < WARM_UPS; i++) await Promise.all([far(), first()]);
    const [ours, theirs] = await alternating(rounds * 4, far, first);
    const figures = `${milliseconds(ours)}, first page ${milliseconds(theirs)}`;
    line(`closing lines, rows from ${total_rows - PAGE} on`, figures, ratioOf(ours, theirs), ['at most', 1.5]);
  } finally {
    server.stop();
  }
}

export async function measureCoverage({ large }: Sizes): Promise<void> {
  const server = await startServer(large);
  try {
    const waits: number[] = [];
    for (let i = -WARM_UPS; i < COVERAGE_CALLS; i++) {
      const ms = await timed(() => get(server, '/v1/racing/closing-lines/coverage'));
      if (i >= 0) waits.push(ms);
    }
    waits.sort((a, b) => a - b);
    const p99 = waits[Math.floor(waits.length * 0.99)]!;
    line('coverage, p99 in ms', `p50 ${milliseconds(waits)} of ${waits.length} calls`, p99, ['at most', 20]);
  } finally {
    server.stop();
  }
}
