// Our clocks against the database's: a time from a clock that ran ahead neither freezes a price nor stays, and while
// the clocks are right no late reply replaces a newer one.
import type { Pool } from 'pg';
import { type RaceClock, REAL_TIME, toRaceMs } from '../../../src/domain/time/clock';
import { createPool } from '../../../src/store/pg/pool';
import { countPollsAhead } from '../../../src/store/polls/polls-ahead';
import { feedField } from '../../support/races/builders';
import { storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { asLogin } from '../../support/servers/roles';

const MINUTE_MS = 60_000;
let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

let venue = 0;

describe.each([
  ['the clock of the wall', REAL_TIME],
  ['a clock 45 times as fast', { anchorMs: Date.now() - 3 * MINUTE_MS, speed: 45 }],
])('%s', (_name, clock: RaceClock) => {
  let pool: Pool;
  beforeAll(() => {
    // Times left by a clock that was ahead are corrected with a worker's rights.
    pool = createPool(asLogin(db.url, 'racing_worker'), 3, { clock });
  });
  afterAll(() => pool.end());

  /** The race time of the next millisecond: the database's clock is finer than ours. */
  const nextMs = (): number => toRaceMs(clock, Date.now() + 1);
  /** A race that starts in half an hour, once over sessions that name the clock and once over sessions that do not. */
  const raceSoon = async () => {
    const startMs = toRaceMs(clock, Date.now()) + 30 * MINUTE_MS;
    const listed = { venue: `Clock ${++venue}`, startTime: new Date(startMs).toISOString() };
    const judged = await storeRace({ ...db, pool }, listed);
    const unjudged = await storeRace(db, listed, undefined, judged.raceId);
    /** Wall milliseconds from now, in seconds before the start. */
    const secs = (wallMs: number): number => (startMs - toRaceMs(clock, Date.now() + wallMs)) / 1000;
    const row = async () => {
      const { rows } = await db.pool.query('SELECT * FROM race_books WHERE race_id = $1', [judged.raceId]);
      return rows[0];
    };
    const ticks = async () => {
      const { rows } = await db.pool.query(
        'SELECT captured_at AS at, win_price AS win FROM price_ticks WHERE race_id = $1 ORDER BY captured_at',
        [judged.raceId],
      );
      return rows;
    };
    return { judged, unjudged, secs, row, ticks };
  };
  const AHEAD = 10 * MINUTE_MS;

  test('a time ahead of the database’s clock is stored as the database’s, and the next reply is written', async () => {
    const { judged, secs, row, ticks } = await raceSoon();
    expect(await judged.poll(secs(AHEAD), { runners: feedField(2) })).toMatchObject({ changed: 1, ticks: 1 });
    const { polled_at: first } = await row();
    expect(Date.parse(first)).toBeLessThanOrEqual(nextMs());
    expect(await ticks()).toEqual([{ at: first, win: 2 }]);
    expect(await judged.poll(secs(0), { runners: feedField(3) })).toMatchObject({ outOfOrder: false, changed: 1 });
    expect(await row()).toMatchObject({ win: [3] });
  });

  test('an unchanged reply from a clock that is ahead stamps no time ahead either', async () => {
    const { judged, secs, row } = await raceSoon();
    await judged.poll(secs(-2000), { runners: feedField(2) });
    expect(await judged.poll(secs(AHEAD), { runners: feedField(2) })).toMatchObject({ outOfOrder: false });
    expect(await judged.poll(secs(AHEAD), null)).toMatchObject({ outOfOrder: false });
    expect(Date.parse((await row()).polled_at)).toBeLessThanOrEqual(nextMs());
  });

  test.each([
    ['another price', { runners: feedField(3) }, 3, 1],
    ['an equal reply', { runners: feedField(2) }, 2, 0],
    ['a 304', null, 2, 0],
  ])('the next reply replaces a stored time that is ahead: %s', async (_what, reply, win, changed) => {
    const { judged, unjudged, secs, row, ticks } = await raceSoon();
    const before = secs(-60_000 / clock.speed);
    await judged.poll(before, { runners: feedField(2) });
    await unjudged.poll(secs(AHEAD - 1000), { runners: feedField(5) });
    await unjudged.poll(secs(AHEAD), { runners: feedField(2) });
    const now = secs(0);
    expect(await judged.poll(now, reply)).toMatchObject({ outOfOrder: false, changed, ticks: 1 });
    const at = judged.before(now);
    expect(await row()).toMatchObject({ win: [win], polled_at: at, win_changed_at: [at], changed_at: at });
    expect(await ticks()).toEqual([
      { at: judged.before(before), win: 2 },
      { at, win },
    ]);
  });

  test('a reply older by the book’s own stamp does not replace one with a time ahead', async () => {
    const { judged, unjudged, secs, row } = await raceSoon();
    const bookAt = (seconds: number) => ({ bookAt: judged.before(secs(0) + seconds) });
    await unjudged.poll(secs(AHEAD), { runners: feedField(2) }, bookAt(5));
    expect(await countPollsAhead(pool)).toBe(1);
    expect(await judged.poll(secs(0), { runners: feedField(3) }, bookAt(20))).toMatchObject({ outOfOrder: true });
    expect(await row()).toMatchObject({ win: [2] });
  });

  test('while the clocks are right a late reply replaces nothing and is not reported as written', async () => {
    const { judged, secs, row } = await raceSoon();
    const late = secs(-3000);
    const newest = secs(0);
    await judged.poll(newest, { runners: feedField(2) });
    expect(await judged.poll(late, { runners: feedField(3) })).toMatchObject({ outOfOrder: true, changed: 0 });
    expect(await judged.poll(newest, { runners: feedField(3) })).toMatchObject({ outOfOrder: true, changed: 0 });
    expect(await row()).toMatchObject({ win: [2], polled_at: judged.before(newest) });
  });

  test('the close of a market is not lost with a late poll: the next poll counts it', async () => {
    const { judged, secs } = await raceSoon();
    const closed = { runners: feedField(2), marketStatus: 'CLOSED' } as const;
    await judged.poll(secs(0), { runners: feedField(2), marketStatus: 'OPEN' }, { marketStateSource: true });
    const late = await judged.poll(secs(-3000), closed, { marketStateSource: true });
    expect(late).toMatchObject({ outOfOrder: true, marketClosedAt: null });
    const at = secs(0);
    expect(await judged.poll(at, closed, { marketStateSource: true })).toMatchObject({
      outOfOrder: false,
      marketClosedAt: judged.before(at),
    });
  });

  test('a close seen by a clock that is ahead is stored at the database’s time', async () => {
    const { judged, secs } = await raceSoon();
    const closed = { runners: feedField(2), marketStatus: 'CLOSED' } as const;
    const { marketClosedAt } = await judged.poll(secs(AHEAD), closed, { marketStateSource: true });
    expect(Date.parse(marketClosedAt!)).toBeLessThanOrEqual(nextMs());
  });
});
