// Every program of every guide, and the notebook, is run against the service, one process for each language of a guide,
// and prints what the guide says. Programs that follow are stopped once they have seen a change. Blocks that are no
// programs are run by `guide-blocks.test.ts`.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GUIDES, type Guide, guidePath, NOTEBOOK } from '../../src/web/guides/guides';
import { guideSource } from '../../src/web/guides/page';
import { signatureHeaders } from '../../src/webhooks/signature';
import { newKey } from '../support/api/api';
import { faultyHttp } from '../support/clients/http-faults';
import { installPython } from '../support/clients/installed-python';
import { blockNamed, blocksOf, nameOf } from '../support/docs/blocks';
import { feedField } from '../support/races/builders';
import { until } from '../support/races/stream-lab';
import { freePort } from '../support/servers/free-port';
import { ARCHIVED_DAYS, TEMPTING_DAYS } from './archived-days';
import { BASE_URL, type BoardWorld, createBoardWorld } from './board-world';

const { ensurePhp } = require('../../scripts/install/php.mjs') as {
  ensurePhp(ctx: { signal: AbortSignal; logs: string }): Promise<string | null>;
};

const EXAMPLE = 'https://api.example.com';

interface Expected {
  /** Of the key; default: Free. */
  readonly plan?: string;
  readonly args?: readonly string[];
  /** By language. */
  readonly prints: Readonly<Record<string, RegExp>>;
  /** It prints this as well, after a price has changed, and does not end. */
  readonly follows?: RegExp;
}

const TABLE = /Flemington R4 at 2026-11-21T.*\n {2}1 Runner 1: 2\.5 at tab, \d+ s old.*[\s\S]*\d+ credits left/;
const UNCHANGED = /^changed: 1 races\nunchanged, the oldest price is \d+ s old\n/;
const BOTH = /^valid\ninvalid\n$/;

const FILES =
  /parquet: 20 credits\nprice_paths.parquet: 20 credits\nclosing_lines.csv: 20 credits[\s\S]*│ neds .*│ {5}6 │ +-?\d\.\d │[\s\S]*at_10_min[\s\S]*pointsbetau │ +4.8 │ +3.5 │[\s\S]*\ntab +2.0 +3.4\n/;

const BACKTEST =
  /^races on 2026-11-19: 2\nraces on 2026-11-20: 2\nbets: 4 in 4 races, 4 of them with a close\nwon: 4, profit: \d+\.\d\d\nbetter than the close: 4, on average by \d+\.\d %\n$/;

const EXPECTED: Readonly<Record<string, Expected>> = {
  'first-call': { prints: { sh: /"race_id"/, ts: TABLE, python: /Flemington R4[\s\S]*credits left/ } },
  'command-line': { prints: {} },
  polling: {
    prints: { ts: UNCHANGED, python: UNCHANGED },
    follows: /unchanged, .*\nchanged: 1 races/,
  },
  changes: { prints: { ts: /^2 prices/ }, follows: /Flemington R4 1 at tab: [\d.]+ → [\d.]+/ },
  'webhook-signatures': { prints: { ts: BOTH, python: BOTH, php: BOTH } },
  backtesting: { plan: 'plus', args: ARCHIVED_DAYS, prints: { ts: BACKTEST, python: BACKTEST } },
  archives: { plan: 'business', prints: { python: FILES } },
  credits: { prints: { ts: /^200: cost 1, \d+ left\n[\s\S]*used/ } },
  errors: { prints: { sh: /"code":"validation"/, ts: /Flemington[\s\S]*validation: / } },
  mcp: { prints: { ts: /^\d+ tools\nFlemington R4\nCost: 2 credits; \d+ left\.\n/ } },
  'from-the-odds-api': { prints: { ts: /^\d+ sports, 0 matches of the AFL/ } },
  'from-puntersedge': { prints: { sh: /"race_id"/, python: /racing\/next-to-go\?num_races=3 1 cost 2/ } },
};

const OWN = GUIDES.filter(({ file }) => file.startsWith('guides/'));

/** The blocks of a language are one program, but for those that stand apart. */
function programsOf(guide: Guide): ReadonlyMap<string, string> {
  const programs = new Map<string, string>();
  for (const block of blocksOf(guide.file)) {
    const { language, code } = block;
    if (nameOf(block) === undefined) programs.set(language, `${programs.get(language) ?? ''}${code}`);
  }
  return programs;
}

const environment = installPython('guides', join(__dirname, '../support/docs/requirements.txt'), 600);

/** The ending of a file, and what runs it; null: it cannot run here. */
const PROGRAMS: Readonly<Record<string, readonly [ending: string, find: () => Promise<string | null>]>> = {
  sh: ['sh', async () => ((await works('curl')) ? 'bash' : null)],
  ts: ['mts', async () => process.execPath],
  python: ['py', async () => environment.python ?? null],
  php: ['php', async () => ((await works('php')) ? 'php' : unpackedPhp())],
};

const LACKS: Readonly<Record<string, string | undefined>> = {
  sh: 'there is no curl',
  python: environment.lacks,
  php: 'there is no PHP and apt cannot fetch it',
};

const works = (command: string): Promise<boolean> =>
  new Promise((resolve) => execFile(command, ['--version'], (error) => resolve(error === null)));

async function unpackedPhp(): Promise<string | null> {
  const logs = join(__dirname, '../../.local/guides');
  mkdirSync(logs, { recursive: true });
  const found = await ensurePhp({ signal: AbortSignal.timeout(120_000), logs }).catch(() => null);
  return found !== null && (await works(found)) ? found : null;
}

let world: BoardWorld;
let folder: string;
let raceId: string;
const keys = new Map<string, string>();
const running: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guides-'));
  world = await createBoardWorld({ charges: true });
  for (const plan of ['free', 'plus', 'business']) {
    keys.set(plan, newKey());
    await world.addKey(keys.get(plan)!, { plan });
  }
  await world.addArchivedDays();
  raceId = await world.list(10, { venue: 'Flemington', raceNumber: 4, country: 'AU' });
  await world.poll(raceId, 'tab', feedField(2.5, 4.2));
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await world.close();
  rmSync(folder, { recursive: true });
});

interface Run {
  text: string;
  /** Null while it runs. */
  code: number | null;
}

function start(command: string, args: readonly string[], plan = 'free', more: NodeJS.ProcessEnv = {}): Run {
  const env = { ...process.env, ...more, ODDS_API_KEY: keys.get(plan), IPYTHONDIR: folder, MPLCONFIGDIR: folder };
  const child = spawn(command, args, { cwd: folder, env });
  running.push(child);
  const run: Run = { text: '', code: null };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (run.text += bytes));
  child.on('exit', (code) => {
    run.code = code ?? -1;
  });
  return run;
}

test('every guide with programs is run', () => {
  expect(OWN.map(({ slug }) => slug).sort()).toEqual(Object.keys(EXPECTED).sort());
  for (const guide of OWN)
    expect([guide.slug, ...programsOf(guide).keys()]).toEqual([
      guide.slug,
      ...Object.keys(EXPECTED[guide.slug]!.prints),
    ]);
});

test('each program prints what its guide says', async () => {
  const runs: { name: string; run: Run; prints: RegExp; follows: RegExp | undefined }[] = [];
  for (const guide of OWN) {
    const { plan, args = [], prints, follows } = EXPECTED[guide.slug]!;
    for (const [language, program] of programsOf(guide)) {
      const [ending, find] = PROGRAMS[language]!;
      const name = `${guide.slug} in ${language}`;
      const command = await find();
      if (command === null) {
        console.warn(`skipped: ${name}, because ${LACKS[language]}`);
        continue;
      }
      const file = join(folder, `${guide.slug}.${ending}`);
      writeFileSync(file, program.replaceAll(EXAMPLE, world.url));
      runs.push({ name, run: start(command, [file, ...args], plan), prints: prints[language]!, follows });
    }
  }
  for (const { name, run, prints, follows } of runs) {
    await until(() => run.code !== null || (follows !== undefined && prints.test(run.text)));
    expect([name, run.text]).toEqual([name, expect.stringMatching(prints)]);
    expect([name, run.code]).toEqual([name, follows ? null : 0]);
  }
  await world.poll(raceId, 'tab', feedField(2.6, 4.2));
  for (const { name, run, follows = /never/ } of runs.filter((one) => one.follows)) {
    await until(() => run.code !== null || follows.test(run.text));
    expect([name, run.code, run.text]).toEqual([name, null, expect.stringMatching(follows)]);
  }
});

/** By language; without those that cannot run here. */
async function startsOf(slug: string, name: string, plan: string, args: readonly string[]): Promise<[string, Run][]> {
  const runs: [string, Run][] = [];
  for (const [language, program] of programsOf(OWN.find((one) => one.slug === slug)!)) {
    const [ending, find] = PROGRAMS[language]!;
    const command = await find();
    if (command === null) continue;
    const file = join(folder, `${name}-${slug}.${ending}`);
    writeFileSync(file, program.replaceAll(EXAMPLE, world.url));
    runs.push([language, start(command, [file, ...args], plan)]);
  }
  return runs;
}

test('the programs of backtesting take no day for a whole one whose replay ended early', async () => {
  const line = await faultyHttp(world.url);
  const headers = { 'X-API-Key': keys.get('plus')! };
  const [day] = ARCHIVED_DAYS;
  const whole = await (
    await fetch(`${world.url}/v1/racing/replay?date=${day}&speed=max&format=ndjson`, { headers })
  ).text();
  const lines = whole.trimEnd().split('\n');
  const body = `${lines.slice(0, -1).join('\n')}\n`;
  try {
    for (const [language, program] of programsOf(OWN.find(({ slug }) => slug === 'backtesting')!)) {
      const [ending, find] = PROGRAMS[language]!;
      const command = await find();
      if (command === null) continue;
      const file = join(folder, `early.${ending}`);
      writeFileSync(file, program.replaceAll(EXAMPLE, line.url));
      line.plan({ status: 200, headers: { 'Content-Type': 'application/x-ndjson' }, body });
      const run = start(command, [file, day!], 'plus');
      await until(() => run.code !== null);
      const { id } = JSON.parse(lines.at(-2)!);
      expect([language, run.code, run.text]).toEqual([
        language,
        1,
        expect.stringContaining(`${day} is not whole: it broke off after ${id}`),
      ]);
    }
  } finally {
    await line.close();
  }
});

test('the programs of backtesting bet on no placeholder and on no book that has stood still', async () => {
  const days = [...TEMPTING_DAYS, '2026-11-02'];
  for (const [language, run] of await startsOf('backtesting', 'tempting', 'plus', days)) {
    await until(() => run.code !== null);
    expect([language, run.code, run.text]).toEqual([
      language,
      0,
      expect.stringMatching(
        /^races on 2026-11-16: 2\nraces on 2026-11-17: 1\nraces on 2026-11-02: 0\nbets: 1 in 3 races, 0 of them with a close\n$/,
      ),
    ]);
  }
});

test('a key of a lower plan reads which plan a guide needs', async () => {
  for (const [slug, needed] of [
    ['backtesting', 'the Plus plan'],
    ['archives', 'the Business plan'],
  ] as const) {
    for (const [language, run] of await startsOf(slug, 'refused', 'free', ARCHIVED_DAYS)) {
      await until(() => run.code !== null);
      expect([slug, language, run.code, run.text]).toEqual([slug, language, 1, expect.stringContaining(needed)]);
      if (language === 'python') expect(run.text).not.toContain('Traceback');
    }
  }
});

test('the receiver of the guide to webhooks prints a signed post, and refuses another', async () => {
  const { code: program } = blockNamed('webhooks.md', 'import { createServer }');
  const [secret, port] = ['whsec_c2VjcmV0', await freePort()];
  symlinkSync(join(__dirname, '../../node_modules'), join(folder, 'node_modules'));
  const file = join(folder, 'receiver.mts');
  writeFileSync(file, program.replaceAll('8787', `${port}`));
  const run = start(process.execPath, [file], 'plus', { WEBHOOK_SECRET: secret });
  await until(() => run.text !== '');
  const post = async (body: string, signed = body) => {
    const headers = signatureHeaders({ id: 'msg_1', at: new Date(), body: signed }, [secret]);
    return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })).status;
  };
  const test = '{"event":"odds.change","message":"A test.","test":true}';
  const result = '{"event":"race.result","race_number":4,"venue":"Flemington"}';
  expect([await post(test), await post(result), await post(result, test)]).toEqual([204, 204, 400]);
  await until(() => run.text.includes('R4'));
  expect([run.code, run.text]).toEqual([
    null,
    `listening on port ${port}\nodds.change A test.\nrace.result Flemington R4\n`,
  ]);
});

test('the notebook is stored without outputs', () => {
  const { cells } = JSON.parse(guideSource(NOTEBOOK)) as { cells: { cell_type: string; source: string[] }[] };
  const code = cells.filter((cell) => cell.cell_type === 'code');
  expect(code.length).toBeGreaterThan(3);
  for (const cell of code) expect(cell).toMatchObject({ execution_count: null, outputs: [], metadata: {} });
});

const withPython = environment.lacks === undefined ? test : test.skip;

withPython(
  'the notebook as it is served draws the last hour of a race, and each close beside the consensus',
  async () => {
    const response = await fetch(world.url + NOTEBOOK.path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ipynb+json']);
    const text = await response.text();
    expect(text).not.toContain(EXAMPLE);
    const file = join(folder, 'hour.ipynb');
    writeFileSync(file, text.replaceAll(BASE_URL, world.url));
    const run = start(environment.python!, [join(__dirname, '../support/docs/notebook.py'), file], 'plus');
    await until(() => run.code !== null);
    expect(run).toMatchObject({ code: 0, text: expect.stringContaining('Moonee Valley R2, 2026-11-20T02:30:00.000Z') });
    expect(run.text).toContain('2 Runner 2: consensus ');
    expect(run.text).toMatch(/vs_consensus_pct[\s\S]*neds +2.00 +2.5 +3 +-6.0/);
    expect(run.text).toMatch(
      /^image\/png \d{5,} Win prices of Runner 2 at 5 books in the last hour: from [\d.]+ to [\d.]+; consensus at the close .* Without a close: unibet\.$/m,
    );
    expect(run.text).not.toMatch(/777|betfair/);
  },
);

test('each guide is a page with its programs and this service’s address', async () => {
  for (const guide of GUIDES) {
    const response = await fetch(world.url + guidePath(guide), { headers: { Accept: 'text/html' } });
    const text = await response.text();
    expect([guide.slug, response.status]).toEqual([guide.slug, 200]);
    expect(text).toContain(`<h1 id="`);
    expect(text).not.toContain(EXAMPLE);
    expect(text).not.toMatch(/href="[^"]*\.md/);
    expect(text.match(/<pre /g) ?? []).toHaveLength([...guideSource(guide).matchAll(/^```/gm)].length / 2);
  }
});
