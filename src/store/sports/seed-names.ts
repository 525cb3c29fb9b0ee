// The names in the domain's files, as one repeatable statement: `migrate` applies it whenever its text has changed.
// Names that an operator accepted are kept.
import { slugOf } from '../../domain/sports/identity/names/letters';
import { SEED } from '../../domain/sports/identity/teams/seed';

const teams = Object.entries(SEED).flatMap(([sport_key, table]) =>
  table.teams.map(({ key, name, town, nickname }) => ({ sport_key, team_key: key, name, town, nickname })),
);
const spellings = Object.entries(SEED).flatMap(([sport_key, table]) =>
  table.spellings.map(({ spelling, key }) => ({ sport_key, spelling: slugOf(spelling), team_key: key })),
);

const literal = (rows: readonly object[]): string => `'${JSON.stringify(rows).replaceAll("'", "''")}'`;

export const SEED_NAMES = `
  DELETE FROM sport_spellings WHERE origin = 'seed';
  DELETE FROM sport_teams WHERE origin = 'seed';
  INSERT INTO sport_teams (sport_key, team_key, name, town, nickname, origin)
  SELECT sport_key, team_key, name, town, nickname, 'seed'
    FROM jsonb_to_recordset(${literal(teams)}) AS n (sport_key text, team_key text, name text, town text, nickname text)
  ON CONFLICT (sport_key, team_key) DO UPDATE
     SET name = EXCLUDED.name, town = EXCLUDED.town, nickname = EXCLUDED.nickname, origin = EXCLUDED.origin;
  INSERT INTO sport_spellings (sport_key, spelling, team_key, origin)
  SELECT sport_key, spelling, team_key, 'seed'
    FROM jsonb_to_recordset(${literal(spellings)}) AS n (sport_key text, spelling text, team_key text)
  ON CONFLICT (sport_key, spelling) DO NOTHING;
  UPDATE sport_names_level SET level = level + 1;`;
