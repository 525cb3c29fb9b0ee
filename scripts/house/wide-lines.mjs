// Comments and prose of more than 120 characters: the formatter keeps code within this width but leaves comments and
// prose.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

const WIDEST = 120;
const CODE = ['src', 'test', 'bench', 'scripts', 'clients'];
/** Of others, generated, or built. */
const NOT_WRITTEN = /node_modules|clients\/.*\/(generated|dist)\//;
/** Lines that cannot be broken: instructions for the formatter, one span of code, one link. */
const OF_ONE_PIECE = /biome-ignore|^\s*(?:\/\/|[-*]|\d+\.)?\s*\(?(?:`[^`]*`|!?\[[^\]]*\]\([^)]*\))[).,:;]*$/;

/** `file:line` of each. CHANGELOG.md is exempt: it has one entry per line, because it is served. */
export function wideLinesOf(root) {
  const code = CODE.flatMap((folder) => below(root, folder, /\.(ts|mjs)$/)).flatMap((file) => wideComments(root, file));
  const own = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md'];
  const pages = [...own, ...['docs', 'clients'].flatMap((folder) => below(root, folder, /\.md$/))];
  return [...code, ...pages.flatMap((file) => wideProse(root, file))];
}

const below = (root, folder, name) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((file) => join(folder, file))
    .filter((file) => name.test(file) && !NOT_WRITTEN.test(file));

function wideComments(root, file) {
  const text = readFileSync(join(root, file), 'utf8');
  const lines = text.split('\n');
  if (!lines.some(isWide)) return [];
  const ofComments = commentLines(text, parseSync(file, text).comments);
  return faults(file, lines, (index) => ofComments.has(index));
}

/** Offset → index of its line. The starts of lines are computed once: a file has hundreds of comments and functions. */
export function lineFinder(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
}

/** Indexes of the lines that contain only comments. */
export function commentLines(text, comments) {
  const found = new Set();
  const lineOf = lineFinder(text);
  for (const { start, end } of comments) {
    const from = text.lastIndexOf('\n', start - 1) + 1;
    const to = text.indexOf('\n', end);
    const besides = text.slice(from, start) + text.slice(end, to < 0 ? text.length : to);
    if (besides.trim() !== '') continue;
    for (let line = lineOf(start); line <= lineOf(end); line += 1) found.add(line);
  }
  return found;
}

function wideProse(root, file) {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  let isCode = false;
  const prose = new Set();
  for (const [index, line] of lines.entries()) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    else if (!isCode && !/^\s*[|#<]/.test(line)) prose.add(index);
  }
  return faults(file, lines, (index) => prose.has(index));
}

const faults = (file, lines, isOurs) =>
  [...lines.entries()]
    .filter(([index, line]) => isWide(line) && isOurs(index) && !OF_ONE_PIECE.test(line))
    .map(([index]) => `${file}:${index + 1}`);

const isWide = (line) => line.length > WIDEST;
