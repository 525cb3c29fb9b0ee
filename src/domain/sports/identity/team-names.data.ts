// Teams with their spellings as lists, the name that we show first.
import { slugOf } from './names/letters';
import { SEEDED_NAMES } from './names/seeded';
import type { KnownTeam, NameTable } from './names/sport-names';
import { SEED } from './teams/seed';

/** Town and nickname where they mean this team alone. */
const partsOf = (sportKey: string, { key, town, nickname }: KnownTeam): readonly string[] =>
  [town, nickname]
    .filter((part) => part !== null)
    .filter((part) => SEEDED_NAMES(sportKey).find(slugOf(part))?.key === key);

const listOf = (sportKey: string, { teams, spellings }: NameTable): readonly (readonly string[])[] =>
  teams.map((team) => {
    const others = spellings.flatMap((one) => (one.key === team.key ? [one.spelling] : []));
    return [...new Set([team.name, ...partsOf(sportKey, team), ...others])];
  });

/** By sport key. */
export const TEAM_SPELLINGS: Readonly<Record<string, readonly (readonly string[])[]>> = Object.fromEntries(
  Object.entries(SEED).map(([sportKey, table]) => [sportKey, listOf(sportKey, table)]),
);
