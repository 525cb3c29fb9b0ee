// The service's groups on the test server, each with a login, as an operator creates them: processes of tests use only
// these.
import { createHash } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { createPool } from '../../../src/store/pg/pool';
import { createRoles, GROUPS } from '../../../src/store/pg/roles';
import type { TestDatabase } from './database';

export type Group = (typeof GROUPS)[number];

const loginOf = (group: Group): string => `${group}_test`;
/** The same in every process of a test run, but different on every server. */
const passwordFor = (url: string): string => createHash('sha256').update(new URL(url).password).digest('hex');

/** `url` with the login of a group instead of the owner's. */
export function asLogin(url: string, group: Group): string {
  const own = new URL(url);
  own.username = loginOf(group);
  own.password = passwordFor(url);
  return own.toString();
}

export const throughPooler = (url: string, port: number): string =>
  Object.assign(new URL(url), { port: String(port) }).href;

/** Idempotent. `admin` holds a lock that keeps other test processes out. */
export async function ensureLogins(admin: ClientBase, url: string): Promise<void> {
  const pool = createPool(url, 1);
  await createRoles(pool);
  await pool.end();
  for (const group of GROUPS) {
    const login = loginOf(group);
    const { rowCount } = await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [login]);
    if (rowCount === 0) await admin.query(`CREATE ROLE ${login} LOGIN IN ROLE ${group}`);
    await admin.query(`ALTER ROLE ${login} PASSWORD '${passwordFor(url)}'`);
  }
}

/** A pool of the test's database whose sessions have only the rights of the group. */
export function poolAs(db: Pick<TestDatabase, 'url'>, group: Group, max = 10): Pool {
  return createPool(asLogin(db.url, group), max);
}
