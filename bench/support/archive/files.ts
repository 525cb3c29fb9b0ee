// Price paths as files over HTTP, at the most rows that a call may have, against COPY (…) TO STDOUT of the same rows in
// the same order.
import { get as httpGet } from 'node:http';
import { copyOut } from '../raw-copy';
import { growthOf } from '../resident';
import { type Sizes, startServer } from './calls';
import { dayOf } from './generated-days';
import { alternating, line, milliseconds, ratioOf, timed } from './report';

const MOST_ROWS = 200_000;
const TARGETS = { csv: 0.5, parquet: 0.25 } as const;

/** The columns of a row as customers get it, of the races that `where` selects. */
export const pricePathsBySql = (where: string, limit?: number): string => `
  SELECT r.race_id, r.start_time, r.meeting_date, r.venue, r.race_number, r.category, r.country, u.runner_key, COALESCE(u.name, u.runner_key), u.number,
         t.bookmaker_key, t.captured_at, t.secs_to_jump, t.win_price, NULL, r.venue_id, r.venue_site, u.runner_ref, NULL, u.scratched,
         t.place_price, t.top2_price, t.top3_price, t.top4_price
    FROM archived_price_paths t JOIN archived_races r USING (race_id) JOIN archived_runners u USING (race_id, runner)
   WHERE ${where}
   ORDER BY t.start_time, t.race_id, t.runner, t.bookmaker_key, t.captured_at${limit === undefined ? '' : ` LIMIT ${limit}`}`;

export async function measureFiles({ large, rounds }: Sizes): Promise<void> {
  const from = dayOf(0);
  const to = dayOf(6);
  const query = pricePathsBySql(`t.start_time >= '${from}' AND t.start_time < '${dayOf(7)}'`, MOST_ROWS);
  const { rows } = await large.pool.query<{
    n: number;
  }>(`SELECT count(*) AS n FROM (SELECT FROM archived_price_paths t
    WHERE t.start_time >= '${from}' AND t.start_time < '${dayOf(7)}' LIMIT ${MOST_ROWS}) q`);
  for (const format of ['csv', 'parquet'] as const) {
    // One for each format: what the other left in the heap is not counted.
    const server = await startServer(large);
    const url = `${server.url}/v1/racing/price-paths?from=${from}&to=${to}&format=${format}&limit=${MOST_ROWS}`;
    try {
      await bytesOf(url, server.key);
      await copyOut(large.url, query);
      const growth = growthOf(server.pid);
      let bytes = 0;
      const ours = () =>
        timed(async () => {
          bytes = await bytesOf(url, server.key);
        });
      const theirs = async () => (await copyOut(large.url, query)).ms;
      const [file, copy] = await alternating(rounds, ours, theirs);
      const what = `${rows[0]!.n} price paths as ${format}, ${(bytes / 1e6).toFixed(0)} MB`;
      line(what, `${milliseconds(file)}, COPY ${milliseconds(copy)}`, 1 / ratioOf(file, copy), [
        'at least',
        TARGETS[format],
      ]);
      const megabytes = growth.megabytes();
      line('  resident memory of the API', 'MB above what it had after the first file', megabytes, ['at most', 64]);
    } finally {
      server.stop();
    }
  }
}

/** Read and thrown away. */
export function bytesOf(url: string, key: string): Promise<number> {
  return new Promise((done, fail) => {
    httpGet(url, { headers: { 'x-api-key': key }, agent: false }, (reply) => {
      let bytes = 0;
      if (reply.statusCode !== 200) fail(new Error(`${url}: ${reply.statusCode}`));
      reply.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      reply.on('end', () => done(bytes)).on('error', fail);
    }).on('error', fail);
  });
}
