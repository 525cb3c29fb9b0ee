// A database that one command makes for itself beside the one that it was given, and drops at its end: with the newest
// schema and nothing else. It touches no other database of the server.
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { migrate } from './pg/migrate';
import { createPool } from './pg/pool';

export interface OwnDatabase {
  readonly name: string;
  readonly pool: Pool;
  drop(): Promise<void>;
}

const CONNECTIONS = 4;
const TRIES = 20;
const REST_MS = 250;
const IN_USE = '55006';

/** `suffix`: of its name, unique on the server. The login of `admin` may create databases. */
export async function createOwnDatabase(admin: Pool, url: string, suffix: string): Promise<OwnDatabase> {
  const name = `racing_own_${suffix}`;
  if (!/^\w{1,60}$/.test(name)) throw new Error(`'${name}' is no name of a database`);
  await admin.query(`CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  const pool = createPool(own.href, CONNECTIONS);
  const drop = async (): Promise<void> => {
    await pool.end();
    await dropOnceLeft(admin, name);
  };
  try {
    await migrate(pool);
  } catch (error) {
    await drop();
    throw error;
  }
  return { name, pool, drop };
}

/** Workers of TimescaleDB connect to every database, and leave it only after a while. */
async function dropOnceLeft(admin: Pool, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== IN_USE || tries === TRIES) throw error;
      await delay(REST_MS);
    }
  }
}
