// The kinds of tests, as jest projects, in the order in which a whole run starts them: short groups last, so that no
// process ends alone with a long one, and browsers after the fast clocks of the other half.
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

/** A kind that `waits` most of its time runs beside the others; `groupOf`: the most files that share a module graph. */
export const PROJECTS = [
  { name: 'store', groupOf: 28 },
  { name: 'api', groupOf: 28 },
  { name: 'web', groupOf: 14 },
  { name: 'workflows', groupOf: 7 },
  { name: 'unit', groupOf: 28 },
  // They start their own servers, which they name in the environment of their process.
  { name: 'e2e', groupOf: 1, waits: true },
  { name: 'system', groupOf: 15, waits: true },
];

/** Folder below `test`, or file → kind; the longest match counts. Files at the top are `unit`. */
export const KIND_OF = {
  accounts: 'unit',
  activities: 'store',
  api: 'api',
  'api/mcp/tools.test.ts': 'unit',
  boundary: 'unit',
  bulk: 'unit',
  chaos: 'e2e',
  clients: 'system',
  // Not with the other clients: the halves of a run are to end together.
  'clients/odds': 'api',
  domain: 'unit',
  e2e: 'e2e',
  faults: 'store',
  feeds: 'unit',
  'file-store': 'unit',
  ops: 'store',
  payments: 'unit',
  plans: 'unit',
  process: 'unit',
  'row-files': 'unit',
  scripts: 'unit',
  simulator: 'unit',
  store: 'store',
  'store/pg/replica': 'unit',
  telemetry: 'system',
  web: 'web',
  'web/board': 'unit',
  'web/bookmakers': 'unit',
  'web/cards': 'unit',
  'web/home': 'unit',
  'web/meetings': 'unit',
  'web/past': 'unit',
  'web/sheet': 'unit',
  'web/sports': 'unit',
  'web/view': 'unit',
  webhooks: 'unit',
  workers: 'system',
  workflows: 'workflows',
  'workflows/bundle.test.ts': 'unit',
  'workflows/replay.test.ts': 'unit',
};

/** Undefined if the folder has no kind. `file`: a path below `test`. */
export function kindOf(file) {
  const parts = file.split('/');
  if (parts.length === 1) return 'unit';
  for (let depth = parts.length; depth > 0; depth -= 1) {
    const kind = KIND_OF[parts.slice(0, depth).join('/')];
    if (kind) return kind;
  }
  return undefined;
}

/** Paths below `test`, in the same order on every machine. */
export function testFiles(root) {
  const files = readdirSync(join(root, 'test'), { recursive: true }).map((file) => file.split(sep).join('/'));
  return files.filter((file) => file.endsWith('.test.ts')).sort();
}

export const filesOf = (root, { name }) => testFiles(root).filter((file) => kindOf(file) === name);
