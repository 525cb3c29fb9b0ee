import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Lock {
  tryLock(file: string): boolean;
  unlock(file: string): void;
  withLock<T>(file: string, work: () => Promise<T>, options?: { onWait(): void }): Promise<T>;
}
const { tryLock, unlock, withLock } = require('../../../scripts/install/lock.mjs') as Lock;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
  file = join(folder, 'one.lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a lock has one holder', () => {
  expect(tryLock(file)).toBe(true);
  expect(tryLock(file)).toBe(false);
  unlock(file);
  expect(tryLock(file)).toBe(true);
  expect(readdirSync(folder)).toEqual(['one.lock']);
});

test('the lock of a dead process is taken over', () => {
  writeFileSync(file, JSON.stringify({ pid: process.pid, mark: 'another life' }));
  expect(tryLock(file)).toBe(true);
  expect(tryLock(file)).toBe(false);
});

test('an unreadable lock file never blocks forever', () => {
  writeFileSync(file, '');
  expect(tryLock(file)).toBe(true);
});

test('the second waits until the first is done, and is notified once', async () => {
  const order: string[] = [];
  let finish = () => {};
  const first = withLock(file, () => new Promise<void>((resolve) => (finish = resolve)));
  const second = withLock(file, async () => void order.push('second'), { onWait: () => void order.push('waits') });
  order.push('first');
  finish();
  await Promise.all([first, second]);
  expect(order).toEqual(['waits', 'first', 'second']);
  expect(existsSync(file)).toBe(false);
});
