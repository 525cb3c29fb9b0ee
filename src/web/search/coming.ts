// The teams and competitions of matches to come, for the search. Pure. Teams of one name are one only within one sport
// and one competition; without a competition each match is by itself. Nothing is found through a match that has
// started.
import { SPORTS, sportOf } from '../../domain/sports/sports';
import { searchName } from './match';
import type { ComingMatch, FoundLeague, FoundTeam, SpelledLeague, SpelledTeam } from './model';

/** The name itself if it has no letter or digit that folds. */
const folded = (name: string): string => searchName(name).words.join(' ') || name;

interface Gathered {
  readonly name: string;
  readonly spellings: Set<string>;
  readonly matches: ComingMatch[];
}

/** `matches`: by start. */
export function comingTeams(matches: readonly ComingMatch[]): readonly SpelledTeam[] {
  const teams = new Map<string, Gathered>();
  for (const match of matches) {
    const { eventId, sportKey, competition, homeTeam, awayTeam, homeNames, awayNames } = match;
    if (!sportOf(sportKey)) continue;
    for (const [name, names] of [[homeTeam, homeNames] as const, [awayTeam, awayNames] as const]) {
      const key = JSON.stringify([sportKey, competition ?? { eventId }, folded(name)]);
      const team = teams.get(key) ?? { name, spellings: new Set<string>(), matches: [] };
      for (const one of names) team.spellings.add(one);
      if (team.matches.at(-1) !== match) team.matches.push(match);
      teams.set(key, team);
    }
  }
  return [...teams.values()].map(({ name, spellings, matches: own }) => {
    const { sportKey, competition } = own[0]!;
    const sport = sportOf(sportKey)!.title;
    return { ...{ name, sportKey, sport, competition }, matches: own, spellings: [...spellings] };
  });
}

/** Null: its last match has started. */
export function teamAt({ spellings: _, matches, ...team }: SpelledTeam, nowMs: number): FoundTeam | null {
  const coming = matches.filter(({ startMs }) => startMs > nowMs);
  return coming.length === 0 ? null : { ...team, next: coming[0]!, matches: coming.length };
}

/** Every sport, also without a match, and the competitions of its matches. */
export function comingLeagues(matches: readonly ComingMatch[]): readonly SpelledLeague[] {
  return SPORTS.flatMap(({ key: sportKey, title: sport, group }) => {
    const own = matches.filter((one) => one.sportKey === sportKey);
    const named = Map.groupBy(own, ({ competition }) => competition);
    named.delete(null);
    const competitions = [...named].map(([competition, of]) => ({
      ...{ sportKey, sport, competition, name: competition!, matches: of },
      spellings: [`${sport} ${competition}`],
    }));
    const all = {
      ...{ sportKey, sport, competition: null, name: sport, matches: own },
      spellings: [group, sportKey.replaceAll('_', ' ')],
    };
    return [all, ...competitions.filter(({ name }) => folded(name) !== folded(sport))];
  });
}

/** Null: the last match of a competition has started. A sport has its page all the same. */
export function leagueAt({ spellings: _, matches, ...league }: SpelledLeague, nowMs: number): FoundLeague | null {
  const coming = matches.filter(({ startMs }) => startMs > nowMs).length;
  return coming === 0 && league.competition !== null ? null : { ...league, matches: coming };
}
