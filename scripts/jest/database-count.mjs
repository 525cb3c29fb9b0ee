// The use of PostgreSQL by a test run: the most connections at once against the server's limit, and databases that no
// test dropped. A leftover database means a missing `drop()`.
import { createRequire } from 'node:module';

const LOOKS_EVERY_MS = 1_000;

/**
 * `url`: the address of the tests' server. The package is imported when needed, because it may not be installed
 * earlier.
 */
export async function countDatabases(url) {
  const { Client } = createRequire(import.meta.url)('pg');
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const one = async (query) => (await client.query(query).catch(() => null))?.rows[0];
  const before = await databases(client);
  let most = 0;
  const look = async () => {
    const row = await one('SELECT count(*)::int AS n FROM pg_stat_activity WHERE client_port IS NOT NULL');
    most = Math.max(most, row?.n ?? 0);
  };
  // An interrupted run ends without stopping this timer.
  const looking = setInterval(look, LOOKS_EVERY_MS).unref();
  return {
    /** `left`: databases that this run created and that still exist; `most` and `allowed`: connections. */
    async end() {
      clearInterval(looking);
      const left = (await databases(client)).filter((name) => !before.includes(name));
      const { max_connections: allowed } = await one('SHOW max_connections');
      await client.end();
      return { left, most, allowed: Number(allowed) };
    },
  };
}

/** The template stays on purpose. */
async function databases(client) {
  const query = `SELECT datname FROM pg_database WHERE datname LIKE 'test\\_%' AND datname NOT LIKE 'test\\_template%'`;
  return (await client.query(query)).rows.map(({ datname }) => datname);
}
