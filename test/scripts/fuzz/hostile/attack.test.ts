import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Target {
  readonly ask: (name: string) => Promise<unknown>;
}
interface Case {
  readonly name: string;
  readonly sends: readonly Buffer[];
  readonly requests: readonly object[];
}
interface Findings {
  sentences(): string[];
}
const ROOT = join(__dirname, '../../../..');
const hostile = (file: string) => require(join(ROOT, 'scripts/fuzz/hostile', file));
const { attack } = hostile('attack.mjs') as {
  attack(kind: object, battery: object): Promise<{ requests: number; ends: number; worstMs: number }>;
};
const { crowd } = hostile('crowds.mjs') as { crowd(battery: object): Promise<number> };
const { createTarget } = hostile('target.mjs') as { createTarget(how: object): Promise<Target> };
const { createFindings } = hostile('findings.mjs') as { createFindings(): Findings };
const { LIMITS } = hostile('limits.mjs') as { LIMITS: object };
const { single } = hostile('requests.mjs') as { single(name: string, request: object, more?: object): Case };

const planted = (posts: number, patienceMs?: number) => ({
  name: 'planted',
  title: 'planted requests',
  *cases() {
    for (let i = 0; i < posts; i += 1)
      yield single(`POST ${i}`, { method: 'POST', target: '/v1/thing', body: '{}' }, { patienceMs });
    yield single('GET', { target: '/v1/thing' });
    yield single('GET of nothing', { target: '/nothing' });
  },
});

const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Starts a server with this fault planted. */
function starting(fault: string) {
  return async () => {
    const log = join(folder, `${fault}-${children.length}.log`);
    const output = openSync(log, 'w');
    const watcher = pathToFileURL(join(ROOT, 'scripts/fuzz/hostile/watcher.mjs')).href;
    const args = ['--expose-gc', '--import', watcher, join(ROOT, 'test/support/fuzz/planted-server.mjs'), fault];
    const child = spawn(process.execPath, args, { stdio: ['ignore', output, output, 'ipc'] });
    closeSync(output);
    children.push(child);
    const [world] = await once(child, 'message');
    return { ...world, child, log, reason: () => readFileSync(log, 'utf8') };
  };
}

const progress = { step: (_title: string, work: () => Promise<void>) => work(), note: () => {} };
const { signal } = new AbortController();

/** The battery's findings in a server with this fault planted. */
async function foundIn(fault: string, posts: number, stuckMs?: number) {
  const found = createFindings();
  const target = await createTarget({ start: starting(fault), seed: 1, stuckMs });
  const figures = await attack(planted(posts, stuckMs), {
    target,
    found,
    progress,
    signal,
    limits: { ...LIMITS, settleMs: 10 },
  });
  return { figures, sentences: found.sentences() };
}

test('nothing is found in a good server', async () => {
  const { figures, sentences } = await foundIn('none', 3);
  expect(sentences).toEqual([]);
  expect(figures).toMatchObject({ requests: 5, ends: 0 });
});

test.each<[string, number, RegExp[]]>([
  [
    'ends',
    4,
    [/ends the process: TypeError: planted\n {4}POST 0\n {4}POST 1\n {4}POST 2$/, /rest was left out.*\n {4}3 cases$/],
  ],
  ['works', 1, [/works more than 250 ms of CPU without a turn of the event loop\n {4}POST 0$/]],
  // A slow request is tried again, and leaves as much memory again.
  [
    'grows',
    3,
    [/leaves more than 64\.0 MB of memory in use\n {4}(15|20|25|30|35|40|45)\d\.\d MB after a forced collection$/],
  ],
  ['answers', 1, [/is answered 400 as text\/plain, not application\/problem\+json\n {4}POST 0$/]],
  ['fails', 1, [/is a failure in the log: request failed Error: planted inside\n {4}POST 0$/]],
])('a server that %s is found, and nothing else', async (fault, posts, expected) => {
  const { sentences } = await foundIn(fault, posts);
  expect(sentences).toEqual(expected.map((one) => expect.stringMatching(one)));
});

test('a server whose event loop is blocked is ended, restarted and found', async () => {
  const { figures, sentences } = await foundIn('hangs', 1, 1_000);
  expect(sentences[0]).toContain('leaves no turn to the event loop until it is killed\n    POST 0');
  expect(figures.ends).toBe(1);
});

const onLinux = process.platform === 'linux' ? test.each : test.skip.each;

onLinux<[string, RegExp[]]>([
  ['none', []],
  [
    'crowds',
    [
      /accepts more than 5 connections of one address\n {4}25 or more$/,
      /accepts more than 30 connections in all\n {4}\d+ or more$/,
    ],
  ],
  ['excludes', [/keeps another address out\n/, /accepts fewer than 20 connections in all\n/]],
])('of a server with the bounds "%s" the battery finds what is wrong', async (fault, expected) => {
  const found = createFindings();
  const target = await createTarget({ start: starting(fault), seed: 1 });
  await crowd({ target, found, progress, signal });
  expect(found.sentences()).toEqual(expected.map((one) => expect.stringMatching(one)));
});
