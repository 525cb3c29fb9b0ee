// The commands that a game day types are those in docs/runbook.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Outage {
  readonly name: string;
  readonly alert: string | null;
  readonly runs?: readonly (readonly [section: string, begin: string, shows: RegExp])[];
}
const { printedIn } = require('../../../scripts/gameday/runbook.mjs') as {
  printedIn(runbook: string, section: string): readonly string[];
};
const { SHORT, LONG } = require('../../../scripts/gameday/outages/outages.mjs') as Record<
  'SHORT' | 'LONG',
  readonly Outage[]
>;
const { RULES } = require('../../../scripts/alerts/render.mjs') as { RULES: readonly { readonly alert: string }[] };

const runbook = readFileSync(join(__dirname, '../../../docs/runbook.md'), 'utf8');
const outages = [...SHORT, ...LONG];

test('a section ends where the next begins, and a missing one is named', () => {
  const text = '# R\n\n## One thing\n\nSee `a b`.\n\n## Other\n\n`c`\n';
  expect(printedIn(text, 'one-thing')).toEqual(['a b']);
  expect(() => printedIn(text, 'third')).toThrow('no section third');
});

test('every command of an outage is printed in its section', () => {
  const runs = outages.flatMap(({ runs = [] }) => runs);
  expect(runs.length).toBeGreaterThan(15);
  const missing = runs.filter(([section, begin]) => !printedIn(runbook, section).some((one) => one.startsWith(begin)));
  expect(missing).toEqual([]);
});

test('every outage has its own name, and an existing alert', () => {
  expect(new Set(outages.map(({ name }) => name)).size).toBe(outages.length);
  const alerts: readonly (string | null)[] = [null, ...RULES.map(({ alert }) => alert)];
  expect(outages.filter(({ alert }) => !alerts.includes(alert))).toEqual([]);
});
