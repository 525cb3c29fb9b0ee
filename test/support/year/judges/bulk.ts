// The bulk files of the year: exactly those of the due days and months, each as its manifest describes it, with the
// rows of the database.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { DATASETS, FORMATS } from '../../../../src/bulk/catalogue';
import type { Day } from '../../../../src/domain/race/race';
import { addDays } from '../../../../src/domain/time/aet';
import { filesIn } from './census';

interface ManifestFile {
  readonly dataset: string;
  readonly period: string;
  readonly format: string;
  readonly name: string;
  readonly sha256: string;
  readonly rows: number;
  readonly served: boolean;
}

const MANIFEST = `SELECT dataset, period, format, name, sha256, rows, superseded_at IS NULL AS served FROM bulk_files`;
/** By the day of the meeting. */
const CLOSING = `
  SELECT r.meeting_date::text AS day, count(*) AS n FROM archived_closing_lines l JOIN archived_races r USING (race_id) GROUP BY 1`;

/** `first` and `last`: the range of days whose files are due. */
export async function judgeFiles(owner: Pool, folder: string, first: Day, last: Day): Promise<readonly string[]> {
  const manifest = (await owner.query<ManifestFile>(MANIFEST)).rows;
  const found = differences(
    'in the folder',
    manifest.map(({ name }) => name),
    (await filesIn(folder)).map(({ name }) => name),
  );
  const due = periodsDue(first, last).flatMap((period) =>
    DATASETS.flatMap(({ name }) => FORMATS.map((format) => `${name} ${period} ${format}`)),
  );
  const served = manifest.filter((one) => one.served);
  found.push(
    ...differences(
      'served',
      due,
      served.map(({ dataset, period, format }) => `${dataset} ${period} ${format}`),
    ),
  );
  for (const { name, sha256 } of manifest) {
    const content = await readFile(join(folder, name)).catch(() => null);
    if (content === null) found.push(`${name} cannot be read`);
    else if (createHash('sha256').update(content).digest('hex') !== sha256)
      found.push(`${name} is another file than was published`);
  }
  return [...found, ...(await judgeRows(owner, served))];
}

async function judgeRows(owner: Pool, served: readonly ManifestFile[]): Promise<readonly string[]> {
  const found: string[] = [];
  const lines = new Map((await owner.query<{ day: Day; n: number }>(CLOSING)).rows.map(({ day, n }) => [day, n]));
  const csv = served.filter(({ format }) => format === 'csv');
  for (const { dataset, period, rows } of csv) {
    if (period.length === 7) {
      const days = csv.filter((one) => one.dataset === dataset && one.period.startsWith(`${period}-`));
      const sum = days.reduce((all, one) => all + one.rows, 0);
      if (sum !== rows) found.push(`${dataset} ${period} has ${rows} rows, its days ${sum}`);
    } else if (dataset === 'closing_lines' && rows !== (lines.get(period) ?? 0))
      found.push(`closing_lines ${period} has ${rows} rows, the archive ${lines.get(period) ?? 0}`);
  }
  return found;
}

function periodsDue(first: Day, last: Day): readonly string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  // A month is complete once its last day exists.
  const months = new Set(days.filter((day) => addDays(day, 1).endsWith('-01')).map((day) => day.slice(0, 7)));
  return [...days, ...months];
}

function differences(where: string, wanted: readonly string[], there: readonly string[]): string[] {
  const [due, present] = [new Set(wanted), new Set(there)];
  return [
    ...wanted.filter((one) => !present.has(one)).map((one) => `${one} is not ${where}`),
    ...there.filter((one) => !due.has(one)).map((one) => `${one} is ${where}, and should not be`),
  ];
}
