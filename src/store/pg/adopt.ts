// A database that the 88 numbered files before the baseline migrated has the schema that the baseline creates. It is
// adopted: from then on it lists the baseline's files as applied too. Any other list with one of their names is
// refused, because its schema is unknown.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientBase } from 'pg';
import { ROOT } from '../../root';

interface AppliedFile {
  readonly name: string;
  readonly sha256: string;
}

/** The first numbered file after it is 0214. */
export const isOfBaseline = ({ name }: Pick<AppliedFile, 'name'>): boolean => /^02(0\d|1[0-3])_/.test(name);

/** Checksums by name. */
export function filesBeforeBaseline(): ReadonlyMap<string, string> {
  const lines = readFileSync(join(ROOT, 'migrations/before-baseline.txt'), 'utf8').trimEnd().split('\n');
  return new Map(lines.map((line) => line.split(' ') as [string, string]));
}

const ADOPT = `
  INSERT INTO schema_migrations (name, sha256) SELECT * FROM unnest($1::text[], $2::text[])`;

/**
 * Under the migrations lock. Resolves to whether the database was adopted now. The rows of the earlier files stay: a
 * process of the previous release needs them to start, also after a rollback.
 */
export async function adopt(client: ClientBase, migrations: readonly AppliedFile[]): Promise<boolean> {
  const before = filesBeforeBaseline();
  const baseline = migrations.filter(isOfBaseline);
  const { rows: applied } = await client.query<AppliedFile>(
    `SELECT name, sha256 FROM schema_migrations WHERE name ~ '^\\d{4}_'`,
  );
  if (!applied.some(({ name }) => before.has(name))) return false;
  const names = new Set(applied.map(({ name }) => name));
  if (baseline.length > 0 && baseline.every(({ name }) => names.has(name))) return false;
  if (applied.length !== before.size || applied.some(({ name, sha256 }) => before.get(name) !== sha256))
    throw new Error(
      'this database has migrations of before the baseline, but not exactly all of them: run `ops migrate` of the last release before it, then this one',
    );
  await client.query(ADOPT, [baseline.map(({ name }) => name), baseline.map(({ sha256 }) => sha256)]);
  return true;
}
