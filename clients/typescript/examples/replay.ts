import { Board, OddsClient } from 'racing-odds-client';

const client = new OddsClient();
const board = new Board();

for await (const batch of client.replay({ query: { date: '2026-11-20', venue: 'Flemington', speed: 'max' } })) {
  board.apply(batch);
  for (const { event, data } of batch.events)
    if (event === 'result') console.log(`${data.venue} R${data.race_number}: ${data.placings[0]?.name ?? data.status}`);
}
