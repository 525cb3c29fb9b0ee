// Source maps of a program that map lines but not columns. At the first error Node reads a whole map and keeps an array
// for each of its segments: with every column the worker kept 16 MB of them and the API more
// (docs/performance/start-and-memory.md).
import { readFileSync, writeFileSync } from 'node:fs';

export async function keepLinesOnly(file) {
  // Commands load this module before packages are installed.
  const { decode, encode } = await import('@jridgewell/sourcemap-codec');
  const map = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...map, names: [], mappings: encode(decode(map.mappings).map(linesOf)) }));
}

/** The segments of one generated line at which another source line begins. */
function linesOf(segments) {
  const ofSources = segments.filter((segment) => segment.length > 1);
  return ofSources
    .filter((segment, i) => i === 0 || isElsewhere(segment, ofSources[i - 1]))
    .map((one) => one.slice(0, 4));
}

const isElsewhere = ([, source, line], [, sourceBefore, lineBefore]) => source !== sourceBefore || line !== lineBefore;
