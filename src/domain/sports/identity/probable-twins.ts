// Matches that are probably one and are listed twice: for an operator, who joins them or does not (D66). Pure.
import { median } from '../../market/median';
import type { PricedMatch } from '../match';
import { likenessOf } from './names/same-side';
import { SEEDED_NAMES } from './names/seeded';
import { CONTRADICTION, homeShareOf, MINUTES_APART_MS } from './same-match';
import { sideOf } from './team-names';

export interface ProbableTwins {
  readonly older: PricedMatch;
  readonly younger: PricedMatch;
  /** How many of their teams are equal, or may be two spellings of one. */
  readonly equalSides: 0 | 1 | 2;
  /** Their sides are the other way round. */
  readonly turned: boolean;
  /** How far their chances of the home side are apart: 0 to 1. */
  readonly apart: number;
}

/** Many matches of a sport start at one time: without an equal side prices must be nearly the same. */
const NEARLY = 0.03;

/**
 * Pairs of one sport that start within ten minutes of each other, that no book lists both, and whose prices agree:
 * within 40 points with an equal side, or one that may be, or with a word of each side in common, in any spelling of
 * their books; within 3 points without. `matches`: by start.
 */
export function probableTwins(matches: readonly PricedMatch[]): readonly ProbableTwins[] {
  return matches.flatMap((one, i) => {
    const last = Date.parse(one.commenceTime) + MINUTES_APART_MS;
    const others = matches.slice(i + 1);
    const end = others.findIndex(({ commenceTime }) => Date.parse(commenceTime) > last);
    return (end < 0 ? others : others.slice(0, end)).flatMap((other) => twinsOf(one, other) ?? []);
  });
}

function twinsOf(older: PricedMatch, younger: PricedMatch): ProbableTwins | null {
  if (older.sportKey !== younger.sportKey || shareBook(older, younger)) return null;
  const [own, others] = [shareOf(older), shareOf(younger)];
  if (own === null || others === null) return null;
  const { sportKey } = older;
  const [one, other] = [spellingsOf(older), spellingsOf(younger)];
  const equal = (a: Spellings, b: Spellings): number =>
    Number(isAny(a, b, (x, y) => x.name === y.name || isLike(sportKey, x, y)));
  const straight = equal(one.home, other.home) + equal(one.away, other.away);
  const crossed = equal(one.home, other.away) + equal(one.away, other.home);
  const equalSides = Math.max(straight, crossed) as 0 | 1 | 2;
  const apartAs = (turned: boolean): number => Math.abs((turned ? 1 - own : own) - others);
  const turned = equalSides > 0 ? crossed > straight : apartAs(true) < apartAs(false);
  const apart = apartAs(turned);
  const [home, away] = turned ? [other.away, other.home] : [other.home, other.away];
  const areClose = equalSides > 0 || (isAny(one.home, home, shareWord) && isAny(one.away, away, shareWord));
  return apart < (areClose ? CONTRADICTION : NEARLY) ? { older, younger, equalSides, turned, apart } : null;
}

interface Spelling {
  readonly name: string;
  readonly side: ReturnType<typeof sideOf>;
}
type Spellings = readonly Spelling[];

/** Of each side: the match's own name is that of one book. */
function spellingsOf({ sportKey, homeTeam, awayTeam, books }: PricedMatch): { home: Spellings; away: Spellings } {
  const read = (names: readonly string[]): Spellings =>
    [...new Set(names)].map((name) => ({ name, side: sideOf(sportKey, name) }));
  return {
    home: read([homeTeam, ...books.map(({ homeName }) => homeName)]),
    away: read([awayTeam, ...books.map(({ awayName }) => awayName)]),
  };
}

const isAny = (a: Spellings, b: Spellings, holds: (x: Spelling, y: Spelling) => boolean): boolean =>
  a.some((x) => b.some((y) => holds(x, y)));

const isLike = (sportKey: string, { side: one }: Spelling, { side: other }: Spelling): boolean =>
  !!one && !!other && likenessOf(sportKey, one, other, SEEDED_NAMES(sportKey)) !== 'different';

/** `Mar United` and `Marlow Bay United`: a word that is the other's, or begins it. */
function shareWord(a: Spelling, b: Spelling): boolean {
  const [one, other] = [a, b].map(({ side }) => side?.words.filter(({ length }) => length > 2) ?? []);
  return one!.some((word) => other!.some((its) => its.startsWith(word) || word.startsWith(its)));
}

/** Two rows of one list are two matches. */
const shareBook = (a: PricedMatch, b: PricedMatch): boolean =>
  a.books.some(({ bookmaker }) => b.books.some((one) => one.bookmaker === bookmaker));

const shareOf = ({ books }: PricedMatch): number | null =>
  median(
    books.flatMap(({ markets }) => {
      const h2h = markets.find(({ market }) => market === 'h2h');
      return (h2h && homeShareOf(h2h)) ?? [];
    }),
  );
