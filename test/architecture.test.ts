// Holds docs/architecture.md's table "who may import whom". A new folder or a new arrow is a decision: change the table there and here.
import { type Import, importsOf, sourceCode, sourceFiles } from './support/imports';

/** Folder → folders it may import. Root files (`config`, `errors`, `log`, `wiring`) are named without a folder. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  domain: ['domain'],
  plans: ['plans', 'domain'],
  webhooks: ['webhooks', 'domain'],
  feeds: ['feeds', 'domain'],
  simulator: ['simulator', 'domain', 'feeds:type', 'config', 'log'],
  store: ['store', 'domain', 'plans', 'errors'],
  bulk: ['bulk', 'domain'],
  activities: [
    'activities',
    'domain',
    'plans',
    'webhooks',
    'feeds',
    'store',
    'bulk',
    'errors',
    'log',
    'workflows/contract',
  ],
  workflows: ['workflows', 'domain', 'errors', 'activities:type'],
  telemetry: ['telemetry', 'config'],
  workers: ['workers', 'workflows', 'activities', 'wiring', 'config', 'log', 'domain', 'telemetry'],
  api: ['api', 'store', 'domain', 'plans', 'webhooks', 'bulk', 'workflows/contract', 'errors', 'log'],
  web: ['web', 'api/services', 'api/schemas', 'domain', 'plans'],
  ops: [
    'ops',
    'store',
    'domain',
    'plans',
    'config',
    'wiring',
    'workflows/contract',
    'activities',
    'api/openapi',
    'log',
  ],
};

/** Process entries compose: they may use the composition root and whatever it wires together. */
const ENTRIES: Record<string, readonly string[]> = {
  'api/main.ts': ['config', 'wiring', 'web', 'telemetry'],
};

const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.indexOf('/')) : path);
const allImports: Import[] = sourceFiles().flatMap(importsOf);

function allowed(found: Import): boolean {
  const folder = folderOf(found.from);
  const rules = [...(MAY_IMPORT[folder] ?? []), ...(ENTRIES[found.from] ?? [])];
  const to = found.to.replace(/\.ts$/, '');
  return rules.some((rule) => {
    const [place, kind] = rule.split(':') as [string, string | undefined];
    return (to === place || to.startsWith(`${place}/`)) && (kind !== 'type' || found.typeOnly);
  });
}

const describeImport = (i: Import): string => `${i.from} → ${i.to}${i.typeOnly ? ' (type)' : ''}`;

test('every folder of src has a row in the table', () => {
  const folders = new Set(
    sourceFiles()
      .filter((f) => f.includes('/'))
      .map(folderOf),
  );
  expect([...folders].filter((f) => !(f in MAY_IMPORT))).toEqual([]);
});

test('nobody imports what the table does not allow', () => {
  const inFolders = allImports.filter((i) => i.own && i.from.includes('/'));
  expect(inFolders.length).toBeGreaterThan(100);
  expect(inFolders.filter((i) => !allowed(i)).map(describeImport)).toEqual([]);
});

test('domain and plans use no package, no Node built-in, no clock and no randomness', () => {
  const pure = sourceFiles().filter((f) => /^(domain|plans)\//.test(f));
  expect(pure.length).toBeGreaterThan(10);
  expect(allImports.filter((i) => pure.includes(i.from) && !i.own).map(describeImport)).toEqual([]);
  const impure = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bprocess\.|\bsetTimeout\(|\bcrypto\b/;
  expect(pure.filter((f) => impure.test(sourceCode(f)))).toEqual([]);
});

test('there is no import path from feeds to api', () => {
  const reached = new Set(['feeds']);
  const queue = sourceFiles().filter((f) => f.startsWith('feeds/'));
  const seen = new Set(queue);
  while (queue.length > 0) {
    for (const i of importsOf(queue.pop()!).filter((x) => x.own)) {
      for (const file of [`${i.to}.ts`, `${i.to}/index.ts`]) {
        if (seen.has(file) || !sourceFiles().includes(file)) continue;
        seen.add(file);
        reached.add(folderOf(file));
        queue.push(file);
      }
    }
  }
  expect([...reached]).not.toContain('api');
});

test('SQL text stands only in store (and migrations)', () => {
  const sql = /\b(SELECT\s+[\w"*(]|INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE TABLE)/;
  const others = sourceFiles().filter((f) => !f.startsWith('store/'));
  expect(others.filter((f) => sql.test(sourceCode(f)))).toEqual([]);
});

test('only store talks to PostgreSQL and Redis; wiring and the entries build the connections through it', () => {
  const drivers = allImports.filter((i) => ['pg', 'ioredis'].includes(i.to) && !i.from.startsWith('store/'));
  expect(drivers.filter((i) => !i.typeOnly).map(describeImport)).toEqual([]);
});

test('process.env is read in config.ts alone', () => {
  expect(sourceFiles().filter((f) => /\bprocess\.env\b/.test(sourceCode(f)))).toEqual(['config.ts']);
});

test('an endpoint never imports an endpoint', () => {
  const endpoints = allImports.filter((i) => /^api\/endpoints\/(?!index)/.test(i.from) && i.own);
  expect(endpoints.filter((i) => /^api\/endpoints\//.test(i.to)).map(describeImport)).toEqual([]);
});

test('no file gathers: none is longer than 300 lines but data tables', () => {
  const long = sourceFiles().filter((f) => !f.endsWith('.data.ts') && sourceCode(f).split('\n').length > 300);
  expect(long).toEqual([]);
});

test('there is no folder or file named for nothing', () => {
  expect(sourceFiles().filter((f) => /(^|[/-])(utils?|helpers?|common|misc|manager)(\.ts|\/|-)/.test(f))).toEqual([]);
});
