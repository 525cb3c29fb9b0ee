// The daily check of the betslip links, against a real host on which they open or fail.
import { checkBetslipLinks } from '../../../src/activities/checks/check-links';
import { createLog } from '../../../src/log';
import { readBetslipIds } from '../../../src/store/betslip';
import { createStores } from '../../../src/store/create-stores';
import { type BookServer, startBookServer, status } from '../../feeds/support/book-server';
import { PATIENT_MS } from '../../support/patient';
import { addRace } from '../../support/races/board';
import { feedRunner } from '../../support/races/builders';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

let db: TestDatabase;
let site: BookServer;
let raceIds: string[];
const NOW = Date.parse('2026-11-21T03:00:00.000Z');

const race = async (raceNumber: number, startTime: string) => {
  const ids = { win: `id ${raceNumber}`, place: `id ${raceNumber}` };
  const runners = [feedRunner(1), feedRunner(2, { win: 3, sourceIds: ids })];
  return (await addRace(db.pool, { raceNumber, startTime }, { ladbrokes_au: { runners }, tab: { runners } })).raceId;
};

beforeAll(async () => {
  [db, site] = await Promise.all([createTestDatabase(), startBookServer()]);
  raceIds = [];
  for (let i = 1; i <= 4; i++) raceIds.push(await race(i, `2026-11-21T03:${10 * i}:00.000Z`));
  await race(5, '2026-11-21T02:50:00.000Z');
});
afterAll(() => Promise.all([db.drop(), site.close()]));

const check = (afterSeconds = 0) =>
  checkBetslipLinks(
    {
      stores: createStores(db.pool),
      betslip: { ladbrokes_au: `${site.url}/{runner}/{market}`, unibet: `${site.url}/{race}` },
      now: () => NOW + afterSeconds * 1000,
      log: createLog('test', 'silent'),
    },
    PATIENT_MS,
  );
const linked = async () =>
  (await readBetslipIds(db.pool, raceIds, ['ladbrokes_au', 'tab'])).map((ids) => ids.bookmakerKey).sort();
const storedChecks = async () => (await db.pool.query('SELECT * FROM betslip_checks')).rows;

test('one priced runner of each of the next three races is opened; a book without a live race is not checked', async () => {
  site.answer(status(200));
  expect(await check()).toEqual({ checked: ['ladbrokes_au'], failing: [] });
  expect(site.requests.map((request) => request.url).sort()).toEqual(['/id%201/fw', '/id%202/fw', '/id%203/fw']);
  expect(await storedChecks()).toMatchObject([
    { bookmaker_key: 'ladbrokes_au', ok: true, links: 3, failed: 0, message: null },
  ]);
});

test('one dead link of three means a race that closed; two mean a book whose links do not open', async () => {
  const dead = (...ids: number[]) =>
    site.answer((request, response) =>
      status(ids.some((id) => request.url!.includes(`%20${id}`)) ? 404 : 302)(request, response),
    );
  dead(2);
  expect(await check(1)).toMatchObject({ failing: [] });
  dead(2, 3);
  expect(await check(2)).toMatchObject({ failing: ['ladbrokes_au'] });
  expect(await linked()).toEqual(['tab', 'tab', 'tab', 'tab']);
  const [row] = await storedChecks();
  expect(row).toMatchObject({ ok: false, links: 3, failed: 2, failing_since: '2026-11-21T03:00:02.000Z' });
  expect(row.message).toMatch(/404/);
});

test('a failing book is checked again, keeps the time of its first failure, and returns when it passes', async () => {
  site.answer((request) => request.socket.destroy());
  expect(await check(3)).toMatchObject({ failing: ['ladbrokes_au'] });
  expect(await storedChecks()).toMatchObject([{ failed: 3, failing_since: '2026-11-21T03:00:02.000Z' }]);
  site.answer(status(302, { location: 'https://apps.example/get' }));
  expect(await check(4)).toMatchObject({ failing: [] });
  expect(await storedChecks()).toMatchObject([{ ok: true, failing_since: null }]);
  expect(await linked()).toHaveLength(8);
});
