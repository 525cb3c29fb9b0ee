// D44: a replay has the captured prices of the ticks, before and after these are dropped, whatever the books did: moved
// starts, runners that swapped numbers, prices withdrawn and offered again. From any event on, the rest follows.
import fc from 'fast-check';
import type { FeedRunner } from '../../../../src/domain/race/feed-race';
import { createArchiveStore } from '../../../../src/store/archive/archive';
import { createRetentionStore } from '../../../../src/store/archive/retention/retention';
import { createArchiveReads } from '../../../../src/store/reads/archive/archive-reads';
import { runs } from '../../../support/property';
import { feedRunner } from '../../../support/races/builders';
import { polledRace } from '../../../support/races/polled-race';
import { type PlayedLine, replays } from './replays';

const BOOKS = ['tab', 'ladbrokes_au', 'pointsbetau', 'betfair_ex_au', 'pinnacle'] as const;
const SHOWN = ['tab', 'ladbrokes_au', 'pointsbetau'];
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse('2026-06-01T00:00:00.000Z');
const LATER = '2026-11-21T00:00:00.000Z';

const lab = replays();
let key: string;
beforeAll(async () => {
  key = await lab.addKey('scale');
});

const field = fc.array(
  fc.option(
    fc.record({ name: fc.constantFrom('Alpha', 'Beta', 'Gamma', 'Beta Max'), win: fc.constantFrom(null, 2, 2.5, 8) }),
    { freq: 4 },
  ),
  { minLength: 3, maxLength: 3 },
);
const poll = fc.record({
  book: fc.constantFrom(...BOOKS),
  secs: fc.integer({ min: -240, max: 3700 }),
  field,
  status: fc.constantFrom(null, 'OPEN' as const, 'OPEN' as const, 'CLOSED' as const),
  startMovedBy: fc.constantFrom(null, null, -300, 600),
});
const race = fc.record({
  start: fc.constantFrom('T03:00:00.000Z', 'T00:20:00.000Z'),
  polls: fc.array(poll, { minLength: 3, maxLength: 16 }),
  /** From where on it is played again, of all events. */
  share: fc.double({ min: 0, max: 1, noNaN: true }),
});

const runnersOf = (row: readonly ({ name: string; win: number | null } | null)[]): FeedRunner[] =>
  row.flatMap((one, i) => (one ? [feedRunner(i + 1, one)] : []));

/** The captured prices of runners on the card up to the jump, from the ticks. */
async function captured(raceId: string): Promise<string[]> {
  const history = await createArchiveReads(lab.db.pool, lab.db.pool).priceHistory(raceId, SHOWN, null);
  const { series, jumpMs } = history!;
  return series
    .filter(({ name }) => name !== null)
    .flatMap(({ number, bookmaker, atMs, prices }) =>
      atMs.flatMap((at, i) => (at <= jumpMs ? [`${at} ${number} ${bookmaker} ${prices[i]}`] : [])),
    )
    .sort();
}

function pricesOf({ event, data }: PlayedLine): string[] {
  const text = (at: string, number: number, book: string, price: number) =>
    `${Date.parse(at)} ${number} ${book} ${price}`;
  if (event === 'race')
    return data.runners.flatMap(({ number, bookmakers }: PlayedLine['data']) =>
      bookmakers.map((quote: PlayedLine['data']) => text(quote.last_update, number, quote.key, quote.win_price)),
    );
  if (event !== 'changes') return [];
  return data.races[0].changed_runners.map((row: PlayedLine['data']) =>
    text(row.updated_at, row.number, row.bookmaker_key, row.win_price),
  );
}

async function dropDay(day: string): Promise<void> {
  const retention = createRetentionStore(lab.db.pool);
  let verdict = 'busy';
  while (verdict === 'busy') verdict = await retention.drop(day, LATER);
  expect(verdict).toBe('dropped');
}

const seen = { prices: 0, withoutPrices: 0, instants: 0 };
let days = 0;
test('the same from ticks and from the archive, in order, and from any event on', async () => {
  const { pool } = lab.db;
  await fc.assert(
    fc.asyncProperty(race, async ({ start, polls, share }) => {
      days += 2;
      const day = new Date(FIRST_DAY + days * DAY_MS).toISOString().slice(0, 10);
      const startMs = Date.parse(`${day}${start}`);
      const listed = { startTime: `${day}${start}`, meetingDate: day, venue: `Venue ${days}` };
      const one = await polledRace(pool, listed, Object.fromEntries(BOOKS.map((book) => [book, []])));
      for (const { book, secs, field: row, status, startMovedBy } of polls.sort((a, b) => b.secs - a.secs))
        await one.poll(book, [secs], {
          runners: runnersOf(row),
          marketStatus: status,
          startTime: startMovedBy === null ? null : new Date(startMs + startMovedBy * 1000).toISOString(),
        });
      await pool.query(
        `UPDATE races SET left_board_at = start_time + interval '11 minutes', jumped_at = start_time WHERE race_id = $1`,
        [one.raceId],
      );
      const fromTicks = await captured(one.raceId);
      await createArchiveStore(pool).archive(one.raceId, LATER);
      const search = `?race_id=${one.raceId}&speed=max`;
      const events = await lab.played(key, search);
      expect(events.flatMap(pricesOf).sort()).toEqual(fromTicks);
      const instants = events.map(({ id }) => id!.slice(0, 31));
      expect(instants).toEqual([...instants].sort());
      expect(JSON.stringify(events)).not.toMatch(/betfair|pinnacle"[^\]]|"lay_price":[^n]/);
      const place = Math.floor(share * (events.length - 1));
      expect(await lab.played(key, `${search}&last_event_id=${encodeURIComponent(events[place]!.id!)}`)).toEqual(
        events.slice(place === events.length - 1 ? place : place + 1),
      );
      const eve = new Date(FIRST_DAY + (days - 1) * DAY_MS).toISOString().slice(0, 10);
      for (const each of [eve, day]) await dropDay(each);
      const dropped = await lab.played(key, search);
      expect(dropped.map(({ event, data }) => [event, data])).toEqual(events.map(({ event, data }) => [event, data]));
      seen.prices += fromTicks.length;
      seen.withoutPrices += Number(fromTicks.length === 0);
      seen.instants += events.length;
    }),
    { numRuns: runs(40) },
  );
  expect(seen.prices).toBeGreaterThan(0);
});
