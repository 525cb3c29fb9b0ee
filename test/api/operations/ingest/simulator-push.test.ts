// The simulator's pusher against the API: both push-fed books are on the board, one joined by number and one by name.
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { REAL_TIME } from '../../../../src/domain/time/clock';
import { startPusher } from '../../../../src/simulator/push/pusher';
import { createWorld } from '../../../../src/simulator/world/world';
import { type Served, serve } from '../../../support/api/served';
import { PATIENT_MS } from '../../../support/patient';
import { freePort } from '../../../support/servers/free-port';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.stop());

interface Row {
  readonly name: string;
  readonly bookmakers: readonly { readonly key: string; readonly age_seconds: number }[];
}

function pushing(keys: Readonly<Record<string, string>>, url = served.api.url) {
  const messages: string[] = [];
  const log = {
    info: (_: object, message: string) => void messages.push(message),
    warn: (_: object, message: string) => void messages.push(message),
  };
  const world = createWorld({ seed: 'a' });
  const clock = { ...REAL_TIME, speed: 20 };
  // Time passes only when the clock is read, so no price ages while a push is on its way, however long that takes.
  const now = () => {
    served.api.now += 2000;
    return served.api.now;
  };
  const options = { worldOf: () => world, now, clock, patienceMs: PATIENT_MS };
  const pusher = startPusher({ ...options, target: { url, keys }, log: log as never });
  return { pusher, messages };
}

async function until<T>(look: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found) return found;
    await delay(50);
  }
}

/** Each book's own key. */
const pushersKeys = async () => ({
  boostbet: await served.addKey({ role: 'pusher', bookmakerKey: 'boostbet' }),
  betgold: await served.addKey({ role: 'pusher', bookmakerKey: 'betgold' }),
});

test('both books are on the board within their cadence, and fresh', async () => {
  const customer = await served.addKey();
  const { pusher, messages } = pushing(await pushersKeys());
  try {
    const race = await until(async () => {
      const [first] = (await served.api.get('/v1/racing/next-to-go?num_races=1', customer)).body;
      const keys = (first?.runners ?? []).flatMap((row: Row) => row.bookmakers.map((book) => book.key));
      return keys.includes('boostbet') && keys.includes('betgold') ? first : null;
    });
    expect(race).toMatchObject({ refresh_tier: 'live', stale: false });
    const priced = race.runners.filter((row: Row) => row.bookmakers.length > 0);
    for (const row of priced) expect(row.bookmakers.map((book: { key: string }) => book.key)).toContain('boostbet');
    const { rows } = await served.db.pool.query(
      "SELECT reason FROM connector_counts WHERE kind <> 'dropped' AND reason <> 'runners_not_known'",
    );
    expect(rows).toEqual([]);
    expect(messages).toEqual([]);
  } finally {
    await pusher.stop();
  }
});

test('refused pushes are logged once per book', async () => {
  const { boostbet, betgold } = await pushersKeys();
  const { pusher, messages } = pushing({ boostbet: betgold, betgold: boostbet });
  try {
    await until(async () => (messages.length === 2 ? true : null));
    expect(messages).toEqual(['pushes fail', 'pushes fail']);
  } finally {
    await pusher.stop();
  }
});

test('an API that is not up yet is awaited without a log line', async () => {
  let requests = 0;
  const api = createServer((_, response) => {
    requests += 1;
    response.end('{"refused":[]}');
  });
  const port = await freePort();
  const { pusher, messages } = pushing({ boostbet: 'any' }, `http://127.0.0.1:${port}`);
  try {
    await until(async () => {
      if (!api.listening) api.listen(port, '127.0.0.1');
      return requests > 1 || null;
    });
    expect(messages).toEqual([]);
  } finally {
    await pusher.stop();
    api.closeAllConnections();
    api.close();
  }
});
