// A child that hangs, responds with nonsense or ends is noticed: it is restarted, with one line on the screen.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

interface Running {
  readonly name: string;
  readonly pid: number;
  readonly mark: string | null;
  readonly stopSignal: string;
  readonly log: string;
  readonly child: ChildProcess;
  readonly ended: Promise<string>;
  reason(): string;
}
interface Watched {
  readonly running: Running;
  readonly endsAll?: boolean;
  start(): Running;
  answers(): Promise<boolean>;
}
const { watchAll } = require('../../../scripts/process/watch.mjs') as {
  watchAll(ctx: object, watched: readonly Watched[], times: object): Promise<void>;
};
const { answersHttp, repliesHttp, repliesTcp } = require('../../../scripts/process/wait-until.mjs') as {
  answersHttp(url: string, timeoutMs: number): Promise<boolean>;
  repliesHttp(url: string, timeoutMs: number): Promise<boolean>;
  repliesTcp(port: number, bytes: string, timeoutMs: number): Promise<boolean>;
};
const { freePorts } = require('../../../scripts/process/ports.mjs') as { freePorts(count: number): Promise<number[]> };
const { startMark } = require('../../../scripts/process/identity.mjs') as { startMark(pid: number): string | null };
const { createProgress } = require('../../../scripts/command/progress.mjs') as {
  createProgress(write: (line: string) => void): object;
};

const TIMES = { everyMs: 20, most: 3, mostBusy: 5, politeMs: 200 };
/** Longer than any standstill before a response, but limited if there is none. */
const PROBE_MS = 2_000;

/** Responds as `POST /<status>` has set it; `POST /hang` blocks forever. */
const CHILD = `let status = 200;
  require('node:http').createServer((request, response) => {
    if (request.url === '/hang') { response.end(() => { for (;;); }); return; }
    if (request.method === 'POST') status = Number(request.url.slice(1));
    response.writeHead(status).end();
  }).listen(PORT, '127.0.0.1')`;

const children: ChildProcess[] = [];
const session = new AbortController();
afterAll(() => {
  session.abort();
  for (const child of children) child.kill('SIGKILL');
});

function start(port: number): Running {
  const child = spawn(process.execPath, ['-e', CHILD.replace('PORT', String(port))], {
    detached: true,
    stdio: 'ignore',
  });
  children.push(child);
  const ended = once(child, 'exit').then(([code, by]) => String(by ?? `exit code ${code}`));
  const pid = child.pid!;
  const stopped = { stopSignal: 'SIGTERM', log: 'child.log', reason: () => 'no reason' };
  return { name: 'child', pid, mark: startMark(pid), child, ended, ...stopped };
}

/** A watched child that responds, and the lines of the screen. */
async function watched(more: { readonly endsAll?: boolean } = {}) {
  const [port] = (await freePorts(1)) as [number];
  const url = `http://127.0.0.1:${port}`;
  const starts: Running[] = [];
  const startOne = (): Running => {
    starts.push(start(port));
    return starts.at(-1)!;
  };
  const lines: string[] = [];
  const ctx = { signal: session.signal, progress: createProgress((line) => lines.push(line.trim())) };
  const answers = (): Promise<boolean> => answersHttp(url, PROBE_MS);
  const running = startOne();
  while (!(await answers()));
  const watching = watchAll(ctx, [{ running, start: startOne, answers, ...more }], TIMES);
  watching.catch(() => undefined);
  const back = async (): Promise<void> => {
    while (!lines.some((line) => line.startsWith('✓'))) await new Promise(setImmediate);
  };
  return { url, port, starts, lines, watching, back };
}

test.each([
  ['hangs', '/hang', /^✗ child has not answered 3 times in a row: it is started again \(log: child\.log\)$/],
  ['answers nonsense', '/500', /^✗ child has not answered 3 times in a row: it is started again/],
])('a child that %s is started again, with one line', async (_what, path, line) => {
  const { url, starts, lines, back } = await watched();
  await fetch(url + path, { method: 'POST' }).catch(() => undefined);
  await back();
  expect(lines).toEqual([expect.stringMatching(line), '✓ child answers again']);
  expect(starts).toHaveLength(2);
  expect(startMark(starts[0]!.pid)).toBeNull();
  expect(await answersHttp(url, PROBE_MS)).toBe(true);
});

test('a program of the service gets longer, but is noticed', async () => {
  const { url, starts, lines, back } = await watched({ endsAll: true });
  await fetch(`${url}/500`, { method: 'POST' });
  await back();
  expect(lines).toEqual([
    '✗ child has not answered 3 times in a row (log: child.log)',
    '✗ child has not answered 5 times in a row: it is started again (log: child.log)',
    '✓ child answers again',
  ]);
  expect(starts).toHaveLength(2);
});

test('a server that ends is started again; a program of the service ends all', async () => {
  const server = await watched();
  server.starts[0]!.child.kill('SIGKILL');
  await server.back();
  expect(server.lines).toEqual([
    '✗ child ended (SIGKILL): it is started again (log: child.log)',
    '✓ child answers again',
  ]);
  const program = await watched({ endsAll: true });
  program.starts[0]!.child.kill('SIGKILL');
  await expect(program.watching).rejects.toThrow('The child ended (SIGKILL): no reason (log: child.log)');
  expect(program.lines).toEqual([]);
});

test('a port that accepts connections is not an answer', async () => {
  const { url, port, starts } = await watched();
  expect(await repliesHttp(`${url}/any`, PROBE_MS)).toBe(true);
  expect(await repliesTcp(port, 'nonsense\r\n\r\n', PROBE_MS)).toBe(true);
  process.kill(starts[0]!.pid, 'SIGSTOP');
  expect(await repliesHttp(`${url}/any`, 200)).toBe(false);
  expect(await repliesTcp(port, 'nonsense\r\n\r\n', 200)).toBe(false);
});
