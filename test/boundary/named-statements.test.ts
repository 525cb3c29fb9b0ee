// A named statement is prepared once for a session, and a pooler's session outlives a release: if a migration then adds
// a column to what it returns, PostgreSQL refuses it until the session ends (0A000).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { everywhere, patternOf } from './source';

const MIGRATIONS = join(__dirname, '../../migrations');

const TABLES = new Set(
  readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .flatMap((name) => [...readFileSync(join(MIGRATIONS, name), 'utf8').matchAll(/CREATE (?:TABLE|VIEW) (\w+)/g)])
    .map(([, table]) => table!),
);

/** What stands outside of parentheses, which stay as `()`. */
function outside(text: string): string {
  let depth = 0;
  let rest = '';
  for (const letter of text) {
    if (letter === ')') depth -= 1;
    if (depth === 0) rest += letter;
    if (letter === '(') depth += 1;
  }
  return rest;
}

/** Tables of which a text returns every column, whatever they are: by itself, or all of what a part of it does. */
function starred(text: string): string[] {
  const own = outside(text);
  const shown = /SELECT\s+\*\s+FROM\s+\(/.test(own) ? text : own;
  const whole = [...own.matchAll(/SELECT\s+\*\s+FROM\s+(\w+)/g)].map(([, table]) => table!);
  const aliased = [...shown.matchAll(/(?:SELECT|,)\s+(\w+)\.\*/g)].flatMap(([, alias]) =>
    [...shown.matchAll(new RegExp(`(?:FROM|JOIN)\\s+(\\w+)\\s+(?:AS\\s+)?${alias}\\b`, 'g'))].map(
      ([, table]) => table!,
    ),
  );
  return [...whole, ...aliased].filter((table) => TABLES.has(table));
}

test('a text of SQL names the columns that it returns of a table', () => {
  expect(starred('SELECT s.*, 1 FROM races s')).toEqual(['races']);
  expect(starred('WITH one AS (SELECT 1) SELECT * FROM races')).toEqual(['races']);
  expect(starred('SELECT * FROM (SELECT s.*, 1 FROM races s) q')).toEqual(['races']);
  expect(starred('SELECT n.id, (SELECT count(s.*) FROM races s) FROM names n')).toEqual([]);
  const found = everywhere((node, path) => {
    const text = patternOf(node);
    return text && /\bSELECT\b/.test(text) && !/^\s*INSERT/.test(text)
      ? starred(text).map((table) => `${path}: ${table}`)
      : undefined;
  }).flat();
  // Within statements that name what they return.
  expect(found.sort()).toEqual(['store/reads/archive/day-checksum.ts: archived_races']);
});
