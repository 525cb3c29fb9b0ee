// Reads a query string by its declaration (A 2.1, D1): one comma-separated value per list, no repeated or unknown
// parameters, aliases replaced by their canonical names. Reports every problem, not only the first.
import { type TObject, type TProperties, Type } from '@sinclair/typebox';
import type { ErrorObject } from 'ajv';
import type { InputProblem } from '../../../errors';
import { didYouMean } from '../../../nearest';
import { ajv, type Keywords } from './ajv';
import { containsNul } from './nul';
import { parameterProblem } from './sentence';

export interface ReadQuery {
  /** Parameters that passed, defaults filled in, under canonical names. */
  readonly query: Record<string, unknown>;
  /** Canonical names that were sent. */
  readonly given: ReadonlySet<string>;
  readonly problems: readonly InputProblem[];
}

/** One object, because a declaration is compiled once. */
export const NO_PARAMETERS: TProperties = {};

/** A reader for one declaration, which is compiled once even if it has several readers. */
export function queryReader(
  properties: TProperties = NO_PARAMETERS,
  exclusive: readonly (readonly string[])[] = [],
): (search: string) => ReadQuery {
  const keywords = properties as unknown as Record<string, Keywords>;
  const validate = ajv.compile(canonical(properties));
  const readAll = (sent: ReadonlyMap<string, Sent>) => {
    const query: Record<string, unknown> = {};
    const invalid = new Map<string, InputProblem>();
    for (const [name, { as, text }] of sent) {
      if (containsNul(text)) invalid.set(name, unreadable(as));
      else query[name] = readValue(keywords[name]!, text);
    }
    if (validate(query)) return { query, invalid };
    for (const [name, errors] of byParameter(validate.errors ?? [])) {
      if (invalid.has(name)) continue;
      const { as, text } = sent.get(name) ?? { as: name, text: '' };
      invalid.set(name, parameterProblem(as, keywords[name] ?? {}, text, errors));
      delete query[name];
    }
    return { query, invalid };
  };
  return (search) => {
    const problems: InputProblem[] = [];
    const raw = sentOnce(new URLSearchParams(search), Object.keys(keywords), problems);
    const { sent, outvoted } = withoutAliases(raw, keywords, problems);
    const { query, invalid } = readAll(sent);
    problems.push(...invalid.values());
    // A value that loses to its alias is not used, but is still an error if it is invalid.
    if (outvoted.size > 0) {
      for (const [name, problem] of readAll(outvoted).invalid) if (outvoted.has(name)) problems.push(problem);
    }
    for (const group of exclusive) {
      for (const name of spareDefaults(group, sent, query, keywords)) sent.delete(name);
      problems.push(...refuseTogether(group, sent));
    }
    return { query, given: new Set(sent.keys()), problems };
  };
}

/** Of an error at `/categories/0`, `categories`; of a missing parameter, its name. */
function byParameter(errors: readonly ErrorObject[]): Map<string, ErrorObject[]> {
  const named = new Map<string, ErrorObject[]>();
  for (const error of errors) {
    const name = error.instancePath.split('/')[1] ?? String(error.params.missingProperty);
    named.set(name, [...(named.get(name) ?? []), error]);
  }
  return named;
}

const schemas = new WeakMap<TProperties, TObject>();

/** Returns the same object for the same declaration, because ajv caches compiled schemas by identity. */
function canonical(properties: TProperties): TObject {
  const existing = schemas.get(properties);
  if (existing) return existing;
  const own = Object.entries(properties).filter(([, schema]) => !(schema as Keywords)['x-alias-of']);
  const schema = Type.Object(Object.fromEntries(own));
  schemas.set(properties, schema);
  return schema;
}

function sentOnce(search: URLSearchParams, accepted: readonly string[], problems: InputProblem[]): Map<string, string> {
  const raw = new Map<string, string>();
  const repeated = new Set<string>();
  const unknown = new Set<string>();
  for (const [name, value] of search) {
    if (!accepted.includes(name)) unknown.add(name);
    else if (raw.has(name)) repeated.add(name);
    else raw.set(name, value);
  }
  const suggest = unknown.size <= MOST_SUGGESTED;
  for (const name of unknown) problems.push(unknownParameter(name, accepted, suggest));
  for (const name of repeated) {
    problems.push({
      parameter: name,
      detail: `${name} is sent more than once; send one value, with list items separated by commas.`,
    });
  }
  return raw;
}

const unreadable = (parameter: string): InputProblem => ({
  parameter,
  detail: `${parameter} contains a NUL character.`,
});

/** With more unknown parameters than this, none is treated as a misspelling. */
const MOST_SUGGESTED = 10;

function unknownParameter(name: string, accepted: readonly string[], suggest: boolean): InputProblem {
  const list = accepted.length > 0 ? `valid parameters are ${accepted.join(', ')}` : 'this operation has none';
  const meant = suggest ? didYouMean(name, accepted) : '';
  return {
    parameter: name,
    detail: `${name.slice(0, 60)} is not a parameter; ${list}.${meant}`,
    valid_values: accepted,
  };
}

/** A value, and the name under which it was sent. */
interface Sent {
  readonly as: string;
  readonly text: string;
}

function withoutAliases(
  raw: ReadonlyMap<string, string>,
  keywords: Readonly<Record<string, Keywords>>,
  problems: InputProblem[],
): { readonly sent: Map<string, Sent>; readonly outvoted: ReadonlyMap<string, Sent> } {
  const sent = new Map<string, Sent>();
  const outvoted = new Map<string, Sent>();
  for (const [name, text] of raw) if (!keywords[name]?.['x-alias-of']) sent.set(name, { as: name, text });
  for (const [name, text] of raw) {
    const own = keywords[name]?.['x-alias-of'];
    if (!own) continue;
    const other = sent.get(own);
    if (!other || keywords[name]?.['x-alias-wins']) {
      if (other) outvoted.set(own, other);
      sent.set(own, { as: name, text });
    } else if (!sameValue(keywords[own]!, other.text, text)) {
      problems.push({
        parameter: name,
        detail: `${name} and ${own} are the same parameter, but two different values were sent.`,
      });
    }
  }
  return { sent, outvoted };
}

function sameValue(keywords: Keywords, one: string, other: string): boolean {
  const sorted = (text: string) => JSON.stringify([readValue(keywords, text)].flat().sort());
  return sorted(one) === sorted(other);
}

/** The typed value; a text in another form is returned unchanged, for the validator to report. */
function readValue(keywords: Keywords, text: string): unknown {
  if (keywords.type === 'array') return listOf(keywords, text);
  if (keywords.type === 'integer') return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  if (keywords.type === 'number') return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
  if (keywords.type === 'boolean') return text === 'true' || text === 'false' ? text === 'true' : text;
  // A plus sign that a client did not encode arrives as a space.
  if (keywords.format === 'date-time' || keywords.format === 'day-or-instant')
    return text.replace(/ (?=\d\d:\d\d$)/, '+');
  return fold(keywords, text);
}

function listOf(keywords: Keywords, text: string): string[] {
  const items = text.split(',').map((item) => fold(keywords.items ?? {}, item.trim()));
  return [...new Set(items)];
}

function fold(keywords: Keywords, text: string): string {
  if (keywords['x-fold'] === 'lower') return text.toLowerCase();
  return keywords['x-fold'] === 'upper' ? text.toUpperCase() : text;
}

/**
 * Among the members of an exclusive group, those that have their own default. Clients that always send every parameter
 * with a default leave the choice to the other one: these count as not sent.
 */
function spareDefaults(
  group: readonly string[],
  sent: ReadonlyMap<string, Sent>,
  query: Readonly<Record<string, unknown>>,
  keywords: Readonly<Record<string, Keywords>>,
): string[] {
  const both = group.filter((name) => sent.has(name));
  const isDefault = (name: string, usual = keywords[name]?.default) => usual !== undefined && query[name] === usual;
  return both.length < 2 ? [] : both.filter((name) => isDefault(name));
}

function refuseTogether(group: readonly string[], sent: ReadonlyMap<string, Sent>): InputProblem[] {
  const both = group.filter((name) => sent.has(name));
  if (both.length < 2) return [];
  return [{ parameter: both[1]!, detail: `${both.join(' and ')} cannot be combined; send one of them.` }];
}
