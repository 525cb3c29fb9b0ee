import { OddsClient } from 'racing-odds-client';

const client = new OddsClient();

const polled = client.poll('/v1/racing/next-to-go', {
  query: { num_races: 5, bookmakers: ['tab'] },
  everySeconds: 5,
});
for await (const races of polled) console.log(`${races.length} races, and something has changed`);
