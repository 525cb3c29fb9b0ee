// The backup drill's own judgement: when states are equal, the second to which it restores, and that
// docs/operations/servers.md prints the commands that it runs.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type State = { rows?: number; state: string };
type Fingerprint = Record<string, State>;
const { differences, rowsIn, countOf } = require('../../scripts/backup-drill/fingerprint.mjs') as {
  differences(expected: Fingerprint, found: Fingerprint): string[];
  rowsIn(found: Fingerprint): number;
  countOf(found: Fingerprint, kind: string): number;
};
const { COMMANDS, wordsOf, settingsIn, secondBefore } = require('../../scripts/backup-drill/commands.mjs') as {
  COMMANDS: Record<string, string>;
  wordsOf(name: string, target?: string | null): string[];
  settingsIn(text: string): Record<string, string>;
  secondBefore(ms: number): string;
};
const { tableOf } = require('../../scripts/backup-drill/table.mjs') as { tableOf(steps: readonly object[]): string[] };
const { signedBy } = require('../../scripts/install/suite-package.mjs') as {
  signedBy(keys: string, sources: string): string;
};
const { endAll } = require('../../scripts/backup-drill/left-behind.mjs') as { endAll(program: string): Promise<void> };
interface Started {
  readonly script: string;
  readonly child: ChildProcess;
}
const root = join(__dirname, '../..');
const deployed = (name: string): string => readFileSync(join(root, 'deploy/pgbackrest', name), 'utf8');

const WHOLE: Fingerprint = {
  'table public.price_ticks': { rows: 2, state: '77' },
  'table public.races': { rows: 1, state: '5' },
  'chunk _hyper_1_1_chunk': { state: 'price_ticks 2026-11-28 2026-11-29 f' },
  'login odds_api': { state: 'abc' },
};

test('the same state has no difference', () => {
  expect(differences(WHOLE, structuredClone(WHOLE))).toEqual([]);
  expect([rowsIn(WHOLE), countOf(WHOLE, 'table'), countOf(WHOLE, 'chunk')]).toEqual([3, 2, 1]);
});

test.each([
  [
    'a row is lost',
    { 'table public.price_ticks': { rows: 1, state: '30' } },
    'table public.price_ticks has 1 rows, expected 2',
  ],
  ['a row is more', { 'table public.races': { rows: 2, state: '9' } }, 'table public.races has 2 rows, expected 1'],
  ['a row is another', { 'table public.races': { rows: 1, state: '6' } }, 'table public.races has other rows'],
  ['a chunk is lost', { 'chunk _hyper_1_1_chunk': undefined }, 'chunk _hyper_1_1_chunk is missing'],
  ['a password is another', { 'login odds_api': { state: 'abd' } }, 'login odds_api has other properties'],
  ['a table is new', { 'table public.left': { rows: 0, state: '0' } }, 'table public.left is new'],
])('%s: it is named, and nothing else', (_, change, sentence) => {
  const found = Object.fromEntries(Object.entries({ ...WHOLE, ...change }).filter(([, state]) => state));
  expect(differences(WHOLE, found as Fingerprint)).toEqual([sentence]);
});

test.each([
  ['2026-11-29T04:00:00.000Z', '2026-11-29 03:59:59+00'],
  ['2026-11-29T04:00:00.001Z', '2026-11-29 04:00:00+00'],
  ['2026-11-29T04:00:00.999Z', '2026-11-29 04:00:00+00'],
])('the second before %s is %s', (instant, target) => {
  expect(secondBefore(Date.parse(instant))).toBe(target);
});

test('a command on the page runs as printed, the restore to the drill’s own second', () => {
  expect(wordsOf('full')).toEqual(['--stanza=racing', '--type=full', 'backup']);
  expect(wordsOf('restore')).toContain('--target=2026-11-29 03:59:59+00');
  expect(wordsOf('restore', '2026-12-01 10:00:00+00')).toEqual([
    '--stanza=racing',
    '--type=time',
    '--target=2026-12-01 10:00:00+00',
    '--target-action=promote',
    'restore',
  ]);
});

test('docs/operations/servers.md has every command and both files as the drill uses them', () => {
  const page = readFileSync(join(root, 'docs/operations/servers.md'), 'utf8');
  const lines = page.split('\n').map((line) => line.trim().replace(/ > info\.json$/, ''));
  expect(Object.values(COMMANDS).filter((command) => !lines.includes(command))).toEqual([]);
  for (const file of ['pgbackrest.conf', 'postgresql.conf']) expect(page).toContain(`\n${deployed(file)}\`\`\`\n`);
});

test('settings of PostgreSQL are read completely, quoted or not', () => {
  expect(settingsIn(deployed('postgresql.conf'))).toEqual({
    archive_mode: 'on',
    archive_command: 'pgbackrest --stanza=racing archive-push %p',
    archive_timeout: '60',
  });
});

test('packages are verified by the root’s keys, unless a source names its own', () => {
  const sources = 'deb http://mirror.test/debian trixie main\ndeb [signed-by=/own.gpg] http://other.test x main\n';
  expect(signedBy('/keys.gpg', sources)).toBe(
    'deb [signed-by=/keys.gpg] http://mirror.test/debian trixie main\ndeb [signed-by=/own.gpg] http://other.test x main\n',
  );
});

test('the table has seconds for each step, and rows or megabytes if there are any', () => {
  expect(
    tableOf([
      { step: 'Full backup', ms: 2_540, bytes: 4_988_768, of: 47_121_695 },
      { step: 'Ticks', ms: 12_400, rows: 38_400 },
      { step: 'Start', ms: 700 },
    ]).slice(2),
  ).toEqual(['| Full backup | 2.5 | 5.0 MB for 47 MB |', '| Ticks | 12 | 38,400 rows |', '| Start | 0.7 |  |']);
});

const onLinux = process.platform === 'linux' ? test : test.skip;
onLinux('what is left of a program is ended, and nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'left-'));
  const [left, other] = ['left', 'other'].map((name) => {
    const script = join(folder, name);
    writeFileSync(script, 'setInterval(() => {}, 1000)');
    return { script, child: spawn(process.execPath, [script], { stdio: 'ignore' }) };
  }) as [Started, Started];
  const ended = new Promise((resolve) => left.child.on('exit', (_code, by) => resolve(by)));
  try {
    await endAll(left.script);
    expect(await ended).toBe('SIGTERM');
    expect(other.child.exitCode ?? other.child.signalCode).toBeNull();
  } finally {
    other.child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
});
