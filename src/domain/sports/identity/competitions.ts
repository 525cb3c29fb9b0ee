// What a book's competition name shows about its match: which of two sides with one name play. Clubs have men, women,
// youth and reserves under one name, and these meet on one ground on one day.
import { sportOf } from '../sports';
import { COMPETITIONS } from './competitions.data';

export interface Competition {
  /** From the table; null: the name is unknown to it. */
  readonly key: string | null;
  /** Folded. */
  readonly name: string;
  /**
   * What divides its sides from others of their name, such as `women` and `u21`, in order; empty: the first grade of
   * men, or unknown.
   */
  readonly divisions: readonly string[];
}

/**
 * How the competitions of two rows relate. `alike`: one name that the table does not know, which may mean several
 * (`Cup`). `unknown`: the names differ, and the table knows at most one. `unnamed`: one row names none.
 */
export type Relation = 'same' | 'different' | 'alike' | 'unknown' | 'unnamed';

/** Lower-case letters and digits, words by spaces. */
const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}|[.'’]/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** Words of a competition's folded name that mean other sides than those without them. */
const DIVIDING: readonly (readonly [division: string, words: RegExp])[] = [
  ['women', /\b(?:w|women|womens|ladies|girls|female)\b/],
  [
    'reserves',
    /\b(?:reserves?|(?:second|2nd|third|3rd) (?:grade|xi|team)|reserve grade|development|split squads?|ss)\b/,
  ],
  ['youth', /\b(?:youth|juniors?|colts|academy|schoolboys?|schools?|girls)\b/],
  ['simulated', /\b(?:srl|simulated reality|virtual|cyber|e ?sports?|e ?soccer|e ?basketball|e ?cricket)\b/],
  ['legends', /\b(?:legends|veterans|exhibition)\b/],
  ['wheelchair', /\b(?:wheelchair|deaf|blind|disability)\b/],
];
const AGE = /\b(?:u|under) ?(\d\d)s?\b/;

function divisionsOf(text: string): readonly string[] {
  const [, age] = AGE.exec(text) ?? [];
  return [
    ...DIVIDING.flatMap(([division, words]) => (words.test(text) ? [division] : [])),
    ...(age ? [`u${age}`] : []),
  ];
}

const TABLES = new Map(
  Object.entries(COMPETITIONS).map(([sportKey, known]) => [
    sportKey,
    new Map(known.flatMap((one) => one.spellings.map((spelling) => [folded(spelling), one] as const))),
  ]),
);

/** `Rugby League`, `ATP`: only terms of the sport itself, which its women, youth and reserves play too. */
function isOfSport(sportKey: string, text: string): boolean {
  const { title = '', group = '' } = sportOf(sportKey) ?? {};
  const words = folded(`${title} ${group}`).split(' ');
  return text.split(' ').every((word) => words.includes(word));
}

/** Null if a book names none, or only the sport. */
export function competitionOf(sportKey: string, name: string | null): Competition | null {
  if (name === null) return null;
  const text = folded(name);
  const found = TABLES.get(sportKey)?.get(text);
  if (text === '' || (!found && isOfSport(sportKey, text))) return null;
  const divisions = found?.division ? [found.division] : found ? [] : divisionsOf(text);
  return { key: found?.key ?? null, name: text, divisions };
}

/**
 * Of two names in one sport. Never `same` for two that the table knows as different (D66). Divisions are no part of it:
 * the keys of the teams have them, by whichever name a book writes them into.
 */
export function relationOf(a: Competition | null, b: Competition | null): Relation {
  if (a === null || b === null) return 'unnamed';
  if (a.key !== null && b.key !== null) return a.key === b.key ? 'same' : 'different';
  return a.name === b.name ? 'alike' : 'unknown';
}
