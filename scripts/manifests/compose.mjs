// Reads docker-compose.yml with compose's own parser, a Go module: Go fetches and runs it. Without Go, or without its
// proxy, nothing is read.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onPath } from '../process/on-path.mjs';
import { run } from '../process/run.mjs';

const PARSER = 'github.com/compose-spec/compose-go/v2/cmd@v2.9.1';

/** Resolves to a line about the file: `passed` is null if it was not read. */
export async function checkCompose(root, { signal, logs }, file = join(root, 'docker-compose.yml')) {
  const go = onPath('go');
  if (go === null) return { passed: null, line: 'docker-compose.yml was not read: there is no Go here.' };
  const log = join(logs, 'compose.log');
  const env = { ...process.env, GOTOOLCHAIN: 'local' };
  try {
    await run(go, ['run', PARSER, file], { signal, log, env, cwd: root, what: 'the parser of compose' });
    return { passed: true, line: "docker-compose.yml: in order, by compose's own parser" };
  } catch (error) {
    signal.throwIfAborted();
    const fault = /failed to load project: (.*?)(?:exit status \d+)?$/m.exec(readFileSync(log, 'utf8'))?.[1];
    if (fault) return { passed: false, line: `docker-compose.yml: ${fault}` };
    return { passed: null, line: `docker-compose.yml was not read: ${error.message}` };
  }
}
