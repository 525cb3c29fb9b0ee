// `odds download closing-lines 2026-11`: one bulk file, proven by the hash that the catalogue states.
import type { OddsClient, operations, Schemas } from '../../../typescript/src/index.ts';
import { progressOf } from '../files/progress.ts';
import { fetchFile, isThere, type StatedFile } from '../files/verified-file.ts';
import { clientOf } from '../io/client.ts';
import { CommandError, UsageError } from '../io/failure.ts';
import { type Io, write } from '../io/io.ts';
import { pause } from '../io/pause.ts';
import { plain } from '../text/plain.ts';

export interface DownloadOptions {
  readonly csv?: boolean;
  readonly parquet?: boolean;
  readonly output?: string;
}

type Dataset = Schemas['BulkDatasetName'];
export type Period = Schemas['BulkPeriod'];
export type Format = Schemas['BulkFormat'];
type FilePath = operations['bulk_file']['parameters']['path'];

export const ENDINGS: Readonly<Record<Format, string>> = { parquet: 'parquet', csv: 'csv.gz' };

export async function download(io: Io, name: string, period: string, options: DownloadOptions): Promise<void> {
  if (options.csv && options.parquet) throw new UsageError('Choose one of --csv and --parquet.');
  const dataset = name.replaceAll('-', '_') as Dataset;
  const format = options.csv ? 'csv' : 'parquet';
  const client = clientOf(io);
  const found = await periodOf(client, dataset, period, io.signal);
  const path = options.output ?? `${dataset}-${period}.${ENDINGS[format]}`;
  const wasThere = await fetchPeriod(io, client, { ...found, path, format });
  const { sha256 } = statedOf(found, format);
  io.err.write(
    `${plain(path)}: ${wasThere ? 'already there, ' : ''}version ${found.version}, ${found.rows} rows, SHA-256 ${sha256}\n`,
  );
  await write(io, `${plain(path)}\n`);
}

/** A version of a period, and what is stated of its files. */
type Version = Pick<Period, 'dataset' | 'period' | 'version'> & {
  readonly files: readonly Omit<Period['files'][number], 'url'>[];
};

type Wanted = Version & { readonly path: string; readonly format: Format };

/** Resolves to whether the file was there already: then nothing is fetched. */
export async function fetchPeriod(io: Io, client: OddsClient, wanted: Wanted): Promise<boolean> {
  const { dataset, period, version, format, path } = wanted;
  const stated = statedOf(wanted, format);
  if (await isThere(path, stated)) return true;
  const progress = progressOf(io, stated.name, stated.bytes);
  const { signal } = io;
  const call = { path: { dataset, period } as FilePath, query: { format, version }, signal };
  try {
    const parts = (from: number) =>
      client.download('/v1/bulk/{dataset}/{period}', {
        ...call,
        ...(from > 0 && { rest: { from, etag: `"${stated.sha256}"` } }),
      });
    await fetchFile(path, stated, parts, {
      signal,
      onBytes: (bytes) => progress.at(bytes),
      sleep: (ms) => pause(ms, signal),
    });
  } finally {
    progress.close();
  }
  return false;
}

export function statedOf({ dataset, period, files }: Version, format: Format): StatedFile {
  const found = files.find((file) => file.format === format);
  if (!found) throw new CommandError(`${dataset} ${period} has no file as ${format}.`);
  return { name: `${dataset} ${period}`, bytes: found.bytes, sha256: found.sha256 };
}

/** As the free catalogue lists it. If it is not listed, the service states why. */
async function periodOf(client: OddsClient, dataset: Dataset, period: string, signal: AbortSignal): Promise<Period> {
  for await (const page of client.pages('/v1/bulk/datasets', { query: { dataset, limit: 5000 }, signal })) {
    const found = page.rows.find((row) => row.period === period);
    if (found) return found;
  }
  for await (const _ of client.download('/v1/bulk/{dataset}/{period}', { path: { dataset, period }, signal })) break;
  throw new CommandError(`The catalogue does not list ${dataset} ${period} yet. Try again in a minute.`);
}
