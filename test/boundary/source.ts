// The parsed text of `src`, for the tests that pin what crosses a process or a deploy. Names are found wherever they
// are, so that a file may move; the service never uses it.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from '@swc/core';

/** A node of the syntax tree, read freely. */
// biome-ignore lint/suspicious/noExplicitAny: swc's own types do not narrow a node by what it is looked at for.
export type Node = any;

const SRC = resolve(__dirname, '../../src');

/** Path below `src` → the module's statements. */
export const MODULES: ReadonlyMap<string, readonly Node[]> = new Map(
  readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => [path, parseSync(readFileSync(join(SRC, path), 'utf8'), { syntax: 'typescript' }).body]),
);

/** The results of `pick` for every node inside this one; undefined results are left out. */
export function within<T>(node: Node, pick: (node: Node) => T | undefined): T[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = typeof node.type === 'string' ? pick(node) : undefined;
  const inner = Object.values(node).flatMap((one) => within(one, pick));
  return own === undefined ? inner : [own, ...inner];
}

/** Every node of `src` with its file, collected once for all queries. */
let nodes: readonly (readonly [node: Node, path: string])[] | undefined;

/** The same for all of `src`. */
export function everywhere<T>(pick: (node: Node, path: string) => T | undefined): T[] {
  nodes ??= [...MODULES].flatMap(([path, body]) => within(body, (node) => [node, path] as const));
  return nodes.map(([node, path]) => pick(node, path)).filter((one) => one !== undefined);
}

export interface Call {
  /** `patched`, or the last part of `meter.createCounter`. */
  readonly name: string;
  /** `meter`, if it is a plain name. */
  readonly on: string | undefined;
  readonly args: readonly Node[];
  readonly typeArgs: readonly Node[];
  readonly path: string;
}

export const callsOf = (...names: readonly string[]): Call[] =>
  everywhere((node, path) => {
    if (node.type !== 'CallExpression') return undefined;
    const name = (node.callee.property ?? node.callee).value;
    if (!names.includes(name)) return undefined;
    const args = node.arguments.map((argument: Node) => argument.expression);
    return { name, on: node.callee.object?.value, args, typeArgs: node.typeArguments?.params ?? [], path };
  });

/** Throws for a name that is composed at run time, because it cannot be pinned. */
export function textOf(node: Node, what: string): string {
  if (node?.type !== 'StringLiteral') throw new Error(`${what} must be written as one string, not ${node?.type}`);
  return node.value;
}

/** A member of an object literal; undefined if it has none of that name. */
export const memberOf = (object: Node, name: string): Node | undefined =>
  object?.properties?.find((property: Node) => property.key?.value === name)?.value;

/** A text as written, with its placeholders: `FEED_<…>_URL`. Undefined: not a text. */
export function patternOf(node: Node): string | undefined {
  if (node?.type === 'StringLiteral') return node.value;
  return node?.type === 'TemplateLiteral' ? node.quasis.map((part: Node) => part.cooked).join('<…>') : undefined;
}
