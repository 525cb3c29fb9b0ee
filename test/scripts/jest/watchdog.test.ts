import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Options {
  mostMs?: number;
  now?: () => number;
  end?: (pid: number) => void;
  log?: (line: string) => void;
}
const { watchFiles } = require('../../../scripts/jest/watchdog.mjs') as {
  watchFiles(folder: string, options?: Options): () => void;
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watchdog-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const runs = (path: string, pid: number, since: number, test?: string) =>
  writeFileSync(join(folder, String(pid)), JSON.stringify({ path, pid, since, test }));

test('a file that has run for longer than its limit is ended once, by name; the others continue', async () => {
  runs('hangs.test.ts', 11, 0, 'a race never ends');
  runs('young.test.ts', 12, 900);
  writeFileSync(join(folder, '13'), '{"half');
  const ended: number[] = [];
  const lines: string[] = [];
  const stop = watchFiles(folder, {
    mostMs: 1000,
    now: () => 1500,
    end: (pid) => void ended.push(pid),
    log: (line) => void lines.push(line),
  });
  try {
    while (ended.length === 0) await new Promise((turn) => setTimeout(turn, 20));
  } finally {
    stop();
  }
  expect(ended).toEqual([11]);
  expect(lines.join()).toContain('hangs.test.ts has not ended after 1 s');
  expect(lines.join()).toContain('a race never ends');
});

test('a process whose event loop is blocked is ended too', async () => {
  const child = spawn(process.execPath, ['-e', 'for (;;);']);
  const exit = once(child, 'exit');
  runs('loops.test.ts', child.pid!, 0);
  const stop = watchFiles(folder, { mostMs: 1, log: () => undefined });
  try {
    expect(await exit).toEqual([null, 'SIGKILL']);
  } finally {
    stop();
  }
});
