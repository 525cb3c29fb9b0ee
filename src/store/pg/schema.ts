// Whether the database has the schema that this release needs. A database never loses it, so it is checked until it has
// it, and never again. A newer release's database has it too, because replaced objects are dropped one release later.
import type { Pool } from 'pg';
import { isNumbered, readMigrations } from './migrate';

/** The database answers, but lacks the schema. */
export class SchemaBehind extends Error {
  override readonly name = 'SchemaBehind';
}

/** Functions and rights come last, in one transaction. */
const SCHEMA = `
  SELECT ARRAY(SELECT unnest($1::text[]) EXCEPT SELECT name FROM schema_migrations ORDER BY 1) AS missing,
         EXISTS (SELECT FROM schema_migrations WHERE starts_with(name, 'functions/')) AS "hasFunctions"`;

/** A missing table, or a missing right to read it: both come with a migration. */
const NOT_YET = new Set(['42P01', '42501']);

/** Rejects with a `SchemaBehind`, or with the reason why the database did not answer within `withinMs` (wall). */
export function createSchemaCheck(
  pool: Pick<Pool, 'query'>,
  needed: readonly string[] = readMigrations()
    .filter(isNumbered)
    .map(({ name }) => name),
): (withinMs: number) => Promise<void> {
  let isThere = false;
  return async (withinMs) => {
    if (isThere) return;
    const query = { text: SCHEMA, values: [needed], query_timeout: withinMs };
    const { rows } = await pool.query<{ missing: string[]; hasFunctions: boolean }>(query).catch((error) => {
      throw NOT_YET.has((error as { code?: string }).code ?? '') ? behind('the tables of this release') : error;
    });
    const { missing, hasFunctions } = rows[0]!;
    if (missing.length > 0)
      throw behind(missing.length === 1 ? missing[0]! : `${missing[0]} and ${missing.length - 1} more`);
    if (!hasFunctions) throw behind('the functions of this release');
    isThere = true;
  };
}

/**
 * Resolves when the schema is there, and when the database does not answer: an API process serves without it, and is
 * not ready until it has seen the schema.
 */
export const unlessBehind = (asked: Promise<void>): Promise<void> =>
  asked.catch((error: unknown) => {
    if (error instanceof SchemaBehind) throw error;
  });

const behind = (what: string): SchemaBehind => new SchemaBehind(`the database lacks ${what}: run ops migrate`);
