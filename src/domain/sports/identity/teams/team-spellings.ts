// Teams with their spellings as lists, for simulators and tests.
import { slugOf } from '../names/letters';
import { SEEDED_NAMES } from '../names/seeded';
import type { KnownTeam } from '../names/sport-names';
import { SEED } from './seed';

/** Town and nickname, if they mean only this team. */
const partsOf = (sportKey: string, { key, town, nickname }: KnownTeam): readonly string[] =>
  [town, nickname]
    .filter((part) => part !== null)
    .filter((part) => SEEDED_NAMES(sportKey).find(slugOf(part))?.key === key);

/** Each team's spellings in one sport, our display name first. */
export function teamSpellings(sportKey: string): readonly (readonly string[])[] {
  const { teams, spellings } = SEED[sportKey]!;
  return teams.map((team) => {
    const others = spellings.flatMap((one) => (one.key === team.key ? [one.spelling] : []));
    return [...new Set([team.name, ...partsOf(sportKey, team), ...others])];
  });
}
