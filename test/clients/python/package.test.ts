// The package as a customer has it: packed, installed from the file, checked by mypy as strictly as it can, and its
// examples run against the real service.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { createCharger } from '../../../src/api/kernel/charging/charger';
import { createStores } from '../../../src/store/create-stores';
import { signatureHeaders } from '../../../src/webhooks/signature';
import { type Served, seedEverything, serve } from '../../support/api/served';
import { environmentOf, installForPackage } from '../../support/clients/racing/agent';
import { mypyCache } from '../../support/clients/tools';
import { freePort } from '../../support/servers/free-port';

const SOURCE = join(__dirname, '../../../clients/python');
const run = promisify(execFile);
const installed = installForPackage();
const why = installed.lacks ? ` (skipped: ${installed.lacks})` : '';
const python = installed.python ?? '';

(installed.lacks ? describe.skip : describe)(`the Python package${why}`, () => {
  let served: Served;
  let folder: string;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'python-package-'));
    // A build leaves files beside its sources.
    await cp(SOURCE, join(folder, 'source'), { recursive: true });
    const quietly = ['--quiet', '--disable-pip-version-check', '--no-index', '--no-deps'];
    const pip = (...args: string[]) => run(python, ['-m', 'pip', ...args], { cwd: folder });
    await pip('wheel', ...quietly, '--no-build-isolation', '--wheel-dir', 'packed', './source');
    const [wheel] = await readdir(join(folder, 'packed'));
    await pip('install', ...quietly, '--target', 'site', join('packed', wheel!));
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

  const environment = (): NodeJS.ProcessEnv => environmentOf(join(folder, 'site'));

  /** Starts an example; resolves to its first line. */
  async function firstLine(name: string, env: Record<string, string> = {}): Promise<string> {
    const apiKey = await served.addKey({ plan: 'enterprise' });
    const child = spawn(python, [join(SOURCE, 'examples', `${name}.py`)], {
      env: { ...environment(), ODDS_API_URL: served.api.url, ODDS_API_KEY: apiKey, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    const wrong = child.stderr.toArray();
    return Promise.race([
      once(createInterface(child.stdout), 'line').then(([text]) => text as string),
      once(child, 'exit').then(async () => `ended: ${Buffer.concat(await wrong)}`),
    ]);
  }

  test('the package has its modules, its mark of types, its README and its licence', async () => {
    const files = await readdir(join(folder, 'site'), { recursive: true });
    expect(files).toEqual(
      expect.arrayContaining([
        'racing_odds_client/py.typed',
        'racing_odds_client/generated/schemas.py',
        'racing_odds_client-0.1.0.dist-info/licenses/LICENSE',
      ]),
    );
    const others = files.filter((file) => !/^racing_odds_client(-0\.1\.0\.dist-info)?(\/|$)/.test(file));
    expect(others.filter((file) => file !== 'bin')).toEqual([]);
  });

  test.each([
    ['next_to_go', /^Flemington \d, 2026-11-21T/],
    ['errors', /^\w+: .+ \(request [0-9a-f-]+\)$/],
    ['poll', /^\d races, and something has changed$/],
    ['pages', /^2 rows of \d+$/],
    ['frames', /^\d+ closing lines from 2026-11-21 01:00:00\+00:00, mean drift -?[\d.]+%$/],
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

  test('mypy accepts the package, its examples and what is right, and refuses what is wrong', async () => {
    const programs = [
      join(folder, 'source/src'),
      join(folder, 'source/examples'),
      join(__dirname, '../../support/clients/racing/typed.py'),
    ];
    for (const version of ['3.10', '3.13']) {
      const args = ['--strict', '--no-error-summary', '--python-version', version, '--cache-dir', mypyCache(python)];
      const { stdout } = await run(python, ['-m', 'mypy', ...args, ...programs], { cwd: folder }).catch(
        (error: { stdout: string }) => error,
      );
      expect(stdout).toBe('');
    }
  });
});
