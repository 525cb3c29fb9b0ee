import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

interface Record {
  pid: number;
  mark: string | null;
  stopSignal: string;
}
const { startMark, isSame } = require('../../../scripts/process/identity.mjs') as {
  startMark(pid: number): string | null;
  isSame(record: { pid: number; mark: string | null }): boolean;
};
const { stopAll, stopProcess } = require('../../../scripts/process/stop.mjs') as {
  stopAll(records: Record[]): Promise<number>;
  stopProcess(record: Record, patienceMs?: number): Promise<void>;
};

const obedient = 'console.log("up"); setInterval(() => {}, 1000)';
const stubborn = `process.on("SIGTERM", () => {}); ${obedient}`;
const children: ChildProcess[] = [];

async function started(source: string): Promise<Record> {
  const child = spawn(process.execPath, ['-e', source], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  await once(child.stdout!, 'data');
  return { pid: child.pid!, mark: startMark(child.pid!), stopSignal: 'SIGTERM' };
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

test('a process keeps its identity as long as it lives, and shares it with no other', async () => {
  const record = await started(obedient);
  expect(isSame(record)).toBe(true);
  expect(isSame({ ...record, pid: process.pid })).toBe(false);
  await stopProcess(record);
  expect(startMark(record.pid)).toBeNull();
  expect(isSame(record)).toBe(false);
});

test('a pid reused by another process is left alone', async () => {
  const record = await started(obedient);
  await stopProcess({ ...record, mark: '1' });
  expect(isSame(record)).toBe(true);
});

test('a process that ignores its signal is killed after a limit', async () => {
  const record = await started(stubborn);
  await stopProcess(record, 50);
  expect(isSame(record)).toBe(false);
});

test('all are stopped; those that had already ended are not counted', async () => {
  const records = [await started(obedient), await started(obedient)];
  await stopProcess(records[0]!);
  expect(await stopAll(records)).toBe(1);
  expect(records.some(isSame)).toBe(false);
});
