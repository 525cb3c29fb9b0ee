// Lists that are complete but wrong: empty ones, and matches with exchanged sides. Requests by id are answered as
// before.

import { SIMULATED_ODDS_KEY } from '../../../src/config';
import { CONNECTED_BOOKS, createFeeds } from '../../../src/feeds/registry';
import { createTheOddsApi } from '../../../src/feeds/the-odds-api/fetch';
import { createSimulator, type Simulator } from '../../../src/simulator/http/server';
import { PATIENT_MS } from '../../support/patient';

const DAY = '2026-11-21';
const NOW = Date.parse('2026-11-21T03:10:00Z');
const NBA = { sourceKey: 'basketball_nba', sportKey: 'nba' };

let simulator: Simulator;
let url: string;
const who = { contact: 'ops@racing-odds.example', partner: 'racing-odds-service', timeoutMs: PATIENT_MS };

beforeAll(async () => {
  const race = { startMs: NOW + 25 * 60_000, venue: 'Flemington', runners: 9 };
  simulator = createSimulator({ seed: 'a', now: () => NOW, races: [race] });
  url = await simulator.listen(0);
});
afterEach(() => fetch(`${url}/faults`, { method: 'DELETE' }));
afterAll(() => simulator.close());

const on = (name: string, book = '') => fetch(`${url}/faults/${name}${book && `?book=${book}`}`, { method: 'PUT' });

test('nothing_listed: every book answers with an empty list, and with the race that is requested by its id', async () => {
  const keys = CONNECTED_BOOKS.filter((key) => simulator.keys.includes(key));
  const feeds = createFeeds(
    Object.fromEntries(keys.map((key) => [key, { baseUrl: `${url}/${key}`, ...who }])),
    () => NOW,
  );
  const neds = feeds.get('neds')!;
  const before = await neds.listRaces(DAY);
  const id = before.kind === 'ok' ? before.value[0]!.sourceRaceId : '';
  await on('nothing_listed');
  const listed = await Promise.all(
    [...feeds.values()].map(async (feed) => [feed.bookmakerKey, await feed.listRaces(DAY)]),
  );
  for (const [key, reply] of listed)
    expect([key, reply]).toEqual([key, expect.objectContaining({ kind: 'ok', value: [] })]);
  expect(await neds.fetchRace(id)).toMatchObject({ kind: 'ok' });
});

const sports = () =>
  createTheOddsApi({ baseUrl: `${url}/the_odds_api`, ...who, settings: { key: SIMULATED_ODDS_KEY } }, () => NOW);

test('nothing_listed: the list of sports is unchanged, and no sport has a match', async () => {
  await on('nothing_listed', 'the_odds_api');
  const { reply } = await sports().sports();
  expect(reply).toMatchObject({ kind: 'ok', value: expect.arrayContaining([NBA]) });
  expect((await sports().starts(NBA.sourceKey)).reply).toMatchObject({ kind: 'ok', value: [] });
  expect((await sports().odds(NBA)).reply).toMatchObject({ kind: 'ok', value: { starts: [], books: new Map() } });
});

test('sides_exchanged: the sides swap, and each price stays with the side that it names', async () => {
  const read = async () => {
    const { reply } = await sports().odds(NBA);
    const matches = reply.kind === 'ok' ? [...reply.value.books.values()].flat() : [];
    return matches.map(({ homeTeam, awayTeam, markets }) => {
      const h2h = markets.find(({ market }) => market === 'h2h')!.prices;
      return { homeTeam, awayTeam, home: h2h.home, away: h2h.away };
    });
  };
  const before = await read();
  expect(before.length).toBeGreaterThan(0);
  await on('sides_exchanged', 'the_odds_api');
  expect(await read()).toEqual(
    before.map(({ homeTeam, awayTeam, home, away }) => ({
      homeTeam: awayTeam,
      awayTeam: homeTeam,
      home: away,
      away: home,
    })),
  );
});
