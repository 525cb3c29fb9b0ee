// The fixed prices on a result: from one bookmaker, whichever reports first, and on every final that any book has
// priced.
import fc from 'fast-check';
import { runs } from '../../support/property';
import { feedResult, feedRunner } from '../../support/races/builders';
import { storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

let db: TestDatabase;
let venue = 0;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const BOOKS = ['ladbrokes_au', 'neds', 'tab', 'betr_au', 'betfair_ex_au'];
/** A price that identifies its book and runner. */
const priceOf = (book: string, number: number): number => 10 * (BOOKS.indexOf(book) + 1) + number;
const placeOf = (book: string, number: number): number => priceOf(book, number) / 10;
const placings = (...numbers: number[]) => numbers.map((number, i) => ({ position: i + 1, number, name: null }));

async function race(venueName = `Venue ${++venue}`) {
  const stored = await storeRace(db, { venue: venueName }, BOOKS);
  const { raceId, stores, before } = stored;
  const shows = (book: string, secondsBefore: number, ...numbers: number[]) => {
    const priced = (number: number) =>
      numbers.includes(number) ? { win: priceOf(book, number), place: placeOf(book, number) } : {};
    const runners = [1, 2, 3, 4, 5].map((number) => feedRunner(number, priced(number)));
    return stored.poll(secondsBefore, { runners }, { bookmakerKey: book });
  };
  const places = (minutesAfter: number, placed: ReturnType<typeof placings>, source = 'tab') =>
    stores.results.saveResult({
      raceId,
      source,
      result: feedResult({ placings: placed }),
      at: before(-60 * minutesAfter),
    });
  const finalise = () => stores.results.finalise(raceId, before(-60 * 60));
  const wins = async () => {
    const { rows } = await db.pool.query('SELECT placings FROM race_results WHERE race_id = $1', [raceId]);
    return rows[0].placings.map(({ win_price }: { win_price: number | null }) => win_price);
  };
  return { ...stored, shows, places, finalise, wins };
}
const pricesOf = (book: string, ...numbers: number[]) => numbers.map((number) => priceOf(book, number));

test('the first book in settling order that priced all placings settles, ahead of one that priced some', async () => {
  const { shows, places, wins } = await race();
  await shows('ladbrokes_au', 60, 1, 2);
  await shows('neds', 60, 1);
  await shows('betr_au', 60, 1, 2, 3);
  await shows('tab', 60, 1, 2, 3);
  await places(3, placings(1, 2, 3));
  expect(await wins()).toEqual(pricesOf('tab', 1, 2, 3));
});

test('if no book priced all, the book with most settles; a runner that it did not price has null', async () => {
  const { shows, places, finalise, wins } = await race();
  await shows('ladbrokes_au', 60, 3);
  await shows('neds', 60, 1, 2);
  await shows('tab', 60, 2, 3);
  await places(3, placings(1, 2, 3, 4));
  await finalise();
  expect(await wins()).toEqual([...pricesOf('neds', 1, 2), null, null]);
});

test('changed placings never mix the prices of two books', async () => {
  const { shows, places, wins } = await race();
  await shows('ladbrokes_au', 60, 1, 2);
  await shows('tab', 60, 1, 2, 3, 4);
  await places(3, placings(1, 2));
  expect(await wins()).toEqual(pricesOf('ladbrokes_au', 1, 2));
  await places(4, placings(3, 2));
  expect(await wins()).toEqual(pricesOf('tab', 3, 2));
  await places(5, placings(2, 1));
  expect(await wins()).toEqual(pricesOf('ladbrokes_au', 2, 1));
});

test('a dead heat, and runners behind the places that are paid', async () => {
  const { shows, places, wins } = await race();
  await shows('ladbrokes_au', 60, 1, 2, 3, 5);
  await shows('tab', 60, 1, 2, 3, 4);
  const heat = [
    { position: 1, number: 3, name: null },
    { position: 1, number: 1, name: null },
    { position: 3, number: 2, name: null },
    { position: 5, number: 4, name: null },
  ];
  await places(3, heat);
  expect(await wins()).toEqual([...pricesOf('ladbrokes_au', 1, 3, 2), null]);
});

test('prices first reported after the placings come with the next report, and with the final even without one', async () => {
  const a = await race();
  await a.places(1, placings(1, 2));
  expect(await a.wins()).toEqual([null, null]);
  await a.shows('tab', -90, 1, 2);
  await a.places(2, placings(1, 2));
  expect(await a.wins()).toEqual(pricesOf('tab', 1, 2));
  const b = await race();
  await b.stores.results.override(b.raceId, placings(1, 2), null, b.before(-60));
  await b.shows('tab', -90, 1, 2);
  expect(await b.wins()).toEqual([null, null]);
  await b.finalise();
  expect(await b.wins()).toEqual(pricesOf('tab', 1, 2));
});

test('a price that a book has taken down counts as last shown, even a place price alone, but never another runner’s', async () => {
  const { raceId, poll, shows, places } = await race();
  const shown = (secondsBefore: number, ...runners: ReturnType<typeof feedRunner>[]) =>
    poll(secondsBefore, { runners });
  await shows('tab', 300, 1, 2);
  await shown(
    240,
    feedRunner(1, { win: 2.2, place: 1.2 }),
    feedRunner(2, { win: 7, place: 2.5 }),
    feedRunner(3, { name: 'Vacant Box', win: 99 }),
  );
  await shown(120, feedRunner(1, { win: 2.2 }), feedRunner(2, { win: 6, place: 2.3 }), feedRunner(3));
  await shown(60, feedRunner(1, { win: 2.2 }), feedRunner(2), feedRunner(3));
  await places(3, placings(1, 2, 3));
  const { rows } = await db.pool.query('SELECT placings FROM race_results WHERE race_id = $1', [raceId]);
  expect(rows[0].placings).toMatchObject([
    { number: 1, win_price: 2.2, place_price: 1.2 },
    { number: 2, win_price: 6, place_price: 2.3 },
    { number: 3, win_price: null, place_price: null },
  ]);
});

test('an exchange settles nothing: its prices are never served (A 1)', async () => {
  const { shows, places, finalise, wins } = await race();
  await shows('betfair_ex_au', 60, 1, 2);
  await places(3, placings(1, 2));
  await finalise();
  expect(await wins()).toEqual([null, null]);
});

test('a settled price is kept while its book settles, and a final price whatever is shown later; the same rule prices an operator’s placings', async () => {
  const { raceId, stores, before, shows, poll, places, finalise, wins } = await race();
  await shows('tab', 60, 1, 2, 3);
  await places(3, placings(1, 2));
  await poll(-200, { runners: [1, 2].map((number) => feedRunner(number, { win: 1.5 })) }, { bookmakerKey: 'tab' });
  await places(4, placings(1, 2));
  await finalise();
  expect(await wins()).toEqual(pricesOf('tab', 1, 2));
  await shows('ladbrokes_au', -4000, 1, 2, 3);
  await places(70, placings(1, 2), 'ladbrokes_au');
  expect(await wins()).toEqual(pricesOf('tab', 1, 2));
  await stores.results.override(raceId, placings(2, 1), null, before(-80 * 60));
  expect(await wins()).toEqual(pricesOf('ladbrokes_au', 2, 1));
});

const priced = fc.subarray([1, 2, 3, 4, 5]);
const placed = fc.shuffledSubarray([1, 2, 3, 4, 5], { minLength: 1, maxLength: 4 });

test('for any books, prices (some withdrawn) and placings, all prices are of one book, the one that priced most', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(...BOOKS.map(() => priced)),
      fc.subarray(BOOKS),
      fc.array(placed, { minLength: 1, maxLength: 3 }),
      async (shown, takenDown, outcomes) => {
        const { shows, places, finalise, wins } = await race();
        for (const [i, book] of BOOKS.entries()) await shows(book, 120, ...shown[i]!);
        for (const book of takenDown) await shows(book, 60);
        for (const [i, numbers] of outcomes.entries()) await places(3 + i, placings(...numbers));
        const last = outcomes.at(-1)!;
        const count = (i: number) => last.filter((number) => shown[i]!.includes(number)).length;
        const settling = [0, 1, 2, 3].reduce((best, i) => (count(i) > count(best) ? i : best));
        const due = last.map((number) =>
          shown[settling]!.includes(number) ? priceOf(BOOKS[settling]!, number) : null,
        );
        expect(await wins()).toEqual(due);
        await finalise();
        expect(await wins()).toEqual(due);
      },
    ),
    { numRuns: runs(30) },
  );
});
