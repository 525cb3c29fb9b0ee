// The memory that benches judge (bench/panel.ts).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { reportMemory } from '../../../bench/support/panel-memory';
import type { Point } from '../../../bench/support/panel-point';
import { largest, type Memory, memoryOf, memoryOfOne } from '../../../bench/support/process-memory';
import { processes } from '../../../bench/support/process-usage';

const SMALL: Memory = { processes: 1, peak: 200, resident: 150, own: 100, proportional: 120 };

test('a process that has ended has no memory that could be within a target', async () => {
  const child = spawn('sleep', ['60']);
  const mine = memoryOf(processes(), process.pid);
  const alone = memoryOfOne(process.pid);
  expect(mine.processes).toBeGreaterThan(alone.processes);
  expect(alone.peak).toBeGreaterThan(0);
  expect(memoryOf(processes(), child.pid!).processes).toBe(1);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(() => memoryOf(processes(), child.pid!)).toThrow('has ended');
  expect(() => memoryOfOne(child.pid!)).toThrow('has ended');
});

test('of several moments the one with most memory counts, with the highest peak', () => {
  const most = { ...SMALL, own: 90, proportional: 300 };
  expect(largest([SMALL, most, { ...SMALL, own: 280, peak: 210 }])).toEqual({ ...most, peak: 210 });
});

describe('the targets', () => {
  const printed = jest.spyOn(console, 'log').mockReturnValue();
  afterAll(() => printed.mockRestore());
  const isWithin = (name: string, memory: Memory): boolean =>
    reportMemory([{ speed: 1, memory: new Map([[name, memory]]) } as unknown as Point]);

  test.each(['worker: poll 2', 'api'])('%s is judged by its peak, whatever it has in the end', (name) => {
    expect(isWithin(name, SMALL)).toBe(true);
    expect(isWithin(name, { ...SMALL, peak: 401 })).toBe(false);
    expect(isWithin(name, { ...SMALL, peak: Number.NaN })).toBe(false);
  });

  test('PostgreSQL is judged with each page once', () => {
    expect(isWithin('PostgreSQL', { ...SMALL, peak: 3000, resident: 2100 })).toBe(true);
    expect(isWithin('PostgreSQL', { ...SMALL, proportional: 401 })).toBe(false);
  });
});
