// What a kept database has from earlier starts: a price that is not newer does not belong to this start.

/** Epoch ms of the newest stored poll, in race time; 0 if there is none. Called before the worker runs. */
export async function newestPoll(databaseUrl) {
  // Packages are installed at this point, but not when this file is loaded.
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const newest = 'SELECT COALESCE(ceil(extract(epoch FROM max(polled_at)) * 1000), 0)::float8 AS ms FROM race_books';
    return (await client.query(newest)).rows[0].ms;
  } finally {
    await client.end();
  }
}
