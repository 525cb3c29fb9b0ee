// Files of whole days of price paths, a million rows in all, built as the schedule builds them, against COPY (…) TO
// STDOUT of the same rows. The builder is a process of its own, so that its memory is nothing else's.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPeriod } from '../../../src/bulk/build';
import { datasetNamed } from '../../../src/bulk/catalogue';
import { createSigner } from '../../../src/bulk/manifest/signer';
import { periodOf } from '../../../src/bulk/periods';
import { createRowSources } from '../../../src/bulk/rows/sources';
import { createFolderStore } from '../../../src/file-store/folder';
import { csvGzipOfLines } from '../../../src/row-files/csv-gzip';
import { fileLayout } from '../../../src/row-files/parquet/layout';
import { parquetOf } from '../../../src/row-files/parquet/parquet';
import { createStores } from '../../../src/store/create-stores';
import { createPool } from '../../../src/store/pg/pool';
import { createReads } from '../../../src/store/reads/reads';
import { nextMessage } from '../child-reply';
import { copyOut } from '../raw-copy';
import { growthOf } from '../resident';
import type { Sizes } from './calls';
import { pricePathsBySql } from './files';
import { dayOf } from './generated-days';
import { alternating, line, milliseconds, ratioOf } from './report';

const DAYS = [3, 4, 5];
/** Both are made one after the other; alone each would have half and a quarter of the rate. */
const KINDS = { csv: 0.5, parquet: 0.25, both: 1 / 6 } as const;
type Kind = keyof typeof KINDS;

export async function measureBulk({ large, rounds }: Sizes): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-archive-'));
  const days = DAYS.map(dayOf);
  const query = pricePathsBySql(
    `t.start_time >= '${days[0]}' AND t.start_time < '${dayOf(DAYS.at(-1)! + 1)}' AND r.meeting_date IN ('${days.join("', '")}')`,
  );
  const { rows } = await large.pool.query<{ n: number }>(
    'SELECT count(*) AS n FROM archived_price_paths WHERE start_time >= $1 AND start_time < $2',
    [days[0], dayOf(DAYS.at(-1)! + 1)],
  );
  const child = fork(__filename, ['builder', large.url, folder], { execArgv: ['--import', 'tsx'] });
  try {
    await built(child, 'both', [dayOf(6)]);
    await copyOut(large.url, query);
    const growth = growthOf(child.pid!);
    for (const [kind, target] of Object.entries(KINDS) as [Kind, number][]) {
      const [ours, copy] = await alternating(
        Math.min(rounds, 3),
        () => built(child, kind, days),
        async () => (await copyOut(large.url, query)).ms,
      );
      const figures = `${milliseconds(ours)}, COPY ${milliseconds(copy)}`;
      line(`bulk files of ${rows[0]!.n} price paths, ${kind}`, figures, 1 / ratioOf(ours, copy), ['at least', target]);
    }
    line('  resident memory of the builder', 'MB above what it had after the first day', growth.megabytes(), [
      'at most',
      256,
    ]);
  } finally {
    child.kill();
    await rm(folder, { recursive: true });
  }
}

async function built(child: ChildProcess, kind: Kind, days: readonly string[]): Promise<number> {
  child.send({ kind, days });
  const report = await nextMessage(child);
  if (typeof report !== 'number') throw new Error(String(report));
  return report;
}

if (process.argv[2] === 'builder') {
  process.once('disconnect', () => process.exit());
  const [, , , url, folder] = process.argv;
  const pool = createPool(url!, 4);
  const sources = createRowSources(createReads(pool));
  const { columns, sortedBy } = datasetNamed('price_paths');
  const deps = {
    files: createFolderStore(folder!),
    manifest: createStores(pool).bulkFiles,
    signer: createSigner([{ id: 'bench', key: Buffer.alloc(32, 1) }]),
    sources,
    now: Date.now,
    alive: () => undefined,
  };
  const build = async (kind: Kind, day: string): Promise<void> => {
    if (kind === 'both') {
      await pool.query('TRUNCATE bulk_files, bulk_manifests, bulk_periods');
      await buildPeriod('price_paths', periodOf(day)!, day, deps);
      return;
    }
    const { rows, lines } = sources.price_paths;
    const chunks =
      kind === 'csv' ? csvGzipOfLines(columns, lines!(day)) : parquetOf(columns, rows(day), fileLayout(sortedBy));
    for await (const chunk of chunks) void chunk;
  };
  process.on('message', async ({ kind, days }: { kind: Kind; days: readonly string[] }) => {
    try {
      const began = performance.now();
      for (const day of days) await build(kind, day);
      process.send!(performance.now() - began);
    } catch (error) {
      process.send!(String(error));
    }
  });
}
