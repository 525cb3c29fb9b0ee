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

export interface GivenSettings {
  /** Logins that lacked something. */
  readonly given: readonly string[];
  /** What logins keep although processes with these needs would have it otherwise, a part of a sentence each. */
  readonly kept: readonly string[];
}

/**
 * `clock`: for workers alone, as in their pools. A limit or a clock that a login has stays: another process may need
 * it, and these are the settings of one operator.
 */
export const giveLoginSettings = (pool: Pool, { clock, ...needs }: SessionNeeds): Promise<GivenSettings> =>
  inTransaction(pool, async (client) => {
    await lockRoles(client);
    const { rows } = await client.query<Login>(LOGINS, [GROUPS]);
    const given: string[] = [];
    const kept: string[] = [];
    for (const row of rows) {
      const needed = sessionSettings({ ...needs, ...(row.isWorker && clock && { clock }) });
      const { missing, own } = differing(row, needed);
      await give(client, row, missing);
      if (missing.length > 0) given.push(row.login);
      kept.push(...own.map(([name, value]) => `${row.login} keeps ${name} ${value}, not ${needed[name]}`));
    }
    return { given, kept };
  });

type Settings = readonly (readonly [name: string, value: string])[];

function differing({ given }: Login, settings: Readonly<Record<string, string>>): { missing: Settings; own: Settings } {
  // PostgreSQL stores a name as it spells it itself: TimeZone.
  const has = new Map(given.map((pair) => pair.split('=', 2)).map(([name, value]) => [name!.toLowerCase(), value]));
  const unlike = Object.entries(settings).filter(([name, value]) => has.get(name) !== value);
  const isOwn = (name: string): boolean => has.has(name) && !SAME_EVERYWHERE.has(name);
  return {
    missing: unlike.filter(([name]) => !isOwn(name)),
    own: unlike.filter(([name]) => isOwn(name)).map(([name]) => [name, has.get(name)!]),
  };
}

/** What no setting of a process changes. */
const SAME_EVERYWHERE: ReadonlySet<string> = new Set(['timezone', 'jit']);

async function give(client: ClientBase, { login, database }: Login, settings: Settings): Promise<void> {
  const whose = `${client.escapeIdentifier(login)} IN DATABASE ${client.escapeIdentifier(database)}`;
  for (const [name, value] of settings)
    await client.query(`ALTER ROLE ${whose} SET ${name} = ${client.escapeLiteral(value)}`);
}
