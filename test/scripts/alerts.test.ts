// The tables of alerts. `npm run manifests` tries every outage with promtool.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PERIODIC } from '../../src/workers/schedules/table';

interface Rule {
  readonly alert: string;
  readonly for: number;
  readonly severity: string;
  readonly expr: (of: (seconds: number) => string) => string;
}
const { RULES, renderAlerts } = require('../../scripts/alerts/render.mjs') as {
  RULES: readonly Rule[];
  renderAlerts(factor?: number): string;
};
const { OUTAGES } = require('../../scripts/alerts/outages.mjs') as {
  OUTAGES: readonly { readonly outage: string; readonly fire: Record<string, readonly string[]> }[];
};
const { PAGED, TICKETED } = require('../../scripts/alerts/schedules.mjs') as Record<
  'PAGED' | 'TICKETED',
  ReadonlyMap<number, readonly string[]>
>;
const { duration } = require('../../scripts/alerts/durations.mjs') as {
  duration(seconds: number, factor?: number): string;
};

test('the alerts file equals the output of the tables', () => {
  const file = join(__dirname, '../../deploy/prometheus/alerts.yaml');
  expect(readFileSync(file, 'utf8')).toBe(renderAlerts());
});

test('every alert fires in an outage, with its severity, and is named once', () => {
  const fired = new Set(OUTAGES.flatMap(({ fire }) => Object.values(fire).flat()));
  const silent = RULES.filter(({ alert, severity }) => !fired.has(`${alert} ${severity}`));
  expect(silent.map(({ alert }) => alert)).toEqual(['Watchdog']);
  expect(new Set(RULES.map(({ alert }) => alert)).size).toBe(RULES.length);
});

test('the work of every Schedule has one limit', () => {
  const bounded = [...PAGED.values(), ...TICKETED.values()].flat();
  const ending = Object.keys(PERIODIC).filter((scheduleId) => PERIODIC[scheduleId]!.lastStep);
  expect(bounded.toSorted()).toEqual(ending.toSorted());
});

test('durations are in the largest whole unit, and a game day divides them', () => {
  expect([30, 60, 300, 3600, 86_400, 90].map((seconds) => duration(seconds))).toEqual([
    '30s',
    '1m',
    '5m',
    '1h',
    '1d',
    '90s',
  ]);
  expect(duration(3600, 15)).toBe('4m');
  expect(duration(86_400, 10)).toBe('5m');
  expect([60, 10].map((seconds) => duration(seconds, 100))).toEqual(['30s', '10s']);
  expect(renderAlerts(10)).toContain('[30s]');
  expect(renderAlerts(10)).not.toContain('[10m]');
});
