// How a book that pushes names a match of the season: with the name forms of real books (towns alone, abbreviations,
// capitals, sponsors, players in both orders), never the spellings of the service's tables. Pure.
import type { Fixture } from '../fixtures';
import type { SportBook, Style } from '../sport-books';
import type { SeasonMatch } from './season';
import type { SeasonLeague } from './season.data';

export interface Listing {
  readonly sportKey: string;
  readonly home: string;
  readonly away: string;
  readonly competition: string | null;
  /** The visitors come first. */
  readonly isTurned: boolean;
}

/** As the source's feed lists the match. */
export const atTheSource = ({ league, fixture }: SeasonMatch): Listing => ({
  sportKey: league.sportKey,
  home: fixture.home[0]!,
  away: fixture.away[0]!,
  competition: league.title,
  isTurned: false,
});

export function listingOf({ league, fixture }: SeasonMatch, book: SportBook): Listing {
  const { home, away } = namesOf(league, fixture, book);
  const isAmerican = AMERICAN.has(league.sportKey);
  return {
    sportKey: (book.mixed && league.womenOf) || league.sportKey,
    home,
    away,
    // All books use the same name for American leagues.
    competition: book.competition && (isAmerican ? league.title : book.competition.replace('*', league.title)),
    isTurned: book.visitorsFirst && isAmerican,
  };
}

const AMERICAN = new Set(['nba', 'wnba', 'nfl', 'ncaaf', 'mlb', 'nhl']);
const OF_PLAYERS = new Set(['Tennis', 'MMA']);

function namesOf(league: SeasonLeague, { home, away }: Fixture, { style }: SportBook) {
  const spell = OF_PLAYERS.has(league.group) ? PLAYER[style] : SIDE[style];
  const named = (names: readonly string[]): string => `${spell(names)}${remarkOf(league, style)}`;
  return { home: named(home), away: named(away) };
}

/** The mark of women's teams, and the pitcher of the day. */
function remarkOf({ womenOf, sportKey }: SeasonLeague, style: Style): string {
  if (womenOf !== undefined && style === 'town') return ' (W)';
  return sportKey === 'mlb' && style === 'capitals' ? ' (R. Castellan)' : '';
}

type Spell = (names: readonly string[]) => string;

const full: Spell = (names) => names[0]!;
/** A long first word is cut: `Bris. Broncos`. */
const cut: Spell = ([name]) => name!.replace(/^([\p{L}-]{4})[\p{L}-]{3,}(?= )/u, '$1.');

const SIDE: Readonly<Record<Style, Spell>> = {
  full,
  town: (names) => names[1] ?? names[0]!,
  shortened: cut,
  capitals: (names) => names[0]!.toUpperCase(),
  initials: (names) => names[2] ?? names[0]!,
  sponsored: (names) => `Quillmart ${names[0]!}`,
};

/** `Ana Alvestad` */
const parts = ([name]: readonly string[]): readonly [string, string] => {
  const [first, ...last] = name!.split(' ');
  return [first!, last.join(' ')];
};

const PLAYER: Readonly<Record<Style, Spell>> = {
  full,
  town: (names) => `${parts(names)[1]}, ${parts(names)[0]}`,
  shortened: (names) => `${parts(names)[0]![0]}. ${parts(names)[1]}`,
  capitals: (names) => `${parts(names)[1].toUpperCase()} ${parts(names)[0]}`,
  initials: (names) => `${parts(names)[1]} ${parts(names)[0]![0]}.`,
  sponsored: (names) => `${names[0]!} (KES)`,
};
