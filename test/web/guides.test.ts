// Every program of every guide is run against the service, one process for each language of a guide, and prints what
// the guide says. Programs that follow are stopped once they have seen a change.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GUIDES, type Guide, guidePath } from '../../src/web/guides/guides';
import { guideSource } from '../../src/web/guides/page';
import { newKey } from '../support/api/api';
import { feedField } from '../support/races/builders';
import { until } from '../support/races/stream-lab';
import { type BoardWorld, createBoardWorld } from './board-world';

const EXAMPLE = 'https://api.example.com';

interface Expected {
  /** By language. */
  readonly prints: Readonly<Record<string, RegExp>>;
  /** It prints this as well, after a price has changed, and does not end. */
  readonly follows?: RegExp;
}

const TABLE = /Flemington R4 at 2026-11-21T.*\n {2}1 Runner 1: 2\.5 at tab, \d+ s old.*[\s\S]*\d+ credits left/;
const UNCHANGED = /^changed: 1 races\nunchanged, the oldest price is \d+ s old\n/;
const BOTH = /^valid\ninvalid\n$/;

const EXPECTED: Readonly<Record<string, Expected>> = {
  'first-call': { prints: { sh: /"race_id"/, ts: TABLE, python: /Flemington R4[\s\S]*credits left/ } },
  polling: {
    prints: { ts: UNCHANGED, python: UNCHANGED },
    follows: /unchanged, .*\nchanged: 1 races/,
  },
  changes: { prints: { ts: /^2 prices/ }, follows: /Flemington R4 1 at tab: [\d.]+ → [\d.]+/ },
  'webhook-signatures': { prints: { ts: BOTH, python: BOTH, php: BOTH } },
  credits: { prints: { ts: /^200: cost 1, \d+ left\n[\s\S]*used/ } },
  errors: { prints: { sh: /"code":"validation"/, ts: /Flemington[\s\S]*validation: / } },
  mcp: { prints: { ts: /^\d+ tools\nFlemington R4\nCost: 2 credits; \d+ left\.\n/ } },
  'from-the-odds-api': { prints: { ts: /^\d+ sports, 0 matches of the AFL/ } },
  'from-puntersedge': { prints: { sh: /"race_id"/, python: /racing\/next-to-go\?num_races=3 1 cost 2/ } },
};

const OWN = GUIDES.filter(({ file }) => file.startsWith('guides/'));
const FENCE = /^```(\w+)\n([\s\S]*?)^```$/gm;

/** The blocks of a language are one program. */
function programsOf(guide: Guide): ReadonlyMap<string, string> {
  const programs = new Map<string, string>();
  for (const [, language = '', code = ''] of guideSource(guide).matchAll(FENCE)) {
    if (language !== 'text') programs.set(language, `${programs.get(language) ?? ''}${code}`);
  }
  return programs;
}

const COMMANDS: Readonly<Record<string, readonly [command: string, ending: string, probe: readonly string[]]>> = {
  sh: ['bash', 'sh', ['-c', 'curl --version']],
  ts: [process.execPath, 'mts', ['--version']],
  python: ['python3', 'py', ['-c', 'import requests']],
  php: ['php', 'php', ['--version']],
};

const works = (command: string, probe: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => execFile(command, probe, (error) => resolve(error === null)));

let world: BoardWorld;
let folder: string;
let raceId: string;
const key = newKey();
const running: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guides-'));
  world = await createBoardWorld({ charges: true });
  await world.addKey(key);
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

function start(name: string, language: string, program: string): Run {
  const [command, ending] = COMMANDS[language]!;
  const file = join(folder, `${name}.${ending}`);
  writeFileSync(file, program.replaceAll(EXAMPLE, world.url));
  const child = spawn(command, [file], { env: { ...process.env, ODDS_API_KEY: key } });
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
    const { prints, follows } = EXPECTED[guide.slug]!;
    for (const [language, program] of programsOf(guide)) {
      const [command, , probe] = COMMANDS[language]!;
      const name = `${guide.slug} in ${language}`;
      if (!(await works(command, probe))) console.warn(`skipped: ${name}, because there is no ${command} for it`);
      else runs.push({ name, run: start(guide.slug, language, program), prints: prints[language]!, follows });
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

test('each guide is a page with its programs and this service’s address, and its links lead somewhere', async () => {
  for (const guide of GUIDES) {
    const response = await fetch(world.url + guidePath(guide), { headers: { Accept: 'text/html' } });
    const text = await response.text();
    expect([guide.slug, response.status]).toEqual([guide.slug, 200]);
    expect(text).toContain(`<h1 id="`);
    expect(text).not.toContain(EXAMPLE);
    expect(text).not.toMatch(/href="[^"]*\.md/);
    expect(text.match(/<pre /g) ?? []).toHaveLength([...guideSource(guide).matchAll(/^```/gm)].length / 2);
    for (const [, path] of text.matchAll(/href="(\/docs[^"#]*)/g))
      expect([guide.slug, path, (await fetch(world.url + path!)).status]).toEqual([guide.slug, path, 200]);
  }
});
