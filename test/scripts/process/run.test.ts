import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Run = (command: string, args: string[], options: { signal: AbortSignal; log: string }) => Promise<void>;
const { run } = require('../../../scripts/process/run.mjs') as { run: Run };
const { startMark } = require('../../../scripts/process/identity.mjs') as { startMark(pid: number): string | null };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const never = new AbortController().signal;

test('a failing program is reported with the line of its log that explains why', async () => {
  const log = join(folder, 'a.log');
  const script = 'echo begin; echo "fatal: no such thing"; echo end; exit 3';
  await expect(run('sh', ['-c', script], { signal: never, log })).rejects.toThrow(
    `sh failed: fatal: no such thing (all of it: ${log})`,
  );
});

test('an abort ends the program and everything it started', async () => {
  const log = join(folder, 'b.log');
  const controller = new AbortController();
  const running = run('sh', ['-c', 'sleep 60 & echo $!; wait'], { signal: controller.signal, log });
  const grandchild = await pidIn(log);
  controller.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
  expect(startMark(grandchild)).toBeNull();
});

async function pidIn(log: string): Promise<number> {
  for (;;) {
    const text = readFileSync(log, 'utf8');
    if (text.endsWith('\n')) return Number(text);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
