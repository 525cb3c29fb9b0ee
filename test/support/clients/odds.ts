// The command line in the test's own process: bundled from its sources, as `build.mjs` does, because its libraries are
// ESM alone; its streams are the test's.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buildSync } from 'esbuild';
import type { Interrupted, Io } from '../../../clients/odds/src/io/io.ts';

const SOURCES = join(__dirname, '../../../clients/odds/src');

/** What these modules of the command line export, by their paths below `src`. */
export function oddsModule<T>(...files: string[]): T {
  const folder = mkdtempSync(join(tmpdir(), 'odds-module-'));
  const outfile = join(folder, 'module.cjs');
  try {
    buildSync({
      stdin: { contents: files.map((file) => `export * from './${file}';`).join('\n'), resolveDir: SOURCES },
      outfile,
      bundle: true,
      platform: 'node',
      target: 'node22',
      format: 'cjs',
      logLevel: 'error',
    });
    return require(outfile) as T;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export interface RunningOdds {
  /** So far. */
  readonly out: string;
  readonly err: string;
  readonly code: Promise<number>;
  /** As Ctrl-C does. */
  interrupt(): void;
}

interface Streams {
  readonly env: Io['env'];
  /** Columns and rows; default: no terminal. */
  readonly terminal?: { columns: number; rows: number };
}

/** The bundle has classes of its own. */
interface OddsProgram {
  odds(args: readonly string[], io: Io): Promise<number>;
  Interrupted: typeof Interrupted;
}

export const oddsProgram = (): OddsProgram => oddsModule('program.ts', 'io/io.ts');

export function startOdds(program: OddsProgram, args: readonly string[], { env, terminal }: Streams): RunningOdds {
  const ended = new AbortController();
  const texts = { out: '', err: '' };
  const streamOf = (name: 'out' | 'err') => {
    const stream = new PassThrough();
    stream.on('data', (bytes) => {
      texts[name] += bytes;
    });
    return Object.assign(stream, terminal && { isTTY: true, ...terminal });
  };
  const io: Io = { out: streamOf('out'), err: streamOf('err'), env, signal: ended.signal };
  return {
    get out() {
      return texts.out;
    },
    get err() {
      return texts.err;
    },
    code: program.odds(args, io),
    interrupt: () => ended.abort(new program.Interrupted(130)),
  };
}
