// Writes out a type of `src` member by member, with every name replaced by its meaning: two types with the same lines
// are the same JSON. An unknown construct throws, so that nothing is silently left out.
import { dirname, join } from 'node:path';
import { FACTS, PRINTED } from '../../src/domain/race/race-facts';
import { MODULES, type Node } from './source';

export type Shape =
  | { readonly text: string }
  | { readonly members: ReadonlyMap<string, Shape> }
  | { readonly each: Shape }
  | { readonly values: Shape }
  | { readonly parts: readonly Shape[] }
  | { readonly anyOf: readonly Shape[] };

export interface Declared {
  readonly node: Node;
  readonly path: string;
}

/** The only exported type, or constant, with this name. */
export function exportedAs(name: string): Declared {
  const found = [...MODULES].flatMap(([path, body]) =>
    body
      .filter((item) => item.type === 'ExportDeclaration' && nameOf(item.declaration) === name)
      .map((item) => ({ node: item.declaration, path })),
  );
  if (found.length !== 1) {
    throw new Error(
      `${found.length} exports of src are named ${name}; a type may be renamed: name it anew in test/boundary`,
    );
  }
  return found[0]!;
}

const nameOf = (declaration: Node): string | undefined =>
  (declaration?.declarations?.[0]?.id ?? declaration?.id ?? declaration?.identifier)?.value;

/** What a name means in a file: declared there, or imported from another file of `src`. */
export function declared(name: string, path: string): Declared {
  for (const item of MODULES.get(path)!) {
    const declaration = item.type === 'ExportDeclaration' ? item.declaration : item;
    if (nameOf(declaration) === name) return { node: declaration, path };
    const link = item.specifiers?.find((one: Node) => (one.local ?? one.exported ?? one.orig)?.value === name);
    if (!link || !item.source) continue;
    return declared((link.imported ?? link.orig ?? link.local).value, fileOf(item.source.value, path));
  }
  throw new Error(`${path} has no type ${name}`);
}

function fileOf(specifier: string, from: string): string {
  const place = join(dirname(from), specifier);
  const path = [`${place}.ts`, join(place, 'index.ts')].find((one) => MODULES.has(one));
  if (!specifier.startsWith('.') || !path) throw new Error(`${from}: ${specifier} is not a file of src`);
  return path;
}

/** Types made from values: the declarations of the facts, or those that the registry prints. */
function mapped(node: Node, path: string): Shape {
  if (path !== 'domain/race/race-facts.ts') throw new Error(`${path}: no shape for a mapped type`);
  const shapeOf = (type: keyof typeof IN_JSON) => anyOf([{ text: 'null' }, { text: IN_JSON[type] }]);
  const facts = node.nameType ? PRINTED : FACTS;
  return { members: new Map(facts.map(([key, { type }]) => [key, shapeOf(type)])) };
}

const IN_JSON = { text: 'string', whole: 'number', count: 'number', flag: 'boolean' };

export class Shapes {
  /** Types with their own lines: elsewhere their name is enough. */
  constructor(private readonly named: ReadonlyMap<string, Declared> = new Map()) {}

  /** The lines of a declaration, written out. */
  body({ node, path }: Declared): Shape {
    if (node.type === 'TsTypeAliasDeclaration') return this.read(node.typeAnnotation, path);
    if (node.type !== 'TsInterfaceDeclaration') throw new Error(`${path}: ${nameOf(node)} is no type`);
    const inherited = node.extends.flatMap(({ expression, typeArguments }: Node) => [
      ...membersIn(this.reference(expression.value, typeArguments?.params ?? [], path, true)),
    ]);
    return { members: new Map([...inherited, ...this.membersOf(node.body.body, path)]) };
  }

  read(node: Node, path: string): Shape {
    switch (node.type) {
      case 'TsKeywordType':
        return { text: node.kind };
      case 'TsLiteralType':
        return literal(node.literal);
      case 'TsParenthesizedType':
        return this.read(node.typeAnnotation, path);
      case 'TsUnionType':
        return anyOf(node.types.map((one: Node) => this.read(one, path)));
      case 'TsArrayType':
        return { each: this.read(node.elemType, path) };
      case 'TsTupleType':
        return { parts: node.elemTypes.map((one: Node) => this.read(one.ty, path)) };
      case 'TsTypeLiteral':
        return { members: this.membersOf(node.members, path) };
      case 'TsTypeOperator': {
        const inner = this.read(node.typeAnnotation, path);
        return node.op === 'keyof' ? anyOf([...membersIn(inner).keys()].map((key) => ({ text: `'${key}'` }))) : inner;
      }
      case 'TsTypeQuery':
        return valueShape(declared(node.exprName.value, path).node.declarations[0].init);
      case 'TsIndexedAccessType':
        return this.indexed(node, path);
      case 'TsTypeReference':
        return this.reference(node.typeName.value, node.typeParams?.params ?? [], path);
      case 'TsMappedType':
        return mapped(node, path);
      default:
        throw new Error(`${path}: no shape for ${node.type}`);
    }
  }

  private membersOf(list: readonly Node[], path: string): Map<string, Shape> {
    const entries = list.map((member): [string, Shape] => {
      if (member.type !== 'TsPropertySignature')
        throw new Error(`${path}: a member that is ${member.type} is not data`);
      return [
        `${member.key.value}${member.optional ? '?' : ''}`,
        this.read(member.typeAnnotation.typeAnnotation, path),
      ];
    });
    return new Map(entries);
  }

  private reference(name: string, params: readonly Node[], path: string, whole = false): Shape {
    const of = (index: number) => this.inner(params[index], path);
    switch (name) {
      case 'Promise':
      case 'Readonly':
        return this.read(params[0], path);
      case 'ReadonlyArray':
        return { each: this.read(params[0], path) };
      case 'Record':
        return { values: this.read(params[1], path) };
      case 'Pick':
        return { members: withKeys(of(0), (key) => alternatives(of(1)).some((one) => textIn(one) === `'${key}'`)) };
      case 'Omit':
        return { members: withKeys(of(0), (key) => !alternatives(of(1)).some((one) => textIn(one) === `'${key}'`)) };
      case 'Extract':
        return anyOf(alternatives(of(0)).filter((one) => alternatives(of(1)).some((other) => isA(one, other))));
      case 'Exclude':
        return anyOf(alternatives(of(0)).filter((one) => !alternatives(of(1)).some((other) => isA(one, other))));
    }
    const found = declared(name, path);
    return !whole && this.named.get(name)?.node === found.node ? { text: name } : this.body(found);
  }

  /** As `read`, but also writes out a type with its own lines. */
  private inner(node: Node, path: string): Shape {
    return node.type === 'TsTypeReference'
      ? this.reference(node.typeName.value, node.typeParams?.params ?? [], path, true)
      : this.read(node, path);
  }

  private indexed(node: Node, path: string): Shape {
    const object = this.inner(node.objectType, path);
    if (node.indexType.kind === 'number')
      return 'parts' in object ? anyOf(object.parts) : (object as { each: Shape }).each;
    const key = node.indexType.literal.value;
    const member = membersIn(object).get(key) ?? membersIn(object).get(`${key}?`);
    if (!member) throw new Error(`${path}: no member ${key}`);
    return member;
  }
}

const literal = (node: Node): Shape => ({
  text: node.type === 'StringLiteral' ? `'${node.value}'` : String(node.value),
});

/** A constant that is written out: `typeof STATES`. */
function valueShape(node: Node): Shape {
  if (/^Ts(As|Const|Satisfies)/.test(node.type)) return valueShape(node.expression);
  if (node.type === 'ArrayExpression') return { parts: node.elements.map((one: Node) => valueShape(one.expression)) };
  if (node.type === 'ObjectExpression')
    return { members: new Map(node.properties.map((one: Node) => [one.key.value, valueShape(one.value)])) };
  return literal(node);
}

const alternatives = (shape: Shape): readonly Shape[] => ('anyOf' in shape ? shape.anyOf : [shape]);
const anyOf = (shapes: readonly Shape[]): Shape => ({ anyOf: shapes.flatMap(alternatives) });
const textIn = (shape: Shape): string | null => ('text' in shape ? shape.text : null);

function membersIn(shape: Shape): ReadonlyMap<string, Shape> {
  if (!('members' in shape)) throw new Error(`not an object: ${JSON.stringify(shape)}`);
  return shape.members;
}

const withKeys = (shape: Shape, wanted: (key: string) => boolean): Map<string, Shape> =>
  new Map([...membersIn(shape)].filter(([key]) => wanted(key.replace('?', ''))));

/**
 * Whether `one` is assignable to `other`, as far as `Exclude` needs it here: a literal, or an object identified by
 * literal members.
 */
const isA = (one: Shape, other: Shape): boolean =>
  'members' in other
    ? 'members' in one &&
      [...other.members].every(([key, shape]) => textIn(one.members.get(key) ?? one) === textIn(shape))
    : textIn(one) !== null && textIn(one) === textIn(other);

/** One line for each value that JSON of this shape can contain. */
export function linesOf(path: string, shape: Shape): string[] {
  if ('text' in shape) return [`${path}: ${shape.text}`];
  if ('each' in shape) return linesOf(`${path}[]`, shape.each);
  if ('values' in shape) return linesOf(`${path}{}`, shape.values);
  if ('parts' in shape) return shape.parts.flatMap((part, index) => linesOf(`${path}(${index})`, part));
  if ('members' in shape) return [...shape.members].flatMap(([name, member]) => linesOf(`${path}.${name}`, member));
  const texts = shape.anyOf.map(textIn).filter((text) => text !== null);
  const others = shape.anyOf.filter((one) => !('text' in one));
  const key = others.length > 1 ? tagOf(others, path) : null;
  return [
    ...(texts.length > 0 ? [`${path}: ${[...new Set(texts)].sort().join(' | ')}`] : []),
    ...others.flatMap((one) => linesOf(key === null ? path : `${path}<${textIn(membersIn(one).get(key)!)}>`, one)),
  ];
}

/** The member whose literal distinguishes the alternatives. */
function tagOf(shapes: readonly Shape[], path: string): string {
  const tags = [...membersIn(shapes[0]!).keys()].filter((key) => {
    const texts = shapes.map((shape) => textIn(membersIn(shape).get(key) ?? { each: shape }));
    return texts.every((text) => text !== null) && new Set(texts).size === shapes.length;
  });
  if (tags.length === 0) throw new Error(`${path}: nothing tells its alternatives apart`);
  return tags[0]!;
}
