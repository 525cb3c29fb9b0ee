// The names of teams and players in the database. Every process reads them again before its next push once they have
// changed.
import type { ClientBase } from 'pg';
import { namesOf } from '../../domain/sports/identity/names/seeded';
import type { NameTable } from '../../domain/sports/identity/names/sport-names';
import type { Names } from '../../domain/sports/identity/team-names';

const LEVEL = 'SELECT level FROM sport_names_level';

const TABLES = `
  SELECT s.sport_key AS sport,
         coalesce((SELECT jsonb_agg(jsonb_build_object('key', t.team_key, 'name', t.name, 'town', t.town, 'nickname', t.nickname) ORDER BY t.team_key)
            FROM sport_teams t WHERE t.sport_key = s.sport_key), '[]') AS teams,
         -- The operator's last: they win.
         coalesce((SELECT jsonb_agg(jsonb_build_object('spelling', p.spelling, 'key', p.team_key) ORDER BY p.origin = 'operator', p.spelling)
            FROM sport_spellings p WHERE p.sport_key = s.sport_key), '[]') AS spellings,
         coalesce((SELECT jsonb_agg(jsonb_build_array(v.one_key, v.other_key))
            FROM sport_alias_verdicts v WHERE v.sport_key = s.sport_key AND v.verdict = 'rejected'), '[]') AS apart
    FROM (SELECT sport_key FROM sport_teams UNION SELECT sport_key FROM sport_spellings
          UNION SELECT sport_key FROM sport_alias_verdicts) s`;

/** Returns the current names in the database. */
export function createNameReader(): (client: ClientBase) => Promise<Names> {
  let read: { readonly level: string; readonly names: Names } | null = null;
  return async (client) => {
    const { rows } = await client.query<{ level: string }>(LEVEL);
    const { level } = rows[0]!;
    if (read?.level !== level) read = { level, names: namesOf(await tablesOf(client)) };
    return read.names;
  };
}

async function tablesOf(client: ClientBase): Promise<Readonly<Record<string, NameTable>>> {
  const { rows } = await client.query<NameTable & { sport: string }>(TABLES);
  return Object.fromEntries(rows.map(({ sport, ...table }) => [sport, table]));
}
