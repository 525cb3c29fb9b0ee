// The document as YAML: without anchors and folded lines, which not every reader knows; a text that YAML 1.1 reads as a
// date or a boolean is quoted. As a whole it takes 0.2 to 0.4 s of the thread that answers requests, so it is made in
// parts.
import { setImmediate as otherWork } from 'node:timers/promises';
import { dump } from 'js-yaml';
import type { Schema } from './schema';

const yamlOf = (value: object): string => dump(value, { noRefs: true, lineWidth: -1 });

/** Objects with many members, and at which depth these are parts of their own. */
const DIVIDED: Readonly<Record<string, number>> = { paths: 1, webhooks: 1, components: 2 };

/** Each about as long as one operation or schema. */
export function* yamlParts(document: Schema): Generator<string> {
  for (const [name, value] of Object.entries(document)) yield* partsOf(name, value, DIVIDED[name] ?? 0);
}

function* partsOf(name: string, value: unknown, depth: number): Generator<string> {
  const isEmpty = Object.keys(value as object).length === 0;
  if (depth === 0 || isEmpty) return yield yamlOf({ [name]: value });
  yield `${name}:\n`;
  for (const [inner, member] of Object.entries(value as object))
    for (const part of partsOf(inner, member, depth - 1)) yield part.replace(/^(?=.)/gm, '  ');
}

/** Other work has its turn between two parts. */
export async function inTurns(parts: Iterable<string>): Promise<string> {
  const made: string[] = [];
  for (const part of parts) {
    made.push(part);
    await otherWork();
  }
  return made.join('');
}
