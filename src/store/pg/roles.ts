// The two least-privilege roles: groups without a login, which an operator's own logins join. Roles belong to the
// cluster and are created here; their rights belong to a database and are in migrations/rights.sql.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientBase, Pool } from 'pg';
import { ROOT } from '../../root';
import { readMigrations } from './migrate';
import { inTransaction } from './transaction';

export const GROUPS = ['racing_worker', 'racing_api'] as const;

/** Any number that no other advisory lock has: two runs at once would change the same rows of the catalogue. */
const ROLES_LOCK = 7_205_231_120;

/**
 * Creates what is missing, for the whole cluster. Needs a superuser, or a role that may create roles and grant
 * `pg_read_all_stats`.
 */
export function createRoles(pool: Pool): Promise<readonly string[]> {
  return inTransaction(pool, async (client) => {
    await lockRoles(client);
    const existing = await existingGroups(client);
    const missing = GROUPS.filter((group) => !existing.includes(group));
    for (const group of missing) await client.query(`CREATE ROLE ${group} NOLOGIN`);
    // `changes` and the event `odds.change` check for open writers, which are other sessions.
    await client.query('GRANT pg_read_all_stats TO racing_api, racing_worker');
    return missing;
  });
}

/**
 * Gives the groups their rights in this database, and revokes those that only processes of the previous release need,
 * which must be gone. False if there are no groups, or a migration has not been applied yet.
 */
export const grantRights = (pool: Pool): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const granted = await grantRightsIn(client);
    if (granted) await client.query(readRights(AFTER_ROLLOUT));
    return granted;
  });

/** In the transaction of `client`, beside processes of the previous release. */
export async function grantRightsIn(client: ClientBase): Promise<boolean> {
  await lockRoles(client);
  const { rows } = await client.query<{ empty: boolean }>(`SELECT to_regclass('schema_migrations') IS NULL AS empty`);
  if (rows[0]!.empty || (await existingGroups(client)).length < GROUPS.length) return false;
  const applied = await client.query<{ name: string }>('SELECT name FROM schema_migrations');
  const names = new Set(applied.rows.map(({ name }) => name));
  if (readMigrations().some(({ name }) => !names.has(name))) return false;
  await client.query(readRights());
  return true;
}

export const AFTER_ROLLOUT = 'rights-after-rollout.sql';

export const readRights = (file = 'rights.sql'): string => readFileSync(join(ROOT, 'migrations', file), 'utf8');

/** Until the end of its transaction. */
export const lockRoles = (client: ClientBase): Promise<unknown> =>
  client.query('SELECT pg_advisory_xact_lock($1)', [ROLES_LOCK]);

async function existingGroups(client: ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ rolname: string }>('SELECT rolname FROM pg_roles WHERE rolname = ANY ($1)', [
    GROUPS,
  ]);
  return rows.map(({ rolname }) => rolname);
}
