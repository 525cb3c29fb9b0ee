// The data of the charts over HTTP, from a real database: only for books that customers may see, and only while the
// race is on the board.
import { setTimeout as delay } from 'node:timers/promises';
import { feedField, feedRunner } from '../support/races/builders';
import { type BoardWorld, createBoardWorld } from './board-world';

let world: BoardWorld;

// Each test reads a race of its own.
beforeAll(async () => {
  world = await createBoardWorld();
});
afterAll(() => world.close());

const get = (raceId: string, headers: Record<string, string> = {}) =>
  fetch(`${world.url}/race/${raceId}/prices`, { headers });

test('every book that customers may see, never the exchange; a withdrawn price ends its line; scratched runners have none', async () => {
  const raceId = await world.list(10, {}, ['ladbrokes_au', 'tab', 'betfair_ex_au']);
  const nowMs = world.now();
  await world.poll(raceId, 'betfair_ex_au', feedField(77.5, 88.5, 99.5), { nowMs, secondsAgo: 300 });
  await world.poll(raceId, 'ladbrokes_au', feedField(2.5, 3, 9), { nowMs, secondsAgo: 200 });
  await world.poll(raceId, 'tab', feedField(2.4, 3.1, 8), { nowMs, secondsAgo: 190 });
  const scratching = { at: null, late: null, winDeduction: null, placeDeduction: null };
  const after = [feedRunner(1, { win: null }), feedRunner(2, { win: 3.2 }), feedRunner(3, { scratching })];
  await world.poll(raceId, 'tab', after, { nowMs, secondsAgo: 90 });
  const response = await get(raceId);
  expect(response.headers.get('cache-control')).toBe('private, no-cache');
  const text = await response.text();
  expect(text).not.toMatch(/77\.5|88\.5|99\.5|[Bb]etfair/);
  const { books, runners } = JSON.parse(text);
  expect(books).toEqual(['TAB', 'Ladbrokes']);
  const prices = (line: [number[], number[]] | null) => line?.[1];
  expect(runners.map((one: { number: number }) => one.number)).toEqual([1, 2]);
  expect(runners[0].books.map(prices)).toEqual([[2.4, null], [2.5]]);
  expect(runners[1].books.map(prices)).toEqual([[3.1, 3.2], [3]]);
  // The first book's price was replaced ten seconds later: it was never the best of all.
  expect(prices(runners[1].best)).toEqual([3.1, 3.2]);
  const [at] = runners[0].books[0] as [number[]];
  expect(at[1]! - at[0]!).toBe(100);
});

test('the same prices are a 304, however often the books are polled; a new one is not', async () => {
  const raceId = await world.list(10, { raceNumber: 2 });
  for (const book of ['tab', 'neds']) await world.poll(raceId, book, feedField(2.5, 3), { secondsAgo: 60 });
  const etag = (await get(raceId)).headers.get('etag')!;
  await world.poll(raceId, 'tab', feedField(2.5, 3), { secondsAgo: 30 });
  const unchanged = async () => (await get(raceId, { 'If-None-Match': etag })).status;
  expect(await unchanged()).toBe(304);
  await world.poll(raceId, 'tab', feedField(2.6, 3));
  // A response may be cached for a second.
  const cachedUntil = world.now() + 1500;
  let sentAt = world.now();
  while ((await unchanged()) === 304) {
    expect(sentAt).toBeLessThan(cachedUntil);
    await delay(20);
    sentAt = world.now();
  }
});

test('an unknown race has none; a race off the board has those from before its jump until it is archived', async () => {
  expect((await get('00000000-0000-4000-8000-000000000000')).status).toBe(404);
  expect((await get('x')).status).toBe(404);
  const raceId = await world.list(-12, { raceNumber: 3 });
  await world.poll(raceId, 'tab', feedField(2.5, 3), { secondsAgo: 900 });
  await world.leaveBoard(raceId);
  expect((await get(raceId)).status).toBe(200);
  await world.archive(raceId);
  // A response may be cached for a second.
  const cachedUntil = world.now() + 1500;
  let sentAt = world.now();
  while ((await get(raceId)).status !== 404) {
    expect(sentAt).toBeLessThan(cachedUntil);
    await delay(20);
    sentAt = world.now();
  }
  expect((await get(raceId)).status).toBe(404);
});
