// Races with closes and results, and bets on their runners that are scored over real HTTP.
import { createArchiveStore } from '../../../../src/store/archive/archive';
import { createStores } from '../../../../src/store/create-stores';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { feedField, feedResult, feedRunner } from '../../../support/races/builders';

type RaceName = 'final' | 'interim' | 'ahead' | 'off' | 'tied' | 'unresulted';

export const START = '2026-11-21T02:00:00.000Z';
export const ahead = (seconds: number, start = START) => new Date(Date.parse(start) - seconds * 1000).toISOString();

export const report = (seconds: number, ...wins: (number | null)[]) => ({
  at: ahead(seconds),
  runners: feedField(...wins),
});
export const BOOKS = {
  // Stood at the jump, last seen in time, last seen too early, and the best of all but withheld.
  ladbrokes_au: { ...report(-10, 5, 3, 9), before: feedField(5, 3, 9), beforeSeconds: 1200 },
  tab: report(40, 5.4, 2.8, 9),
  unibet: report(400, 5.8, 2.9, null),
  betfair_ex_au: report(5, 77.7, 77.7, 77.7),
};

/** Call it once. */
export function clvRaces() {
  const lab = {} as { served: Served; key: string; ids: Readonly<Record<RaceName, string>> };
  beforeAll(async () => {
    lab.served = await serve();
    lab.key = await lab.served.addKey({ plan: 'plus' });
    const { results } = createStores(lab.served.db.pool);
    const race = async (raceNumber: number, books: Parameters<typeof addRace>[2] = BOOKS, startTime = START) =>
      (await addRace(lab.served.db.pool, { raceNumber, startTime }, books)).raceId;
    const final = await race(1);
    const interim = await race(2);
    const off = await race(4);
    await settle(final, [
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    await results.saveResult({ raceId: interim, source: 'tab', result: feedResult(), at: ahead(-240) });
    const next = await race(3, { tab: { runners: feedField(2, 3) } }, '2026-11-21T03:10:00.000Z');
    await results.abandon(off, 'abandoned', 'tab', ahead(100));
    const out = { at: ahead(1800), late: true, winDeduction: 0.1, placeDeduction: 0.05 };
    const scratched = [...feedField(5, 3), feedRunner(3, { scratching: out })];
    const tied = await race(5, { tab: { at: ahead(20), runners: scratched } });
    await settle(tied, [
      [1, 1],
      [1, 2],
    ]);
    lab.ids = { final, interim, ahead: next, off, tied, unresulted: await race(6) };
  });
  afterAll(() => lab.served.stop());

  async function settle(raceId: string, placings: [number, number][]): Promise<void> {
    const { results } = createStores(lab.served.db.pool);
    const result = feedResult({
      placings: placings.map(([position, number]) => ({ position, number, name: `Runner ${number}` })),
    });
    await results.saveResult({ raceId, source: 'tab', result, at: ahead(-240) });
    await results.finalise(raceId, ahead(-2400));
  }

  const send = (body: unknown, by = lab.key) =>
    lab.served.api.send('POST', '/v1/racing/clv', {
      key: by,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  async function score(bets: object[], more: object = {}, by = lab.key) {
    const { status, body } = await send({ bets, ...more }, by);
    expect({ status, body }).toMatchObject({ status: 200 });
    expectConforms('race_clv', body);
    return body;
  }
  const one = async (bet: object, more: object = {}, by = lab.key) => (await score([bet], more, by)).bets[0];
  const on = (race: RaceName, number = 1, more: object = {}) => ({
    race_id: lab.ids[race],
    runner_number: number,
    price: 6,
    ...more,
  });

  return Object.assign(lab, { settle, send, score, one, on });
}

/** Call it last: it drops the ticks of every race. */
export function scoresFromTheArchive(lab: ReturnType<typeof clvRaces>): void {
  test('a race whose ticks are gone is scored from the archive, exactly as before', async () => {
    const { pool } = lab.served.db;
    const operator = await lab.served.addKey({ role: 'internal', plan: 'enterprise' });
    const { rows } = await pool.query<{ race_id: string; number: number }>(
      'SELECT race_id, number FROM race_runners ORDER BY race_id, number',
    );
    const named = (book: object) =>
      rows.flatMap(({ race_id, number }) =>
        (['win', 'place'] as const).map((market) => ({ race_id, runner_number: number, price: 3, market, ...book })),
      );
    const everything = async () => {
      const asked = [...[{}, { bookmaker: 'tab' }, { bookmaker: 'unibet' }].map((book) => [book, lab.key] as const)];
      asked.push([{ bookmaker: 'betfair_ex_au' }, operator] as never, [{}, operator]);
      const reports: object[] = [];
      for (const [book, by] of asked)
        for (const reference of ['best', 'median']) reports.push(await lab.score(named(book), { reference }, by));
      return reports;
    };
    const before = await everything();
    await pool.query(
      `UPDATE races SET left_board_at = start_time + interval '11 minutes', jumped_at = COALESCE(jumped_at, start_time)
      WHERE start_time <= $1`,
      [START],
    );
    const archive = createArchiveStore(pool);
    const past = await pool.query<{ race_id: string }>('SELECT race_id FROM races WHERE left_board_at IS NOT NULL');
    for (const { race_id } of past.rows) expect((await archive.archive(race_id, ahead(-3600))).verdict).toBe('written');
    await pool.query('UPDATE archived_races SET ticks_dropped_at = now()');
    await pool.query('DELETE FROM price_ticks WHERE race_id IN (SELECT race_id FROM archived_races)');
    await pool.query('DELETE FROM price_breaks');
    expect(JSON.stringify(before)).toContain('"last_seen_only"');
    expect(await everything()).toEqual(before);
  });
}
