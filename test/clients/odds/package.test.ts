// The command line as a customer has it: packed, installed from the file, and run by its name.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify, stripVTControlCharacters } from 'node:util';
import { type Served, seedEverything, serve } from '../../support/api/served';

const SOURCE = join(__dirname, '../../../clients/odds');
const run = promisify(execFile);

let served: Served;
let folder: string;
let key: string;
let packed: { filename: string; files: { path: string }[]; size: number };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'odds-package-'));
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts=false', '--pack-destination', folder], {
    cwd: SOURCE,
  });
  [packed] = JSON.parse(stdout.slice(stdout.search(/^\[/m)));
  await writeFile(join(folder, 'package.json'), '{}');
  const quietly = ['--no-audit', '--no-fund', '--offline', '--loglevel=error'];
  await run('npm', ['install', ...quietly, `./${packed.filename}`], { cwd: folder });
  served = await serve();
  await seedEverything(served.db);
  key = await served.addKey({ plan: 'enterprise' });
});
afterAll(async () => {
  await served?.stop();
  await rm(folder, { recursive: true, force: true });
});

const odds = (): string => join(folder, 'node_modules/.bin/odds');
const environment = () => ({ ...process.env, NODE_OPTIONS: '', ODDS_API_URL: served.api.url, ODDS_API_KEY: key });

/** Under a shell: pipes and terminals are the system's. */
async function shell(command: string) {
  const child = spawn('bash', ['-o', 'pipefail', '-c', command], { env: { ...environment(), ODDS: odds() } });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  expect(out + err).not.toContain(key);
  return { out, err, code };
}

test('the package is one program with the licences of what is in it, and needs no other', async () => {
  const paths = packed.files.map(({ path }) => path).sort();
  expect(paths).toEqual(['LICENSE', 'README.md', 'dist/LICENSES.txt', 'dist/odds.js', 'package.json']);
  expect(existsSync(join(folder, 'node_modules/commander'))).toBe(false);
  const licences = await readFile(join(folder, 'node_modules/racing-odds/dist/LICENSES.txt'), 'utf8');
  for (const name of ['commander', 'log-update', 'string-width'])
    expect(licences).toMatch(new RegExp(`^${name} .*MIT`, 'm'));
});

test('it answers by its name, with its version and help, and in a pipe without colours', async () => {
  const { version } = JSON.parse(await readFile(join(SOURCE, 'package.json'), 'utf8'));
  expect(await shell('"$ODDS" --version')).toEqual({ out: `${version}\n`, err: '', code: 0 });
  for (const name of ['next', 'race', 'follow', 'replay', 'download', 'mirror', 'usage'])
    expect(await shell(`"$ODDS" ${name} --help`)).toMatchObject({
      out: expect.stringMatching(`^Usage: odds ${name} `),
      code: 0,
    });
  expect(await shell('"$ODDS" next | cat')).toMatchObject({ out: expect.stringMatching(/^[\P{C}\n]+$/u), code: 0 });
  expect(await shell('"$ODDS" nothing')).toMatchObject({ out: '', code: 2 });
});

test('an interruption ends it as a shell expects', async () => {
  // The shell reports its job on its own error output.
  const watched = '"$ODDS" next --watch --every 1 --json > out 2> err & while [ ! -s out ]; do :; done';
  const ended = 'kill -INT $!; wait $!; code=$?; cat err; exit $code';
  expect(await shell(`cd ${folder}; set -m; ${watched}; ${ended}`)).toMatchObject({ out: '', code: 130 });
});

test('on a terminal the table is drawn in its width', async () => {
  if (!existsSync('/usr/bin/script')) return console.warn('skipped: there is no script(1) for a terminal');
  const command = 'stty cols 60 rows 20; exec "$ODDS" race Flemington 1';
  const { out, code } = await shell(`script -qefc '${command}' /dev/null < /dev/null`);
  expect(code).toBe(0);
  const lines = stripVTControlCharacters(out).split('\r\n');
  expect(lines[0]).toMatch(/^Flemington R1 · horse/);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  expect(out).toContain('\u001b[1m');
});
