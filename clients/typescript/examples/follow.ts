import { Board, OddsClient } from 'racing-odds-client';

const client = new OddsClient();
const board = new Board();

for await (const batch of client.follow({ query: { country: ['AU'] } })) {
  board.apply(batch);
  console.log(`${board.races.size} races after ${batch.events.length} events`);
}
