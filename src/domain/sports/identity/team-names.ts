// Which team a name means. Conservative: two spellings are one team only if they fold to one text, or the table lists both.
import { competitionOf } from './competitions';
import { TEAM_SPELLINGS } from './team-names.data';

export interface Team {
  /** Lower-case letters, digits and hyphens; the team's part of `canonical_event_id`. */
  readonly key: string;
  /** As we show it: of the table, otherwise as it was sent. */
  readonly name: string;
}

/** Players are listed as `Alcaraz, Carlos` too. */
const OF_PLAYERS = new Set(['tennis_atp', 'tennis_wta', 'mma']);
/** Clubs carry these or not, as the book likes. */
const CLUB = new Set(['fc', 'afc', 'cf']);

/** Empty for a name without a Latin letter or digit. */
function fold(sportKey: string, name: string): string {
  const [last, first, ...more] = name.split(',');
  const ordered = OF_PLAYERS.has(sportKey) && first && more.length === 0 ? `${first} ${last}` : name;
  const slug = ordered
    .normalize('NFD')
    .replace(/\p{M}|[.'’]/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (!sportKey.startsWith('soccer')) return slug;
  const bare = slug.split('-').filter((word) => !CLUB.has(word));
  return bare.length > 0 ? bare.join('-') : slug;
}

const TABLES: ReadonlyMap<string, ReadonlyMap<string, Team>> = new Map(
  Object.entries(TEAM_SPELLINGS).map(([sportKey, teams]) => [
    sportKey,
    new Map(
      teams.flatMap((spellings) => {
        const team = { key: fold(sportKey, spellings[0]!), name: spellings[0]! };
        return spellings.map((one): [string, Team] => [fold(sportKey, one), team]);
      }),
    ),
  ]),
);

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
  const { club, ofName } = withoutEndings(slug);
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

/** Null for a name in another script than Latin, or without a letter or digit: no other book's name could be compared with it. */
export function teamOf(sportKey: string, name: string, competition: string | null = null): Team | null {
  const slug = fold(sportKey, name);
  if (slug === '' || OF_ANOTHER_SCRIPT.test(name)) return null;
  const { club, suffix } = divided(sportKey, slug, competition);
  const team = TABLES.get(sportKey)?.get(club) ?? { key: club, name };
  return suffix === '' ? team : { key: `${team.key}${suffix}`, name };
}

/** Which of its club's sides a name means, by itself and by its competition: empty for the first grade of men. */
export const divisionOf = (sportKey: string, name: string, competition: string | null): string =>
  divided(sportKey, fold(sportKey, name), competition).suffix;
