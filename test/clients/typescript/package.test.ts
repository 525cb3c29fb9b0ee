// The package as a customer has it: packed, installed from the file, compiled by TypeScript 5 as strictly as it can,
// and its examples run by plain Node against the real service.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createCharger } from '../../../src/api/kernel/charging/charger';
import { createStores } from '../../../src/store/create-stores';
import { signatureHeaders } from '../../../src/webhooks/signature';
import { type Served, seedEverything, serve } from '../../support/api/served';
import { ensureTypeScript5 } from '../../support/clients/tools';
import { freePort } from '../../support/servers/free-port';

const ROOT = join(__dirname, '../../..');
const SOURCE = join(ROOT, 'clients/typescript');
const run = promisify(execFile);

let served: Served;
let folder: string;
let packed: { filename: string; files: { path: string }[] };
const children: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-package-'));
  const quietly = ['--no-audit', '--no-fund', '--offline', '--loglevel=error'];
  // Its build prints, too.
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts=false', '--pack-destination', folder], {
    cwd: SOURCE,
  });
  [packed] = JSON.parse(stdout.slice(stdout.search(/^\[/m)));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await run('npm', ['install', ...quietly, `./${packed.filename}`], { cwd: folder });
  await cp(join(SOURCE, 'examples'), folder, { recursive: true });
  served = await serve(({ pool }) => ({ charger: createCharger(createStores(pool).credits) }));
  await seedEverything(served.db);
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill();
    await once(child, 'exit');
  }
});
afterAll(async () => {
  await served?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Starts an example; resolves to its first line. */
async function firstLine(name: string, env: Record<string, string> = {}): Promise<string> {
  const apiKey = await served.addKey({ plan: 'enterprise' });
  const child = spawn(process.execPath, [join(folder, `${name}.ts`)], {
    env: { ...process.env, NODE_OPTIONS: '', ODDS_API_URL: served.api.url, ODDS_API_KEY: apiKey, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const wrong = child.stderr.toArray();
  const line = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([text]) => text as string),
    once(child, 'exit').then(async () => `ended: ${Buffer.concat(await wrong)}`),
  ]);
  return line;
}

test('the package has what is built, its README and its licence', () => {
  const paths = packed.files.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'dist/index.d.ts']));
  expect(paths.filter((path) => !/^(LICENSE|README\.md|package\.json|dist\/[\w/-]+\.(d\.ts|js))$/.test(path))).toEqual(
    [],
  );
});

test.each([
  ['next-to-go', /^Flemington \d, 2026-11-21T/],
  ['errors', /^\w+: .+ \(request [0-9a-f-]+\)$/],
  ['poll', /^\d races, and something has changed$/],
  ['pages', /^2 rows of \d+$/],
  ['follow', /^\d+ races after \d+ events$/],
])('the example %s runs', async (name, line) => {
  expect(await firstLine(name)).toMatch(line);
});

test('the example webhook accepts a signed post and refuses another', async () => {
  const [secret, port] = ['whsec_c2VjcmV0', await freePort()];
  expect(await firstLine('webhook', { WEBHOOK_SECRET: secret, PORT: `${port}` })).toBe('listening');
  const body = '{"event":"race.result"}';
  const headers = signatureHeaders({ id: 'msg_1', at: new Date(), body }, [secret]);
  const post = (text: string) => fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: text });
  expect([(await post(body)).status, (await post('{}')).status]).toEqual([204, 400]);
});

test('programs compile with TypeScript 5', async () => {
  await symlink(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'));
  const strictest = {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: ['node'],
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: strictest, include: ['*.ts'] }));
  const compiler = join(await ensureTypeScript5(), 'node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [compiler, '-p', folder, '--pretty', 'false']).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe('');
});
