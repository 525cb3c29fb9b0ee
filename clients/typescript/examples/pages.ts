import { OddsClient } from 'racing-odds-client';

const client = new OddsClient();

const query = { from: '2026-11-20', to: '2026-11-22', limit: 2 };
for await (const page of client.pages('/v1/racing/closing-lines', { query })) {
  console.log(`${page.rows.length} rows of ${page.total_rows}`);
}
