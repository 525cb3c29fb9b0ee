// The simulator's sports against the API: every book is compared within one push each, and its push is accepted
// completely.
import { setTimeout as delay } from 'node:timers/promises';
import { SPORT_KEYS } from '../../../../src/domain/sports/sports';
import { REAL_TIME } from '../../../../src/domain/time/clock';
import { startSportsPusher } from '../../../../src/simulator/push/sports-pusher';
import { SPORT_BOOKS_PLAYED } from '../../../../src/simulator/sports/sport-books';
import { type Served, serve } from '../../../support/api/served';
import { PATIENT_MS } from '../../../support/patient';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.stop());

test('every book prices matches of several sports, with nothing refused or dropped', async () => {
  const customer = await served.addKey();
  const keys: Record<string, string> = {};
  for (const { key } of SPORT_BOOKS_PLAYED) keys[key] = await served.addKey({ role: 'pusher', bookmakerKey: key });
  const messages: string[] = [];
  const note = (_: object, message: string) => void messages.push(message);
  const pusher = startSportsPusher({
    target: { url: served.api.url, keys },
    now: () => served.api.now,
    clock: REAL_TIME,
    seed: 'a',
    log: { info: note, warn: note } as never,
    patienceMs: PATIENT_MS,
  });
  try {
    for (;;) {
      served.api.now += 31_000;
      const { rows } = await served.db.pool.query('SELECT 1 FROM sport_pushes');
      if (rows.length === SPORT_BOOKS_PLAYED.length) break;
      await delay(50);
    }
  } finally {
    await pusher.stop();
  }
  expect(messages).toEqual([]);
  expect((await served.db.pool.query('SELECT * FROM connector_counts')).rows).toEqual([]);
  served.api.now += 31_000;
  const { body: sports } = await served.api.get('/v1/sports', customer);
  const active = sports.filter((one: { active: boolean }) => one.active).map((one: { key: string }) => one.key);
  expect(active.toSorted()).toEqual([...SPORT_KEYS].sort());
  for (const sport of active) {
    const { body } = await served.api.get(`/v1/sports/${sport}/odds?markets=h2h,totals`, customer);
    const compared = Math.max(...body.map((one: { bookmakers: unknown[] }) => one.bookmakers.length));
    // For split squads and clubs in three letters, one book’s match may be separate from the others’.
    expect([sport, compared >= SPORT_BOOKS_PLAYED.length - 2]).toEqual([sport, true]);
  }
});
