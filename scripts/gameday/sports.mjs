// Checks whether customers are served a price of a match that its source never sent: compares each response of
// /v1/sports with the raw replies of the simulated feed.
import { readMatches } from '../verify/sports/raw.mjs';
import { withDatabase } from './database.mjs';

const ROWS = `SELECT event_id, source_event_id AS id, bookmaker_key AS book FROM sport_event_books WHERE feed IS NOT NULL`;
const DAY_MS = 86_400_000;

/** Null: none. Otherwise the fault, or that nothing could be compared. */
export async function wrongSportPrices({ servers, simulator, apis, key }) {
  const idOf = await withDatabase(servers, async ({ query }) => {
    const rows = await query(ROWS);
    return new Map(rows.map(({ event_id, id, book }) => [`${event_id} ${book}`, id]));
  });
  const sent = await readPrices(simulator);
  const keys = [
    ...new Set((await readMatches(simulator, Date.now(), Date.now() + DAY_MS)).map((one) => one.sport_key)),
  ];
  const wrong = [];
  let compared = 0;
  for (const sport of keys) {
    for (const { event, book, name, price } of await readServed(apis[0], key, sport)) {
      const id = idOf.get(`${event.id} ${book}`);
      const prices = id && sent.get(`${id} ${name}`);
      if (!prices) continue;
      compared += 1;
      if (!prices.has(price)) wrong.push(`${event.home_team} v ${event.away_team}: ${book} ${name} ${price}`);
    }
  }
  if (wrong.length > 0) return `${wrong.length} of ${compared} prices of matches were never sent: ${wrong[0]}`;
  return compared === 0 ? 'no price of a match could be compared' : null;
}

/** Every price of a side that the feed ever sent, by the source's id of the match and the name of the side. */
async function readPrices(simulator) {
  const prices = new Map();
  for (let after = 0; ; ) {
    const response = await fetch(`${simulator}/world/sent?after=${after}`);
    const { sent } = /** @type {any} */ (await response.json());
    if (sent.length === 0) return prices;
    after = sent.at(-1).n;
    for (const one of sent.filter(({ by, status }) => by === 'feed' && status === 200))
      note(prices, JSON.parse(one.body));
  }
}

function note(prices, events) {
  for (const { id, bookmakers } of events) {
    const outcomes = bookmakers
      .flatMap(({ markets }) => markets.filter(({ key }) => key === 'h2h'))
      .flatMap((one) => one.outcomes);
    for (const { name, price } of outcomes) {
      const known = prices.get(`${id} ${name}`) ?? new Set();
      prices.set(`${id} ${name}`, known.add(price));
    }
  }
}

async function readServed(api, key, sport) {
  const url = `${api}/v1/sports/${sport}/odds?markets=h2h&maxAgeMinutes=360`;
  const response = await fetch(url, { headers: { 'X-API-Key': key }, signal: AbortSignal.timeout(20_000) });
  if (response.status !== 200) return [];
  return /** @type {any[]} */ (await response.json()).flatMap((event) =>
    event.bookmakers.flatMap(({ key: book, markets }) =>
      markets.flatMap(({ outcomes }) => outcomes.map(({ name, price }) => ({ event, book, name, price }))),
    ),
  );
}
