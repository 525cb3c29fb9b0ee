import { OddsClient } from 'racing-odds-client';

const client = new OddsClient();

const races = await client.racing.nextToGo({ query: { num_races: 3, categories: ['horse'] } });
for (const race of races) console.log(`${race.venue} ${race.race_number}, ${race.start_time}`);
console.log(`${client.credits?.remaining} credits are left`);
