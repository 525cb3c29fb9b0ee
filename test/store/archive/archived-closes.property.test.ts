// The stored closes of the archive equal those of the live reading, for any polls.
import fc from 'fast-check';
import { closingLine, jumpMsOf } from '../../../src/domain/clv/closing-line';
import { createArchiveStore } from '../../../src/store/archive/archive';
import { readArchivedCloses } from '../../../src/store/reads/archive/archived-closes';
import { captureBound } from '../../../src/store/reads/prices/captured-prices';
import { readClosingPrices } from '../../../src/store/reads/prices/closing-prices';
import { runs } from '../../support/property';
import { feedRunner } from '../../support/races/builders';
import { polledRace } from '../../support/races/polled-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { after, everything, leave, lines, START } from './archived-rows';

let db: TestDatabase;
let raceNumber = 0;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test('archived closes equal the closes read live, for any polls, withdrawals, renumbered runners and moved starts', async () => {
  const NAMES = ['Alpha', 'Beta', 'Gamma', 'Delta'];
  const aPoll = fc.record({
    secs: fc.integer({ min: -90, max: 4200 }),
    book: fc.constantFrom('tab', 'neds', 'ladbrokes_au'),
    wins: fc.tuple(...NAMES.map(() => fc.constantFrom(null, 2, 3, 4.5, 26))),
    places: fc.tuple(...NAMES.map(() => fc.constantFrom(null, 1.2, 1.5))),
    /** The last two swap their numbers. */
    swapped: fc.boolean(),
    status: fc.constantFrom(null, null, 'CLOSED' as const),
    moved: fc.constantFrom(0, 0, 300, -600),
  });
  const polls = fc.uniqueArray(aPoll, { minLength: 3, maxLength: 16, selector: ({ secs }) => secs });
  await fc.assert(
    fc.asyncProperty(polls, fc.constantFrom(null, -40, 0, 75), async (any, closedAfter) => {
      raceNumber++;
      const listed = { startTime: START, raceNumber, country: 'AU' };
      const race = await polledRace(db.pool, listed, { tab: [], neds: [], ladbrokes_au: [] });
      for (const { secs, book, wins, places, swapped, status, moved } of any.sort((a, b) => b.secs - a.secs)) {
        const order = swapped ? [0, 1, 3, 2] : [0, 1, 2, 3];
        const runners = order.map((at, i) =>
          feedRunner(i + 1, { name: NAMES[at]!, win: wins[at]!, place: places[at]! }),
        );
        await race.poll(book, [secs], { runners, marketStatus: status, startTime: moved === 0 ? null : after(moved) });
      }
      const { raceId } = race;
      await leave(db.pool, raceId, closedAfter);
      await createArchiveStore(db.pool).archive(raceId, after(700));
      const {
        rows: [stored],
      } = await db.pool.query('SELECT start_time AS start, market_closed_at AS closed FROM races WHERE race_id = $1', [
        raceId,
      ]);
      const jump = { startMs: Date.parse(stored.start), jumpMs: jumpMsOf(stored.start, stored.closed) };
      const runners = [1, 2, 3, 4].map((number) => ({ raceId, number }));
      const bookmakers = ['tab', 'neds', 'ladbrokes_au'];
      const query = { runners, bookmakers, from: captureBound([jump.startMs]) };
      const series = await readClosingPrices(db.pool, query);
      const live = series.flatMap((one) => {
        const line = closingLine(one, jump);
        return line
          ? [
              `${one.number} ${one.bookmaker} ${line.openPrice}@${line.openSecsToJump} ${line.closePrice}@${line.closeSecsToJump} of ${line.points}`,
            ]
          : [];
      });
      const archived = (await lines(db.pool, raceId)).map((text) => text.replace(/ (tick|poll|none) -?\d+/, ''));
      expect(archived.sort()).toEqual(live.sort());
      const places = (await readClosingPrices(db.pool, { ...query, market: 'place' })).flatMap((one) => {
        const line = closingLine(one, jump);
        return line ? [`${one.number} ${one.bookmaker} ${line.closePrice}@${line.closeSecsToJump}`] : [];
      });
      await db.pool.query('UPDATE archived_races SET ticks_dropped_at = now() WHERE race_id = $1', [raceId]);
      const closes = await readArchivedCloses(db.pool, { ...query, market: 'place' });
      const found = closes.map((one) => `${one.number} ${one.bookmaker} ${one.closePrice}@${one.closeSecsToJump}`);
      expect(found.sort()).toEqual(places.sort());
      const ticks = await db.pool.query('SELECT count(*)::integer AS n FROM price_ticks WHERE race_id = $1', [raceId]);
      expect((await everything(db.pool, raceId)).price_path_rows).toHaveLength(ticks.rows[0].n);
    }),
    { numRuns: runs(40) },
  );
});
