// Logins of our own database server for the worker and the API, each in its group and with a new password at every start: the service itself
// never runs as the owner of the tables. On a server that the environment names, logins are its operator's business.
import { randomBytes } from 'node:crypto';

const groups = { worker: 'racing_worker', api: 'racing_api' };

/** The database's address by program. The groups exist. */
export async function createLogins(databaseUrl) {
  // Packages are installed by now, unlike when this file is loaded.
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const urls = {};
    for (const [program, group] of Object.entries(groups)) urls[program] = await loginUrl(client, databaseUrl, group);
    return urls;
  } finally {
    await client.end();
  }
}

async function loginUrl(client, databaseUrl, group) {
  const login = `${group}_local`;
  const password = randomBytes(18).toString('hex');
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [login]);
  if (rowCount === 0) await client.query(`CREATE ROLE ${login} LOGIN IN ROLE ${group}`);
  await client.query(`ALTER ROLE ${login} PASSWORD '${password}'`);
  const url = new URL(databaseUrl);
  url.username = login;
  url.password = password;
  return url.toString();
}
