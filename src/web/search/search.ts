// Finds venues, runners, riders, trainers, teams and competitions by the beginning of their words. A text that is too
// short finds nothing and reads nothing. Many visitors cost one read: what was found is cached for some seconds, and
// the names of all but runners for a minute.

import { runnerKey } from '../../domain/race/runner';
import { nearest } from '../../nearest';
import { timedCache } from '../board/timed-cache';
import { comingLeagues, comingTeams, leagueAt, teamAt } from './coming';
import { nearness, type Query, type SearchName, searchName, searchQuery } from './match';
import type {
  FoundPerson,
  FoundVenue,
  SearchFound,
  SearchSource,
  SpelledLeague,
  SpelledPerson,
  SpelledTeam,
  SpelledVenue,
} from './model';

export interface NameSearch {
  find(text: string): Promise<SearchFound>;
}

export const SHORTEST = 2;
export const LONGEST = 60;
const NOTHING: SearchFound = {
  ...{ venues: [], runners: [], moreRunners: false, people: [], morePeople: false },
  ...{ teams: [], moreTeams: false, leagues: [], withoutSports: false, near: [] },
};
const NO_SPORTS: SportsDirectory = { teams: [], leagues: [] };
const MOST_VENUES = 8;
const MOST_RUNNERS = 8;
const MOST_PEOPLE = 30;
const MOST_TEAMS = 20;
const MOST_LEAGUES = 12;
/** Race time. */
const CACHED_MS = 5000;
const NAMES_CACHED_MS = 60_000;
const TEXTS_CACHED = 200;
/** Of names with the first letters of a text that finds nothing. */
const MOST_NEAR = 60;
const FIRST_LETTERS = 3;

interface Named<T> {
  readonly value: T;
  readonly names: readonly SearchName[];
}

interface Directory {
  readonly venues: readonly Named<SpelledVenue>[];
  readonly people: readonly Named<SpelledPerson>[];
}

interface SportsDirectory {
  readonly teams: readonly Named<SpelledTeam>[];
  readonly leagues: readonly Named<SpelledLeague>[];
}

/** As it is cached: teams and competitions with all their matches, of which some start while it is. */
interface Answer {
  readonly found: Omit<SearchFound, 'teams' | 'moreTeams' | 'leagues'>;
  readonly teams: readonly SpelledTeam[];
  readonly leagues: readonly SpelledLeague[];
}

export function createNameSearch({ source, now }: { readonly source: SearchSource; now(): number }): NameSearch {
  const answers = timedCache<Answer>(CACHED_MS, TEXTS_CACHED);
  const directories = timedCache<Directory>(NAMES_CACHED_MS, 1);
  const ofSports = timedCache<SportsDirectory>(NAMES_CACHED_MS, 1);

  /** Null: they cannot be read, which leaves the search of racing as it is. */
  const sportsAt = (nowMs: number): Promise<SportsDirectory | null> =>
    ofSports
      .get('all', nowMs, () => sportsDirectoryOf(source, nowMs))
      .then(
        ({ value }) => value,
        () => null,
      );

  async function read(text: string, query: Query, nowMs: number): Promise<Answer> {
    const keys = runnerKeysOf(text);
    const [{ value: racing }, found, ...byKey] = await Promise.all([
      directories.get('all', nowMs, () => directoryOf(source, nowMs)),
      sportsAt(nowMs),
      ...keys.map((key) => source.runners(key, MOST_RUNNERS)),
    ]);
    const first = [...new Map(byKey.flatMap((one) => one.runners).map((one) => [one.key, one])).values()];
    const runners = first.slice(0, MOST_RUNNERS);
    const moreRunners = first.length > MOST_RUNNERS || byKey.some((one) => one.moreRunners);
    const sports = found ?? NO_SPORTS;
    const people = matching(racing.people, query, byRecency);
    const all = {
      venues: matching(racing.venues, query, byName).slice(0, MOST_VENUES).map(venueOf),
      ...{ runners, moreRunners },
      people: people.slice(0, MOST_PEOPLE).map(personOf),
      morePeople: people.length > MOST_PEOPLE,
      withoutSports: found === null,
    };
    const teams = matching(sports.teams, query, byNextStart);
    const leagues = matching(sports.leagues, query, byMatches);
    const isNothing = [all.venues, all.runners, all.people, teams, leagues].every(({ length }) => length === 0);
    const near = isNothing ? await nearNames(source, { ...racing, ...sports }, query) : [];
    return { found: { ...all, near }, teams, leagues };
  }

  return {
    async find(text) {
      const nowMs = now();
      const cut = text.slice(0, LONGEST);
      const query = searchQuery(cut);
      if (query.letters.length < SHORTEST) return NOTHING;
      // The keys of runners are folded otherwise: `Rock & Roll (NZ)` and `Rock Roll` are one.
      const name = `${query.words.join(' ')}|${runnerKeysOf(cut).join('|')}`;
      return foundAt((await answers.get(name, nowMs, () => read(cut, query, nowMs))).value, nowMs);
    },
  };
}

function foundAt({ found, teams, leagues }: Answer, nowMs: number): SearchFound {
  const coming = teams.flatMap((one) => teamAt(one, nowMs) ?? []);
  return {
    ...found,
    teams: coming.slice(0, MOST_TEAMS),
    moreTeams: coming.length > MOST_TEAMS,
    leagues: leagues.flatMap((one) => leagueAt(one, nowMs) ?? []).slice(0, MOST_LEAGUES),
  };
}

/** As names are folded, with `and` for `&`, and without it: `rock and roll` finds `Rock & Roll` and `Rock And Roll`. */
function runnerKeysOf(text: string): string[] {
  const spellings = [text, text.replaceAll('&', ' and '), text.replace(/\band\b/gi, ' ')];
  return [...new Set(spellings.map(runnerKey))].filter((key) => key !== '');
}

const named = <T extends SpelledVenue | SpelledPerson | SpelledTeam>(value: T): Named<T> => ({
  value,
  names: [...new Set([value.name, ...value.spellings])].map(searchName),
});

async function directoryOf(source: SearchSource, nowMs: number): Promise<Directory> {
  const [venues, people] = await Promise.all([source.venues(nowMs), source.people(nowMs)]);
  return { venues: venues.map(named), people: people.map(named) };
}

async function sportsDirectoryOf(source: SearchSource, nowMs: number): Promise<SportsDirectory> {
  const matches = await source.matches(nowMs);
  return { teams: comingTeams(matches).map(named), leagues: comingLeagues(matches).map(named) };
}

/** The nearest first. */
function matching<T>(all: readonly Named<T>[], query: Query, order: (a: T, b: T) => number): T[] {
  const matches = all.flatMap(({ value, names }) => {
    const near = names.flatMap((name) => nearness(name, query) ?? []);
    return near.length === 0 ? [] : [{ value, rank: Math.min(...near) }];
  });
  return matches.sort((a, b) => a.rank - b.rank || order(a.value, b.value)).map(({ value }) => value);
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1);
const byRecency = (a: FoundPerson, b: FoundPerson): number => b.race.startMs - a.race.startMs || byName(a, b);

const byNextStart = (a: SpelledTeam, b: SpelledTeam): number =>
  a.matches[0]!.startMs - b.matches[0]!.startMs || byName(a, b);
const byMatches = (a: SpelledLeague, b: SpelledLeague): number => b.matches.length - a.matches.length || byName(a, b);

const venueOf = ({ spellings: _, ...venue }: SpelledVenue): FoundVenue => venue;
const personOf = ({ spellings: _, ...person }: SpelledPerson): FoundPerson => person;

/** Of runners names that begin with the same letters; of all others a whole name or one word of it. */
async function nearNames(
  source: SearchSource,
  { venues, people, teams, leagues }: Directory & SportsDirectory,
  query: Query,
): Promise<readonly string[]> {
  const first = query.letters.slice(0, FIRST_LETTERS);
  const { runners } = await source.runners(first, MOST_NEAR);
  const sent = query.words.join(' ');
  const names = [...venues, ...people, ...teams, ...leagues]
    .flatMap(({ names: spelled }) => spelled)
    .flatMap(({ words }) => (query.words.length === 1 ? words : [words.join(' ')]));
  const likely = [...new Set(names)].filter((name) => name.startsWith(first[0]!) && isAsLong(name, sent));
  const ofRunners = new Map(runners.map(({ name }) => [name.toLowerCase(), name]));
  const near = nearest(sent, [...likely.slice(0, MOST_NEAR), ...ofRunners.keys()]);
  return near.map((name) => ofRunners.get(name) ?? name);
}

const isAsLong = (a: string, b: string): boolean => Math.abs(a.length - b.length) <= 2;
