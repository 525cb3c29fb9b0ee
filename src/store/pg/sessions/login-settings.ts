// Gives the logins of the two groups, in this database, what a process asks for when it connects: a pooler that drops
// it then opens sessions that have it all the same. A process that connects directly overrides it.
import type { ClientBase, Pool } from 'pg';
import { GROUPS, lockRoles } from '../roles';
import { inTransaction } from '../transaction';
import { type SessionNeeds, sessionSettings } from './session';

interface Login {
  readonly login: string;
  readonly database: string;
  readonly isWorker: boolean;
  /** `name=value` */
  readonly given: readonly string[];
}

/**
 * Logins that inherit the rights of a group. Neither superusers nor the owner of the database, who migrates for as long
 * as it takes.
 */
const LOGINS = `
  SELECT r.rolname AS login, d.datname AS database, bool_or(g.rolname = 'racing_worker') AS "isWorker",
         COALESCE((SELECT setconfig FROM pg_db_role_setting WHERE setdatabase = d.oid AND setrole = r.oid), '{}') AS given
    FROM pg_database d, pg_roles r JOIN pg_roles g ON g.rolname = ANY ($1) AND pg_has_role(r.oid, g.oid, 'USAGE')
   WHERE d.datname = current_database() AND r.rolcanlogin AND NOT r.rolsuper AND r.oid <> d.datdba
   GROUP BY r.oid, r.rolname, d.oid, d.datname, d.datdba
   ORDER BY 1`;

/** `clock`: for workers alone, as in their pools. Returns the logins that lacked something. */
export const giveLoginSettings = (pool: Pool, { clock, ...needs }: SessionNeeds): Promise<readonly string[]> =>
  inTransaction(pool, async (client) => {
    await lockRoles(client);
    const { rows } = await client.query<Login>(LOGINS, [GROUPS]);
    const changed: string[] = [];
    for (const row of rows) {
      const settings = sessionSettings({ ...needs, ...(row.isWorker && clock && { clock }) });
      if (await give(client, row, settings)) changed.push(row.login);
    }
    return changed;
  });

async function give(
  client: ClientBase,
  { login, database, given }: Login,
  settings: Readonly<Record<string, string>>,
): Promise<boolean> {
  // PostgreSQL stores a name as it spells it itself: TimeZone.
  const has = new Map(given.map((pair) => pair.split('=', 2)).map(([name, value]) => [name!.toLowerCase(), value]));
  const missing = Object.entries(settings).filter(([name, value]) => has.get(name) !== value);
  const whose = `${client.escapeIdentifier(login)} IN DATABASE ${client.escapeIdentifier(database)}`;
  for (const [name, value] of missing)
    await client.query(`ALTER ROLE ${whose} SET ${name} = ${client.escapeLiteral(value)}`);
  return missing.length > 0;
}
