// The manifest of a period: its files, with the bounds of their rows. Its signature covers its canonical text, which
// every reader can make again from the JSON.
import type { Day, Instant } from '../../domain/race/race';
import type { DatasetName, Format } from '../catalogue';

/** A cell as CSV writes it. */
export type Bound = string | null;

interface ManifestFile {
  readonly format: Format;
  readonly bytes: number;
  readonly sha256: string;
}

/** Without rows, `first`, `last`, `min` and `max` are null. */
export interface RowBounds {
  /** The lowest and the highest key of the rows, in the order of `columns`. */
  readonly sort_key: {
    readonly columns: readonly string[];
    readonly first: readonly Bound[] | null;
    readonly last: readonly Bound[] | null;
  };
  /** Of each column of instants or days; nulls are left out. */
  readonly times: readonly {
    readonly column: string;
    readonly min: Instant | Day | null;
    readonly max: Instant | Day | null;
  }[];
}

export interface PeriodManifest extends RowBounds {
  readonly dataset: DatasetName;
  readonly period: string;
  readonly version: number;
  /** Equal for equal columns. */
  readonly schema_version: string;
  readonly rows: number;
  readonly generated_at: Instant;
  readonly files: readonly ManifestFile[];
}

/**
 * JSON by RFC 8785: members in the order of their names, no white space. Throws for a number that is no safe integer,
 * because programs write fractions differently.
 */
export function canonicalText(value: unknown): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw new RangeError(`${value} is no safe integer`);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalText(inner)}`).join()}}`;
}

/** The canonical text of a manifest. Two formats may be finished in either order. */
export const manifestText = (
  of: Omit<PeriodManifest, keyof RowBounds | 'files'>,
  { sort_key, times }: RowBounds,
  files: PeriodManifest['files'],
): string =>
  canonicalText({
    ...of,
    sort_key,
    times,
    files: files
      .map(({ format, bytes, sha256 }) => ({ format, bytes, sha256 }))
      .sort((one, other) => (one.format < other.format ? -1 : 1)),
  } satisfies PeriodManifest);
