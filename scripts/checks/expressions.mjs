// Finds the regular expressions in a folder of sources, and judges each by `recheck`.
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { runInNewContext } from 'node:vm';
import { parseSync } from '@swc/core';
import { check } from 'recheck';

/** Processor time for the worst input. */
const LONGEST_TURN_MS = 50;
/** An expression that is not decided by then counts as vulnerable. */
const DECIDED_WITHIN_MS = 20_000;
/** An undecided expression has no worst input to try: only short inputs are accepted. */
const UNDECIDED_MOST = 500;

/**
 * Literals, `pattern` of schemas and `new RegExp`, as `/source/flags` → the files. The simulator reads no text from
 * outside.
 */
export function expressionsOf(src) {
  const found = new Map();
  const note = (expression, path) => found.set(expression, [...(found.get(expression) ?? []), path]);
  const visit = (node, path) => {
    if (typeof node !== 'object' || node === null) return;
    if (node.type === 'RegExpLiteral') note(`/${node.pattern}/${node.flags}`, path);
    if (node.type === 'KeyValueProperty' && node.key.value === 'pattern') noteText(node.value, 'u', path);
    if (node.type === 'NewExpression' && node.callee.value === 'RegExp') {
      const [source, flags] = node.arguments;
      noteText(source.expression, flags?.expression.value ?? '', path);
    }
    for (const inner of Object.values(node)) visit(inner, path);
  };
  const noteText = (node, flags, path) => {
    if (node.type === 'StringLiteral') note(`/${node.value}/${flags}`, path);
    else if (node.type === 'TemplateLiteral') note(`/${written(node)}/${flags}`, path);
  };
  for (const path of readdirSync(src, { recursive: true, encoding: 'utf8' }))
    if (path.endsWith('.ts') && !path.startsWith(`simulator${sep}`))
      visit(parseSync(readFileSync(join(src, path), 'utf8'), { syntax: 'typescript' }), path);
  return found;
}

/** A value that is inserted at run time is treated as a word. */
const written = ({ quasis }) => quasis.map(({ cooked }) => cooked).join('word');

function partsOf(expression) {
  const end = expression.lastIndexOf('/');
  return [expression.slice(1, end), expression.slice(end + 1)];
}

/** Null: no fault. `most`: the longest input, undefined if none is stated. */
export async function faultOf(expression, most) {
  const [source, flags] = partsOf(expression);
  /** @type {any} Its members depend on the status. */
  const decided = await check(source, flags, { timeout: DECIDED_WITHIN_MS });
  const { status, complexity, attack } = decided;
  if (status === 'safe') return null;
  if (most === undefined)
    return `${status}, ${complexity?.summary ?? 'not decided'}: bound its input or write it without backtracking`;
  if (status === 'unknown')
    return most <= UNDECIDED_MOST ? null : `not decided, and its input is longer than ${UNDECIDED_MOST}`;
  const ms = leastMilliseconds(new RegExp(source, flags), worstOf(attack, most));
  return ms <= LONGEST_TURN_MS
    ? null
    : `takes ${Math.round(ms)} ms for ${most} characters: bound its input more closely`;
}

/** The attack that was found, pumped up to this length. */
function worstOf({ pumps, suffix }, length) {
  const fixed = pumps.reduce((sum, { prefix }) => sum + prefix.length, suffix.length);
  const each = Math.max(1, Math.floor((length - fixed) / pumps.length));
  return (
    pumps
      .map(({ prefix, pump }) => prefix + pump.repeat(Math.ceil(each / pump.length)))
      .join('')
      .slice(0, length) + suffix
  );
}

const TRIES = 3;

/** Of a few tries: other threads of the process add to its processor time. */
function leastMilliseconds(expression, text) {
  let least = Infinity;
  for (let i = 0; i < TRIES && least > LONGEST_TURN_MS; i += 1)
    least = Math.min(least, millisecondsFor(expression, text));
  return least;
}

function millisecondsFor(expression, text) {
  const before = process.cpuUsage();
  try {
    runInNewContext("text.replace(expression, '')", { expression, text }, { timeout: 20 * LONGEST_TURN_MS });
  } catch {
    return Infinity;
  }
  return process.cpuUsage(before).user / 1000;
}
