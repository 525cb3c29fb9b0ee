// Which team a name means. A name that the tables do not know is a team by its folded text; whether it is another name
// of a team of one match is judged with that match (`like-stored.ts`).
import { competitionOf } from './competitions';
import { keyOf, slugOf } from './names/letters';
import { isOfPlayers, type Player, playersOf, withoutRemarks } from './names/players';
import { SEEDED_NAMES } from './names/seeded';
import type { SportNames } from './names/sport-names';
import { wordsOf } from './names/words';

export interface Team {
  /** Lower-case letters, digits and hyphens; the team's part of `canonical_event_id`. */
  readonly key: string;
  /** As we show it: of the table, otherwise as it was sent. */
  readonly name: string;
}

/** A name, read. */
export interface Side {
  /** The key of the team without its division. */
  readonly club: string;
  /** Of the division, such as `-women-u20`; empty: the first grade of men, or unknown. */
  readonly suffix: string;
  /** As it was sent. */
  readonly name: string;
  readonly words: readonly string[];
  /** In sports of players. */
  readonly players: readonly Player[];
  /** The tables have the team. */
  readonly isKnown: boolean;
}

/** By sport key. */
export type Names = (sportKey: string) => SportNames;

/** Pitchers and games of a double-header: `(G Cole)`, `Game 2`. */
const OF_GAME = /\([^)]*\)|\b(?:game|gm) ?[12]\b/gi;

/** Empty for a name without a Latin letter or digit. */
function fold(sportKey: string, name: string): string {
  if (isOfPlayers(sportKey)) return slugOf(inOrderOfNames(withoutRemarks(name)));
  return keyOf(sportKey, slugOf(sportKey === 'mlb' ? name.replace(OF_GAME, ' ') : name));
}

/** Players are listed as `Alcaraz, Carlos` too. */
function inOrderOfNames(name: string): string {
  const [last, first, ...more] = name.split(',');
  return first && more.length === 0 ? `${first} ${last}` : name;
}

/** `Women`, `(W)`, `Reserves`, `(SS)`: other sides of the club, as the name of a side may end. */
const ENDINGS: readonly (readonly [division: string, ending: RegExp])[] = [
  ['women', /-(?:women|womens|ladies|w)$/],
  ['reserves', /-(?:reserves?|split-squad|ss)$/],
];
/** `U19`, `Under 21s`. */
const AGE = /-(?:u|under)-?(\d\d)s?$/;
/** In these leagues there are no others. */
const WOMEN_ONLY = new Set(['aflw', 'nrlw', 'wnba', 'tennis_wta']);

/** The club, and which of its sides: by the side's own name and by the competition that it plays in. */
function divided(sportKey: string, slug: string, competition: string | null) {
  // `Qiang W.` is a player.
  const { club, ofName } = isOfPlayers(sportKey) ? { club: slug, ofName: [] } : withoutEndings(slug);
  const all = new Set([...ofName, ...(competitionOf(sportKey, competition)?.divisions ?? [])]);
  if (WOMEN_ONLY.has(sportKey)) all.delete('women');
  return {
    club,
    suffix: inOrder([...all])
      .map((one) => `-${one}`)
      .join(''),
  };
}

/** A name may end in several: `Sydney FC U20 (W)`. */
function withoutEndings(slug: string): { readonly club: string; readonly ofName: readonly string[] } {
  const [ageEnding, age] = AGE.exec(slug) ?? [];
  const [division, ending] = ENDINGS.find(([, one]) => one.test(slug)) ?? [];
  const rest = age ? slug.slice(0, -ageEnding!.length) : ending && slug.replace(ending, '');
  if (!rest) return { club: slug, ofName: [] };
  const { club, ofName } = withoutEndings(rest);
  return { club, ofName: [...ofName, age ? `u${age}` : division!] };
}

/** Divisions before ages, so that the key does not depend on which of the two a book writes into which name. */
const inOrder = (divisions: readonly string[]): readonly string[] =>
  divisions.toSorted((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
const rankOf = (division: string): number => (division === 'women' ? 0 : /^u\d/.test(division) ? 2 : 1);

/** What folding would lose: of `Динамо 2` the digit alone would be left, and of `Зенит 2` the same. */
const OF_ANOTHER_SCRIPT = /(?!\p{Script=Latin})[\p{Lu}\p{Ll}\p{Lt}\p{Lo}]/u;

/**
 * Null for a name in another script than Latin, or without a letter or digit: no other book's name could be compared
 * with it.
 */
function clubOf(sportKey: string, name: string, competition: string | null, names: Names) {
  const slug = fold(sportKey, name);
  if (slug === '' || OF_ANOTHER_SCRIPT.test(name)) return null;
  const { club, suffix } = divided(sportKey, slug, competition);
  return { club, suffix, found: names(sportKey).find(club) };
}

/** As `clubOf`, with what names are compared by. */
export function sideOf(
  sportKey: string,
  name: string,
  competition: string | null = null,
  names: Names = SEEDED_NAMES,
): Side | null {
  const read = clubOf(sportKey, name, competition, names);
  if (read === null) return null;
  const { club, suffix, found } = read;
  const players = isOfPlayers(sportKey) ? playersOf(name) : [];
  return { club: found?.key ?? club, suffix, name, words: wordsOf(sportKey, club), players, isKnown: found !== null };
}

/** Books list the same names in every push. */
const remembered = new WeakMap<SportNames, Map<string, Team | null>>();
/** Names that are remembered of a sport. */
const REMEMBERED = 20_000;

/** As `clubOf`: the side's key in full, and its name as we show it. */
export function teamOf(
  sportKey: string,
  name: string,
  competition: string | null = null,
  names: Names = SEEDED_NAMES,
): Team | null {
  const read = rememberedOf(names(sportKey));
  // The length parts the two texts, whatever they contain.
  const key = `${sportKey} ${competition?.length} ${competition}${name}`;
  if (!read.has(key)) read.set(key, readTeam(sportKey, name, competition, names));
  return read.get(key)!;
}

function rememberedOf(names: SportNames): Map<string, Team | null> {
  const known = remembered.get(names);
  if (known && known.size <= REMEMBERED) return known;
  const empty = new Map<string, Team | null>();
  remembered.set(names, empty);
  return empty;
}

function readTeam(sportKey: string, name: string, competition: string | null, names: Names): Team | null {
  const read = clubOf(sportKey, name, competition, names);
  if (read === null) return null;
  const { club, suffix, found } = read;
  const known = found !== null && suffix === '' ? names(sportKey).nameOf(found.key) : null;
  return { key: `${found?.key ?? club}${suffix}`, name: known ?? name };
}

/** Which of its club's sides a name means, by itself and by its competition: empty for the first grade of men. */
export const divisionOf = (sportKey: string, name: string, competition: string | null): string =>
  divided(sportKey, fold(sportKey, name), competition).suffix;
