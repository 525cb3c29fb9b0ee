// The clauses of the contract in docs/contract, a file per subject in the order of its README. Never guesses: a
// malformed clause throws.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../root';

/** Rows of a table, or items of a list: code is in backticks. */
type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

export interface Clause {
  /** As it is cited: `A 2.4`, `D17`. */
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
  /** Whether customers may read it. */
  readonly isPublic: boolean;
  /** Where it is implemented. */
  readonly implementedIn: readonly string[];
  /** The tests that prove it; empty: none. */
  readonly provedBy: readonly string[];
  /** Why no code cites it. */
  readonly uncited: string | null;
}

export interface Subject {
  /** Its file, without the ending. */
  readonly name: string;
  readonly title: string;
  readonly clauses: readonly Clause[];
}

const HEADING = /^<a id="([a-z0-9.-]+)"><\/a>([AB] [1-9](?:\.[0-9]+)?|D[1-9][0-9]?) · (.+)$/;
const CITATION = /\b(?:[AB] (?:[1-9][0-9]?\.[0-9]+|[1-9])|D[1-9][0-9]?)\b/g;
const LINK = /^- \[([^\]]+)\]\(([a-z]+)\.md\)$/;

/** The ids cited in a text, in order. */
export const citedIn = (text: string): readonly string[] => text.match(CITATION) ?? [];

/** From the clause's heading, in the file and on the page. */
export const anchorOf = (id: string): string => id.toLowerCase().replace(' ', '-');

/** `file` names it in an error. */
export function clausesIn(file: string, source: string): readonly Clause[] {
  const [, ...parts] = source.split('\n### ');
  return parts.map((part) => clauseOf(file, part));
}

function clauseOf(file: string, part: string): Clause {
  const [heading = '', ...paragraphs] = part.trim().split(/\n{2,}/);
  const [, anchor, id, title] = HEADING.exec(heading) ?? [];
  const facts = paragraphs.pop();
  if (!id || !title || anchor !== anchorOf(id) || facts === undefined) throw refusal(file, heading);
  return { id, title, blocks: paragraphs.map(blockOf), ...factsOf(facts, () => refusal(file, heading)) };
}

const refusal = (file: string, heading: string): Error =>
  new Error(`${file}: not of the form that docs/contract/README.md shows: ${heading}`);

type Facts = Pick<Clause, 'isPublic' | 'implementedIn' | 'provedBy' | 'uncited'>;

function factsOf(paragraph: string, refused: () => Error): Facts {
  const [audience, sources = '', tests = '', uncited = null, ...rest] = oneLine(paragraph).split(' · ');
  const isKnown = audience === 'public' || audience === 'internal';
  const implementedIn = pathsIn(sources);
  const provedBy = tests === 'no test' ? [] : pathsIn(tests);
  const isWhole = implementedIn.length > 0 && (provedBy.length > 0 || tests === 'no test') && rest.length === 0;
  if (!isKnown || !isWhole || uncited?.startsWith('uncited: ') === false) throw refused();
  return { isPublic: audience === 'public', implementedIn, provedBy, uncited };
}

const pathsIn = (text: string): readonly string[] => [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);

const oneLine = (text: string): string => text.replaceAll(/\n */g, ' ');

function blockOf(paragraph: string): Block {
  if (paragraph.startsWith('- ')) return { kind: 'list', items: oneLineItems(paragraph) };
  if (!paragraph.startsWith('|')) return { kind: 'text', text: oneLine(paragraph) };
  const [head = [], , ...rows] = paragraph.split('\n').map(cellsOf);
  return { kind: 'table', head, rows };
}

const oneLineItems = (paragraph: string): readonly string[] => paragraph.slice(2).split('\n- ').map(oneLine);

const cellsOf = (row: string): readonly string[] =>
  row
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

const read = (name: string): string => readFileSync(join(ROOT, 'docs/contract', `${name}.md`), 'utf8');

export function readSubjects(): readonly Subject[] {
  return read('README')
    .split('\n')
    .flatMap((line) => {
      const [, title, name] = LINK.exec(line) ?? [];
      return title && name ? [{ name, title, clauses: clausesIn(`docs/contract/${name}.md`, read(name)) }] : [];
    });
}
