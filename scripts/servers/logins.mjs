// Logins for the worker and the API, each in its group: the service itself never runs as the owner of the tables. `npm
// start` creates them on its own database server, with a new password at every start; as a program (docker-compose.yml)
// this file creates those of two addresses. On a server that the environment names, its operator creates the logins.
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';

const groups = { worker: 'racing_worker', api: 'racing_api' };

// For sessions that set no limits themselves: those of a pooler that drops what a process sets, and those of a person.
// Processes set the same limits, and work that needs longer (a month of credits, a day of ticks) raises its own.
const LIMITS = [`statement_timeout = '10s'`, `idle_in_transaction_session_timeout = '2min'`];

/** The database's address by program. The groups must exist. */
export const createLogins = (databaseUrl) =>
  ensureLogins(databaseUrl, (group) => {
    const url = new URL(databaseUrl);
    url.username = `${group}_local`;
    url.password = randomBytes(18).toString('hex');
    return url.toString();
  });

/** Makes each group a login with the user and password of its address. An existing login gets the password. */
async function ensureLogins(databaseUrl, addressOf) {
  // Packages are installed at this point, but not when this file is loaded.
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const urls = {};
    for (const [program, group] of Object.entries(groups)) {
      urls[program] = addressOf(group);
      await ensureLogin(client, group, new URL(urls[program]));
    }
    return urls;
  } finally {
    await client.end();
  }
}

async function ensureLogin(client, group, { username, password }) {
  const [name, secret] = [username, password].map(decodeURIComponent);
  const login = client.escapeIdentifier(name);
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name]);
  if (rowCount === 0) await client.query(`CREATE ROLE ${login} LOGIN IN ROLE ${group}`);
  await client.query(`ALTER ROLE ${login} PASSWORD ${client.escapeLiteral(secret)}`);
  for (const limit of LIMITS) await client.query(`ALTER ROLE ${login} SET ${limit}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { DATABASE_URL, WORKER_DATABASE_URL, API_DATABASE_URL } = process.env;
  const addresses = { racing_worker: WORKER_DATABASE_URL, racing_api: API_DATABASE_URL };
  // No top-level await: tests require this file. A failure ends the process with its reason.
  ensureLogins(DATABASE_URL, (group) => addresses[group]);
}
