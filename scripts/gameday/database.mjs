// A connection to the game day's PostgreSQL as its owner, open while a piece of work needs it; it goes directly to the
// server and bypasses the proxy.

export async function withDatabase({ databaseUrl }, work) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: databaseUrl, query_timeout: 15_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work({ query: async (text, values = []) => (await client.query(text, values)).rows });
  } finally {
    await client.end();
  }
}
