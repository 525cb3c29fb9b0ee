// The lines of the guide to the command line, as a reader types them: the program is packed, installed by the guide's
// own line, and found by its name.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const SOURCE = join(__dirname, '../../clients/odds');
const run = promisify(execFile);

interface Line {
  /** The least plan that the guide states for it. */
  readonly plan: 'free' | 'standard' | 'plus' | 'business';
  /** On both outputs together. */
  readonly prints: RegExp;
  /** What it writes to, and how that ends. */
  readonly writes?: readonly [file: string, contents: RegExp];
  /** It prints this and goes on, until Ctrl-C. */
  readonly stays?: true;
}

const NEXT = /^start in +race +category +favourite +best price +runners +books +oldest\n.* Flemington R4 +horse /;
/** With every mark of the guide. */
const TABLE =
  /^Randwick R5 · horse .*\n.*\n# +runner +best +tab\n1 +Runner 1 +2\.50 tab +2\.50\*\n[\s\S]*\* best +!4m stale, .* \? placeholder, .* - not quoted\n/;
const RECORDED = /\n\{"event":"recorded",.*"race_count":1,.*\n/;
const COST = /^2 races until 2026-11-20 02:30:00 UTC, for 10 credits\nno recorded prices: .*\nnot recorded: .*\n$/;

export const EXPORTS = 'export ODDS_API_URL=https://api.example.com ODDS_API_KEY=…';
export const INSTALL = 'npm install --global ./racing-odds-0.1.0.tgz';

/** Every other line of the guide, in its order. */
export const LINES: Readonly<Record<string, Line>> = {
  'odds next': { plan: 'free', prints: NEXT },
  'odds next --category horse,harness --country AU': { plan: 'free', prints: NEXT },
  'odds race Randwick 5 --watch': { plan: 'free', prints: TABLE, stays: true },
  'odds follow --country AU > changes.ndjson': {
    plan: 'standard',
    prints: /^$/,
    writes: ['changes.ndjson', /^\{"event":"race",.*\n(?:.*\n)*\{"event":"state",.*\n/],
    stays: true,
  },
  'odds replay --race 5b6f… --speed 60': { plan: 'plus', prints: RECORDED, stays: true },
  'odds replay --date 2026-11-20 --venue "Moonee Valley" --speed max > moonee-valley.ndjson': {
    plan: 'plus',
    prints: COST,
    writes: ['moonee-valley.ndjson', /^\{"event":"recorded","id":.*\n(?:.*\n)*\{"event":"end",.*\n$/],
  },
  'odds download closing-lines 2026-11-20 --csv': {
    plan: 'business',
    prints: /^closing_lines-2026-11-20\.csv\.gz: version 1, \d+ rows, SHA-256 [\da-f]{64}\n/,
  },
  'odds mirror data --datasets results,closing-lines --from 2026-11-01': {
    plan: 'business',
    prints: /\n\d+ fetched, 0 unchanged, 0 refused\n$/,
  },
};

/** The package, where the guide's line finds it. */
export async function packOdds(folder: string): Promise<void> {
  await run('npm', ['pack', '--ignore-scripts=false', '--pack-destination', folder], { cwd: SOURCE });
}

export interface TypedLine {
  /** What it printed so far, on both outputs. */
  text: string;
  /** Null while it runs. */
  code: number | null;
  /** As Ctrl-C does. */
  interrupt(): void;
}

/** In a shell of its own, whose programs are below the folder. */
export function typed(line: string, folder: string, env: NodeJS.ProcessEnv = {}): TypedLine {
  const own = { NODE_OPTIONS: '', npm_config_prefix: folder, npm_config_offline: 'true' };
  const path = `${join(folder, 'bin')}:${process.env.PATH}`;
  const child: ChildProcess = spawn('bash', ['-c', line], {
    cwd: folder,
    detached: true,
    env: { ...process.env, ...own, PATH: path, ...env },
  });
  const signalled = (signal: NodeJS.Signals): void => void (running.code === null && process.kill(-child.pid!, signal));
  const running: TypedLine = { text: '', code: null, interrupt: () => signalled('SIGINT') };
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (bytes) => (running.text += bytes));
  child.on('exit', (code) => {
    running.code = code ?? -1;
  });
  return running;
}
