// The bundle that runs inside the workflow sandbox. It is built once and reused by every worker, by replay and by the
// tests. Its stamp contains a hash of the sources, the SDK's version and Node's: a bundle with another stamp is never
// run but built again.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from '@temporalio/worker';
import { version as sdk } from '@temporalio/worker/package.json';
import { ROOT } from '../root';

export interface WorkflowBundle {
  readonly code: string;
}

const SRC = join(ROOT, 'src');
const FILE = join(ROOT, '.local/workflow-bundle.js');
/** Everything that a workflow may import at run time (docs/architecture.md). The bundle contains a part of it. */
const SOURCES = ['workflows', 'domain'];

/** Reads the prebuilt bundle at `file`; builds and stores it there when it is missing or has another stamp. */
export async function loadWorkflowBundle(file = FILE): Promise<WorkflowBundle> {
  const stamp = currentStamp();
  const prebuilt = readBundle(file);
  if (prebuilt !== null && stampOf(prebuilt) === stamp) return { code: prebuilt };
  const code = stamped(await build(), stamp);
  store(file, code);
  return { code };
}

async function build(): Promise<string> {
  // Loaded only to build: looking whether the stored one is right takes a tenth of a second then.
  const { bundleWorkflowCode } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({ workflowsPath: join(SRC, 'workflows/index.ts'), logger: QUIET });
  return code;
}

const QUIET: Logger = {
  log: () => undefined,
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (message) => process.stderr.write(`workflow bundle: ${message}\n`),
};

export function currentStamp(node = process.versions.node): string {
  const hash = createHash('sha256');
  for (const path of bundleSources())
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(SRC, path)))
      .update('\0');
  return `sources ${hash.digest('hex')}, sdk ${sdk}, node ${node.split('.')[0]}`;
}

/** Paths below `src`, in one order on every machine. */
export function bundleSources(): readonly string[] {
  const below = (place: string): string[] =>
    readdirSync(join(SRC, place), { withFileTypes: true }).flatMap((entry) => {
      const path = `${place}/${entry.name}`;
      if (entry.isDirectory()) return below(path);
      return entry.name.endsWith('.ts') ? [path] : [];
    });
  return SOURCES.flatMap(below).sort();
}

const SOURCE_MAP = '//# sourceMappingURL=data:';
const BASE64 = 'base64,';
const STAMP = '// Made from: ';

/**
 * Inserts the stamp after the code, whose lines are mapped, and before the source map, which the SDK reads from the
 * end.
 */
function stamped(code: string, stamp: string): string {
  const at = code.lastIndexOf(SOURCE_MAP);
  return `${code.slice(0, at)}${STAMP}${stamp}\n${withoutTexts(code.slice(at))}`;
}

/**
 * A source map in a comment, without the texts of the sources: stack traces need none, and each worker would keep them
 * twice.
 */
function withoutTexts(comment: string): string {
  const data = comment.indexOf(BASE64) + BASE64.length;
  const { sourcesContent: _texts, ...map } = JSON.parse(Buffer.from(comment.slice(data), 'base64').toString());
  return `${comment.slice(0, data)}${Buffer.from(JSON.stringify(map)).toString('base64')}\n`;
}

export function stampOf(code: string): string | null {
  const at = code.lastIndexOf(STAMP);
  return at < 0 ? null : code.slice(at + STAMP.length, code.indexOf('\n', at));
}

function readBundle(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** Replaces the file atomically. A read-only image keeps no file: there the code runs from memory. */
function store(file: string, code: string): void {
  const unfinished = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(unfinished, code);
    renameSync(unfinished, file);
  } catch (error) {
    if (!READ_ONLY.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

const READ_ONLY: ReadonlySet<string> = new Set(['EACCES', 'EROFS', 'EPERM']);
