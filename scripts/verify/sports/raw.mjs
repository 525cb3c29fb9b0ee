// The sports data that the simulator sent, unchanged, and what its oracle knows about each row: nothing here has passed
// through the service.

/** Every push and every reply of the feed that the simulator still has, in order. */
export async function readSent(simulatorUrl) {
  const sent = [];
  for (let after = 0; ; ) {
    const response = await fetch(`${simulatorUrl}/world/sent?after=${after}`);
    const { sent: rows } = /** @type {any} */ (await response.json());
    if (rows.length === 0) return sent;
    for (const row of rows) sent.push(...offersOf(row));
    after = rows.at(-1).n;
  }
}

/** The true matches that start in [from, to], with all names under which any book lists them. */
export async function readMatches(simulatorUrl, fromMs, toMs) {
  const query = new URLSearchParams({ from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() });
  const response = await fetch(`${simulatorUrl}/world/matches?${query}`);
  const { matches } = /** @type {any} */ (await response.json());
  return matches;
}

/** A push that was not accepted does not count. Each: `{ by, book, n, fromMs, toMs, events }`. */
function offersOf({ by, of, n, fromMs, toMs, status, body, response }) {
  if (by === 'push' && status !== null && status !== 200) return [];
  const common = { by, n, fromMs, toMs, isCertain: status !== null };
  if (by === 'push') {
    const { observed_at, events } = JSON.parse(body);
    const refused = new Set(response === null ? [] : JSON.parse(response).refused.map(({ index }) => index));
    const kept = events.filter((_, index) => !refused.has(index));
    const rows = kept.map((event) => ({ ...event, markets: event.markets.map((one) => pushed(one, observed_at)) }));
    return [{ ...common, book: of, sport: null, events: rows }];
  }
  if (status !== 200) return [];
  const books = new Map();
  for (const event of JSON.parse(body)) {
    for (const book of event.bookmakers) {
      const row = {
        source_id: event.id,
        home_team: event.home_team,
        away_team: event.away_team,
        commence_time: event.commence_time,
        markets: book.markets.map(listed),
      };
      books.set(book.key, [...(books.get(book.key) ?? []), row]);
    }
  }
  return [...books].map(([book, events]) => ({ ...common, book, sport: of, events }));
}

const pushed = ({ market_type, selections, last_update }, observedAt) => ({
  market: market_type,
  atMs: Date.parse(last_update ?? observedAt),
  outcomes: selections.map(({ name, price, point = null }) => ({ name, price, point })),
});

const listed = ({ key, last_update, outcomes }) => ({
  market: key,
  atMs: Date.parse(last_update),
  outcomes: outcomes.map(({ name, price, point = null }) => ({ name, price, point })),
});

const FEED_BOOK = '';

/**
 * Finds the true match of a row: `{ id, sport, turned }`, or null. By the source's own id, otherwise by the book's two
 * names and the start.
 */
export function truthOf(matches) {
  const byId = new Map();
  const byNames = new Map();
  for (const match of matches) {
    for (const { by, book, source_id, sport_key, home, away } of match.listed_as) {
      const truth = { id: match.id, sport: sport_key, match, home, away };
      if (source_id !== null) byId.set(`${by === 'push' ? book : FEED_BOOK} ${source_id}`, truth);
      else for (const start of match.starts) byNames.set(namesKey(book, sport_key, home, away, start), truth);
    }
  }
  return ({ by, book }, { source_id = null, sport_key, home_team, away_team, commence_time }) => {
    const truth =
      source_id !== null
        ? byId.get(`${by === 'push' ? book : FEED_BOOK} ${source_id}`)
        : (byNames.get(namesKey(book, sport_key, home_team, away_team, commence_time)) ??
          byNames.get(namesKey(book, sport_key, away_team, home_team, commence_time)));
    return truth ? { id: truth.id, sport: truth.sport, match: truth.match, turned: truth.home !== home_team } : null;
  };
}

const namesKey = (book, sport, home, away, start) => [book, sport, home, away, Date.parse(start)].join('|');
