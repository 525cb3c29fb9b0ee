// Which team a name means. Conservative: two spellings are one team only if they fold to one text, or the table lists both.
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

/** `Women`, `(W)`, `U19`, `Under 21s`: another team than the one without. In these leagues there is no other. */
const WOMEN = /-(?:women|womens|ladies|w)$/;
const WOMEN_ONLY = new Set(['aflw', 'nrlw', 'wnba', 'tennis_wta']);

function divided(sportKey: string, slug: string, competition: string | null): string {
  const plain = slug.replace(WOMEN, '').replace(/-(?:u|under)-?\d\ds?$/, '');
  if (WOMEN_ONLY.has(sportKey)) return plain;
  const women = WOMEN.test(slug) || /\b(?:women|ladies)/i.test(competition ?? '');
  const [, youth] = /\b(?:u|under)[ -]?(\d\d)s?\b/i.exec(`${slug} ${competition ?? ''}`) ?? [];
  return `${plain}${women ? '-women' : ''}${youth ? `-u${youth}` : ''}`;
}

/** What folding would lose: of `Динамо 2` the digit alone would be left, and of `Зенит 2` the same. */
const OF_ANOTHER_SCRIPT = /(?!\p{Script=Latin})[\p{Lu}\p{Ll}\p{Lt}\p{Lo}]/u;

/** Null for a name in another script than Latin, or without a letter or digit: no other book's name could be compared with it. */
export function teamOf(sportKey: string, name: string, competition: string | null = null): Team | null {
  const slug = fold(sportKey, name);
  if (slug === '' || OF_ANOTHER_SCRIPT.test(name)) return null;
  const folded = divided(sportKey, slug, competition);
  return TABLES.get(sportKey)?.get(folded) ?? { key: folded, name };
}
