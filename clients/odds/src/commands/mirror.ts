// `odds mirror`: the days of datasets as a folder that DuckDB and pandas read as one table. Never: a file that no
// trusted key vouches for, a version older than the one that is there, a file removed without its successor.
import { join } from 'node:path';
import { ConflictError, NotFoundError, type OddsClient, type Schemas } from '../../../typescript/src/index.ts';
import { proveManifest, saveKeys, saveManifest, storedManifest, trustedKeys } from '../files/manifests.ts';
import { isThere } from '../files/verified-file.ts';
import { clientOf } from '../io/client.ts';
import { CommandError, UsageError, withoutKey } from '../io/failure.ts';
import { type Io, write } from '../io/io.ts';
import { plain } from '../text/plain.ts';
import { ENDINGS, type Format, fetchPeriod, type Period, statedOf } from './download.ts';

export interface MirrorOptions {
  readonly datasets?: string[];
  readonly from?: string;
  readonly to?: string;
  readonly csv?: boolean;
  readonly dryRun?: boolean;
  readonly trustNewKeys?: boolean;
}

type Keys = NonNullable<Awaited<ReturnType<typeof trustedKeys>>>;

const DAY = /^\d{4}-\d\d-\d\d$/;
const DAY_CREDITS = 20;

export async function mirror(io: Io, dest: string, options: MirrorOptions): Promise<void> {
  const format: Format = options.csv ? 'csv' : 'parquet';
  for (const day of [options.from, options.to])
    if (day !== undefined && !DAY.test(day)) throw new UsageError(`${day} is no day: write YYYY-MM-DD.`);
  const client = clientOf(io);
  const days = await daysOf(client, options, io.signal);
  const keys = await keysFor(client, dest, options, io.signal);
  const counts = { fetched: 0, unchanged: 0, refused: 0 };
  for (const day of days) {
    io.signal.throwIfAborted();
    const path = join(dest, placeOf(day, format));
    try {
      const isNew = await isDue(dest, path, day, format, keys);
      if (isNew && !options.dryRun) await fetchDay(io, client, { dest, path, day, format, keys });
      if (isNew) await write(io, `${plain(path)}\n`);
      counts[isNew ? 'fetched' : 'unchanged'] += 1;
    } catch (error) {
      counts.refused += 1;
      io.err.write(`odds: ${withoutKey(plain(whyNot(day, error)), io.env)}\n`);
    }
  }
  const { fetched, unchanged, refused } = counts;
  const text = options.dryRun
    ? `${fetched} to fetch, for at most ${fetched * DAY_CREDITS} credits, ${unchanged} unchanged`
    : `${fetched} fetched, ${unchanged} unchanged`;
  io.err.write(`${text}, ${refused} refused\n`);
  if (refused > 0) throw new CommandError('The mirror is not complete: what is refused is named above.');
}

/** Throws the error if it is not about this day alone. */
function whyNot({ dataset, period }: Period, error: unknown): string {
  if (error instanceof CommandError) return error.message;
  if (error instanceof NotFoundError || error instanceof ConflictError)
    return `${dataset} ${period} is not ready: ${error.detail}`;
  throw error;
}

/** As Hive lays out partitions. Days alone: a month has the same rows again. */
const placeOf = ({ dataset, period }: Period, format: Format): string =>
  join(`dataset=${dataset}`, `month=${period.slice(0, 7)}`, `day=${period}`, `${dataset}-${period}.${ENDINGS[format]}`);

async function daysOf(client: OddsClient, options: MirrorOptions, signal: AbortSignal): Promise<Period[]> {
  const { from = '0000-00-00', to = '9999-99-99', datasets } = options;
  const names = datasets?.map((name) => name.replaceAll('-', '_') as Schemas['BulkDatasetName']) ?? [undefined];
  const days: Period[] = [];
  for (const dataset of names) {
    const query = { limit: 5000, ...(dataset && { dataset }) };
    for await (const { rows } of client.pages('/v1/bulk/datasets', { query, signal }))
      days.push(
        ...rows.filter(
          ({ dataset, period }) => /^\w+$/.test(dataset) && DAY.test(period) && period >= from && period <= to,
        ),
      );
  }
  return days;
}

/** Those that the mirror began with; the service's of today if it is new, or the reader wants them. */
async function keysFor(
  client: OddsClient,
  dest: string,
  { trustNewKeys, dryRun }: MirrorOptions,
  signal: AbortSignal,
): Promise<Keys> {
  const trusted = await trustedKeys(dest);
  if (trusted && !trustNewKeys) return trusted;
  const { keys } = await client.bulk.keys({ signal });
  const others = (trusted ?? []).filter(({ kid }) => !keys.some((key) => key.kid === kid));
  const all = [...keys, ...others];
  if (!dryRun) await saveKeys(dest, all);
  return all;
}

/** Whether the file is missing, or not the one that a proven manifest of this version states. */
async function isDue(dest: string, path: string, day: Period, format: Format, keys: Keys): Promise<boolean> {
  const stored = await storedManifest(dest, day.dataset, day.period);
  if (!stored) return true;
  const { version } = stored.manifest;
  if (version > day.version)
    throw new CommandError(
      `${day.dataset} ${day.period} is refused: the service offers version ${day.version}, and version ${version} is there.`,
    );
  if (version < day.version || !isProven(stored, day, keys)) return true;
  return !(await isThere(path, statedOf(stored.manifest, format)));
}

/** A stored manifest that is not proven is fetched again, and the new one is proven or refused. */
function isProven(...given: Parameters<typeof proveManifest>): boolean {
  try {
    proveManifest(...given);
    return true;
  } catch (error) {
    if (error instanceof CommandError) return false;
    throw error;
  }
}

interface Fetch {
  readonly dest: string;
  readonly path: string;
  readonly day: Period;
  readonly format: Format;
  readonly keys: Keys;
}

/** The manifest is stored last: until then the file counts as due. */
async function fetchDay(io: Io, client: OddsClient, { dest, path, day, format, keys }: Fetch): Promise<void> {
  const { dataset, period, version } = day;
  const signed = await client.bulk.manifest({ path: { dataset, period }, query: { version }, signal: io.signal });
  proveManifest(signed, day, keys);
  await fetchPeriod(io, client, { ...day, path, format, files: signed.manifest.files });
  await saveManifest(dest, signed);
}
