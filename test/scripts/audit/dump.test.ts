// A dump of advisories: what it finds in a lock file, what it leaves out, and unreadable dumps.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { runs } from '../../support/property';

const { auditByDump } = require('../../../scripts/audit/dump.mjs') as {
  auditByDump(folder: string, dump: string): { readonly lines: readonly string[]; readonly exitCode: number };
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dump-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function lock(packages: Record<string, object>): void {
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...packages } }));
}

function advisory(over: object = {}, events: readonly object[] = [{ introduced: '0' }, { fixed: '2.0.0' }]) {
  const affected = [{ package: { ecosystem: 'npm', name: 'left' }, ranges: [{ type: 'SEMVER', events }] }];
  const database_specific = { severity: 'HIGH' };
  return {
    id: 'GHSA-1',
    modified: '2026-11-20T00:00:00Z',
    summary: 'Left leaks',
    affected,
    database_specific,
    ...over,
  };
}

function auditOf(...advisories: readonly object[]) {
  const dump = mkdtempSync(join(folder, 'advisories-'));
  advisories.forEach((one, i) => void writeFileSync(join(dump, `${i}.json`), JSON.stringify(one)));
  return auditByDump(folder, dump);
}

test('a production package within an affected range fails, wherever it is nested', () => {
  lock({ 'node_modules/right': { version: '1.0.0' }, 'node_modules/right/node_modules/left': { version: '1.9.9' } });
  expect(auditOf(advisory())).toEqual({
    lines: ['high: left 1.9.9: Left leaks (GHSA-1)', 'Of 1 advisories, the newest of 2026-11-20T00:00:00Z.'],
    exitCode: 1,
  });
});

test('development packages, withdrawn advisories, other ecosystems and fixed versions are left out', () => {
  lock({ 'node_modules/left': { version: '2.0.0' }, 'node_modules/tool': { version: '1.0.0', dev: true } });
  const ofTool = { affected: [{ package: { ecosystem: 'npm', name: 'tool' }, versions: ['1.0.0'] }] };
  const ofPython = { affected: [{ package: { ecosystem: 'PyPI', name: 'left' }, versions: ['2.0.0'] }] };
  const withdrawn = advisory({ withdrawn: '2026-11-21T00:00:00Z' }, [{ introduced: '0' }]);
  expect(auditOf(advisory(), advisory(ofTool), advisory(ofPython), withdrawn)).toMatchObject({ exitCode: 0 });
});

test('moderate advisories are printed and do not fail; an unrated one fails', () => {
  lock({ 'node_modules/left': { version: '1.0.0' } });
  expect(auditOf(advisory({ database_specific: { severity: 'MODERATE' } })).exitCode).toBe(0);
  expect(auditOf(advisory({ database_specific: undefined })).exitCode).toBe(1);
});

test('a dump that cannot be read, or has nothing of npm, never passes', () => {
  lock({});
  expect(auditByDump(folder, join(folder, 'nowhere')).exitCode).toBe(1);
  expect(auditOf().exitCode).toBe(1);
  writeFileSync(join(folder, 'broken.json'), '{');
  expect(auditByDump(folder, folder).exitCode).toBe(1);
});

test('a version is affected exactly from an introduced version to before the fixed one', () => {
  const version = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)).map((parts) => parts.join('.'));
  // Single digits, so that the order of the texts is that of the versions.
  const compare = (a: string, b: string): number => a.localeCompare(b);
  fc.assert(
    fc.property(fc.uniqueArray(version, { minLength: 3, maxLength: 5 }), version, (bounds, own) => {
      const sorted = [...bounds].sort(compare);
      const events = sorted.map((at, i) => (i % 2 === 0 ? { introduced: at } : { fixed: at }));
      lock({ 'node_modules/left': { version: own } });
      const passed = sorted.filter((at) => compare(own, at) >= 0).length;
      expect(auditOf(advisory({}, events)).exitCode).toBe(passed % 2);
    }),
    { numRuns: runs(50) },
  );
});
