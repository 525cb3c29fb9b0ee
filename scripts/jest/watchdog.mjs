// Ends a test file that never ends by itself, by name: jest then counts it as failed and continues. Jest's own limit
// applies to one test, and cannot stop a loop that never yields.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** As long as the whole suite may take. */
export const FILE_MOST_MS = 15 * 60_000;
const LOOKS_EVERY_MS = 2_000;

/**
 * `folder`: where every jest process writes the name of the file that it runs. Returns a function that stops the watch.
 */
export function watchFiles(folder, { mostMs = FILE_MOST_MS, now = Date.now, end = kill, log = console.log } = {}) {
  const ended = new Set();
  const look = () => {
    for (const { path, pid, since, test } of running(folder)) {
      const one = `${pid} ${since}`;
      if (now() - since < mostMs || ended.has(one)) continue;
      ended.add(one);
      log(`\n${path} has not ended after ${Math.round(mostMs / 1000)} s: its process is killed.`);
      if (test !== undefined) log(`The test that began last: ${test}`);
      end(pid);
    }
  };
  const looking = setInterval(look, LOOKS_EVERY_MS);
  return () => clearInterval(looking);
}

function running(folder) {
  try {
    return readdirSync(folder).flatMap((name) => read(join(folder, name)));
  } catch {
    return [];
  }
}

/** Null while the file is being written. */
function read(file) {
  try {
    return [JSON.parse(readFileSync(file, 'utf8'))];
  } catch {
    return [];
  }
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended in the meantime.
  }
}
