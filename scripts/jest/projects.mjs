// The kinds of tests, as jest projects, in the order in which a whole run starts them: first those that need no server,
// and short files last, so that no processor is left with a long one. A kind that `waits` most of its time runs beside
// the others. `one` matches the files of one kind; at most `groupOf` files share a module graph in a whole run
// (`groups.mjs`).
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

export const PROJECTS = [
  {
    name: 'unit',
    one: /^([^/]+$|(accounts|boundary|domain|plans|feeds|process|row-files|file-store|bulk|simulator|scripts|webhooks|web\/(board|past))\/|workflows\/(bundle|replay))/,
    groupOf: 14,
  },
  { name: 'store', one: /^(store|activities|faults|ops)\//, groupOf: 14 },
  { name: 'api', one: /^api\//, groupOf: 14 },
  { name: 'web', one: /^web\/(?!(board|past)\/)/, groupOf: 9 },
  { name: 'workflows', one: /^workflows\/(?!bundle|replay)/, groupOf: 7 },
  // Servers of their own, which they name in the environment of their process.
  { name: 'e2e', one: /^(e2e|chaos)\//, groupOf: 1, waits: true },
  { name: 'system', one: /^(workers|telemetry)\//, groupOf: 8, waits: true },
];

/** Paths below `test`, in one order on every machine. */
export function testFiles(root) {
  const files = readdirSync(join(root, 'test'), { recursive: true }).map((file) => file.split(sep).join('/'));
  return files.filter((file) => file.endsWith('.test.ts')).sort();
}

export const filesOf = (root, { one }) => testFiles(root).filter((file) => one.test(file));
