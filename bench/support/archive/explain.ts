// The plans of a page of closing lines at the far end of the archive: every statement that it sends, as the server runs
// it.
import type { Pool, QueryConfig } from 'pg';
import { createArchiveReads } from '../../../src/store/reads/archive/archive-reads';
import type { BenchDatabase } from './databases';

export async function explainPage({ pool }: BenchDatabase, limit: number): Promise<void> {
  const sent: QueryConfig[] = [];
  const listening = {
    query(config: QueryConfig) {
      sent.push(config);
      return pool.query(config);
    },
  } as unknown as Pool;
  const reads = createArchiveReads(listening, listening);
  const { total } = await reads.closingLines({ closingOnly: true }, { limit: 1, offset: 0 });
  sent.length = 0;
  await reads.closingLines({ closingOnly: true }, { limit, offset: total - limit });
  for (const { name, text, values } of sent) {
    const explained = await pool.query({ text: `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${text}`, values });
    console.log(`\n${name}\n${explained.rows.map((row) => `  ${row['QUERY PLAN']}`).join('\n')}`);
  }
}
