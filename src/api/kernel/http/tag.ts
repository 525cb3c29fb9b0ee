// The ETag of a response: a hash of its JSON text without its ages, which change as time passes (D32). The schema marks
// ages with `aged`.
import { createHash } from 'node:crypto';
import type { TSchema } from '@sinclair/typebox';

/** The keyword of a schema that `aged` sets. */
export const AGED = 'x-age';

export type TagOf = (json: string) => string;

/**
 * Throws if a name is an age in one place of the schema and not in another, because the text does not distinguish them.
 */
export function taggerOf(schema: TSchema): TagOf {
  const ages = agesOf(schema);
  if (ages.size === 0) return tagOfText;
  // A match inside a string value is impossible: its quotes are escaped.
  const member = new RegExp(`"(?:${[...ages].join('|')})":(?:"[^"]*"|\\{[^{}]*\\}|[^,}]*)`, 'g');
  return (json) => tagOfText(json.replace(member, ''));
}

/** For text without ages. */
export const tagOfText: TagOf = (text) => createHash('sha1').update(text).digest('base64url');

/** Names of the members that are ages, at any depth. */
export function agesOf(schema: TSchema): ReadonlySet<string> {
  const ages = new Set<string>();
  const others = new Set<string>();
  for (const [name, member] of membersOf(schema)) (AGED in member ? ages : others).add(name);
  const both = [...ages].filter((name) => others.has(name));
  if (both.length > 0) throw new Error(`an age in one place and none in another: ${both.join(', ')}`);
  return ages;
}

function* membersOf(node: unknown): Generator<[name: string, schema: object]> {
  if (typeof node !== 'object' || node === null || AGED in node) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === 'properties') yield* Object.entries(value as Record<string, object>);
    yield* membersOf(value);
  }
}
