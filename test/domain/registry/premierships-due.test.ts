// Which tables a run reads, over whole weeks of nights, including runs that fail.
import type { PremiershipTable } from '../../../src/domain/registry/premiership';
import { type PremiershipReading, premiershipsDue } from '../../../src/domain/registry/premierships-due';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** 11 pm on 20 November in Sydney. */
const EVENING = Date.parse('2026-11-20T12:00:00.000Z');

const keyOf = ({ role, state, scope, seasonStartYear }: PremiershipTable) =>
  `${role} ${state} ${scope} ${seasonStartYear}`;

/** Runs every hour; `read` decides the outcome of an attempt. */
function collector(read: (table: PremiershipTable, nowMs: number) => 'read' | 'failed' | 'absent' = () => 'read') {
  const readings = new Map<string, PremiershipReading>();
  return {
    readings,
    run(nowMs: number, stopAfter = Number.POSITIVE_INFINITY): PremiershipTable[] {
      const due = premiershipsDue([...readings.values()], nowMs).flat();
      const tried = due.slice(0, stopAfter);
      for (const [i, table] of tried.entries()) {
        const triedAt = new Date(nowMs + i * 1000).toISOString();
        const came = read(table, nowMs);
        const scrapedAt = came === 'read' ? triedAt : (readings.get(keyOf(table))?.scrapedAt ?? null);
        readings.set(keyOf(table), { ...table, triedAt, scrapedAt, absent: came === 'absent' });
      }
      return due;
    },
  };
}

test('at first all 180 tables are due: this season’s national tables before states and last season', () => {
  const { run } = collector();
  const due = run(EVENING);
  expect(new Set(due.map(keyOf)).size).toBe(180);
  expect(due.slice(0, 10).map(({ state, seasonStartYear }) => [state, seasonStartYear])).toEqual(
    Array(10).fill(['AUS', 2026]),
  );
  expect(due.slice(90).every(({ seasonStartYear }) => seasonStartYear === 2025)).toBe(true);
  expect(run(EVENING + HOUR / 2)).toEqual([]);
});

test('each night reads the national tables and a share of the others: states every four nights, last season every seven', () => {
  const { run } = collector();
  run(EVENING);
  const nights = new Map<string, number[]>();
  for (let hour = 1; hour <= 21 * 24; hour += 1) {
    const due = run(EVENING + hour * HOUR);
    // Only the first hour after midnight in Sydney.
    expect(due.length).toBe(hour % 24 === 1 ? 43 : 0);
    for (const table of due) nights.set(keyOf(table), [...(nights.get(keyOf(table)) ?? []), Math.floor(hour / 24)]);
  }
  const widest = (of: (key: string) => boolean) =>
    Math.max(...[...nights].flatMap(([key, on]) => (of(key) ? on.map((night, i) => night - (on[i - 1] ?? -1)) : [])));
  expect(nights.size).toBe(180);
  expect(widest((key) => key.includes(' AUS ') && key.endsWith('2026'))).toBe(1);
  expect(widest((key) => !key.includes(' AUS ') && key.endsWith('2026'))).toBe(4);
  expect(widest((key) => key.endsWith('2025'))).toBe(7);
});

test('a run that stops is continued by the next, and what failed waits behind its group', () => {
  const busy = collector((_, nowMs) => (nowMs === EVENING ? 'failed' : 'read'));
  busy.run(EVENING, 3);
  const next = busy.run(EVENING + HOUR / 2, 100);
  expect(next).toHaveLength(180);
  const failed = [...busy.readings.keys()].slice(0, 3);
  expect(next.slice(7, 10).map(keyOf)).toEqual(failed);
  expect(busy.run(EVENING + HOUR * 0.75)).toHaveLength(80);
  expect([...busy.readings.values()].every(({ scrapedAt }) => scrapedAt !== null)).toBe(true);
});

test('a table that the registry does not publish is tried with its group; one that always fails blocks no other', () => {
  const odd = collector(({ scope, state }) => {
    if (state === 'ACT' && scope === 'picnic') return 'absent';
    return state === 'NT' && scope === 'metro' ? 'failed' : 'read';
  });
  odd.run(EVENING);
  expect(odd.run(EVENING + HOUR / 2).map(({ state, scope }) => `${state} ${scope}`)).toEqual(Array(4).fill('NT metro'));
  for (let night = 0; night < 8; night += 1) odd.run(EVENING + HOUR + night * DAY);
  const fresh = [...odd.readings.values()].filter(({ state, scope }) => !(state === 'NT' && scope === 'metro'));
  expect(fresh.every(({ triedAt }) => Date.parse(triedAt) > EVENING + HOUR / 2)).toBe(true);
});

test('a new season starts with all of its tables, and last season is the one that ended', () => {
  const { run, readings } = collector();
  const lastEvening = Date.parse('2027-07-31T13:30:00.000Z');
  run(lastEvening);
  const due = run(lastEvening + HOUR);
  expect(due.filter(({ seasonStartYear }) => seasonStartYear === 2027)).toHaveLength(90);
  expect(due.filter(({ seasonStartYear }) => seasonStartYear === 2026)).toHaveLength(13);
  expect(readings.size).toBe(270);
});
