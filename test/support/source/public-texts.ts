// Every text that users of the service or readers of its documents see, with its place, without code and quotations.
// Never reads comments.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync } from '@swc/core';

export interface PublicText {
  readonly at: string;
  readonly text: string;
}

const ROOT = join(__dirname, '../../..');

/** Blanks with the same layout, so that lines keep their numbers. */
const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** Text in backticks or double quotes is quoted and not our wording. */
const unquoted = (text: string): string => text.replace(/`[^`]*`|"[^"\n]*"|“[^”]*”/g, blank);

const DOCUMENTED = new Set(['summary', 'description', 'title']);

/** Descriptions, summaries and titles of an OpenAPI document, and the sentences in its examples. */
export function documentTexts(node: unknown, at = '#', isExample = false): PublicText[] {
  if (typeof node === 'string') return isExample && /\s/.test(node) ? [{ at, text: unquoted(node) }] : [];
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, member]) => {
    const place = `${at}/${name}`;
    if (typeof member === 'string' && DOCUMENTED.has(name)) return [{ at: place, text: unquoted(member) }];
    return documentTexts(member, place, isExample || name === 'example' || name === 'examples');
  });
}

/** Paragraphs and headings of a Markdown file, one text per line. */
export function markdownTexts(at: string, source: string): PublicText[] {
  const plain = source
    .replace(/^```.*?^```/gms, blank)
    .replace(/<!--.*?-->/gs, blank)
    .replace(/^>.*$/gm, blank)
    .replace(/\]\([^)]*\)/g, blank);
  const lines = unquoted(plain).split('\n');
  return lines.flatMap((text, i) => (text.trim() === '' ? [] : [{ at: `${at}:${i + 1}`, text }]));
}

/**
 * String literals of a source file with more than one word; for markup, its visible text and what screen readers read.
 */
export function sourceTexts(at: string, source: string): PublicText[] {
  const found: string[] = [];
  visit(parseSync(source, { syntax: 'typescript' }), found);
  return found.map((text) => ({ at, text: unquoted(textOf(text)) })).filter(({ text }) => /\S\s+\S/.test(text));
}

interface Syntax {
  readonly type?: string;
  readonly value?: unknown;
  readonly quasis?: readonly { readonly cooked: string }[];
}

function visit(node: unknown, found: string[]): void {
  if (typeof node !== 'object' || node === null) return;
  const { type, value, quasis } = node as Syntax;
  if (type === 'StringLiteral') found.push(String(value));
  if (type === 'TemplateLiteral') found.push(quasis!.map(({ cooked }) => cooked).join('…'));
  for (const member of Object.values(node)) visit(member, found);
}

const READ_OUT = /\s(?:title|aria-label|alt)="([^"]*)"/g;

function textOf(literal: string): string {
  const readOut = [...literal.matchAll(READ_OUT)].map((match) => match[1]!);
  return [literal.replace(/<[^>]*>?|\s[\w-]+="[^"]*"?/g, ' '), ...readOut].join(' · ');
}

function filesIn(folder: string, ends: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ends.test(name))
    .map((name) => join(folder, name));
}

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** README, CHANGELOG, CONTRIBUTING and all of docs. */
export const allMarkdownTexts = (): PublicText[] =>
  ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', ...filesIn('docs', /\.md$/)].flatMap((file) =>
    markdownTexts(relative('.', file), read(file)),
  );

/** Only whole sentences: other strings in these folders are SQL, keys and log lines. */
const SENTENCE = /^[A-Z].*\.$/s;

/** Problems, notes and pages. */
export function allSourceTexts(): PublicText[] {
  const shown = [
    'src/errors.ts',
    ...['src/api', 'src/plans', 'src/web'].flatMap((one) => filesIn(one, /(?<!\.d)\.m?[jt]s$/)),
  ];
  const mixed = ['src/domain', 'src/store', 'src/activities', 'src/accounts', 'src/payments'].flatMap((one) =>
    filesIn(one, /\.ts$/),
  );
  return [
    ...shown.flatMap((file) => sourceTexts(file, read(file))),
    ...mixed.flatMap((file) => sourceTexts(file, read(file)).filter(({ text }) => SENTENCE.test(text.trim()))),
  ];
}
