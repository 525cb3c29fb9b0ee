// How a request names its race (A 4.4), and the race’s states: upcoming, jumped, abandoned, gone.
import { createStores } from '../../../../src/store/create-stores';
import { expectProblemConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { feedField } from '../../../support/races/builders';

const START = '2026-11-21T03:30:00.000Z';
const startMs = Date.parse(START);
const iso = (ms: number): string => new Date(ms).toISOString();

let served: Served;
let free: string;
beforeAll(async () => {
  served = await serve();
  free = await served.addKey();
});
afterAll(() => served.stop());

const get = (query: string) => served.api.get(`/v1/racing/consensus?${query}`, free);
const at = async (ms: number, query: string) => {
  const { now } = served.api;
  served.api.now = ms;
  const answer = await get(query);
  served.api.now = now;
  return answer;
};
const BOOKS = { neds: { runners: feedField(1.9, 1.95) }, tab: { runners: feedField(1.9, 1.9) } };
const race = (venue: string, over: object = {}, books: Parameters<typeof addRace>[2] = BOOKS) =>
  addRace(served.db.pool, { venue, startTime: START, ...over }, books);

describe('naming it', () => {
  test('by venue in any case, meeting day and number', async () => {
    const { raceId } = await race('Moonee Valley', { raceNumber: 4 });
    const answer = await get('venue=moonee%20VALLEY&meeting_date=2026-11-21&race_number=4');
    expect(answer.body.race).toEqual({
      race_id: raceId,
      venue: 'Moonee Valley',
      race_number: 4,
      category: 'horse',
      country: 'AU',
      start_time: START,
      secs_to_jump: 1800,
      refresh_tier: 'live',
      status: 'upcoming',
      as_of: '2026-11-21T03:00:00.000Z',
    });
    expect(answer.body.note).toBeNull();
  });

  test('two races that share venue, day and number are a free 409 with both', async () => {
    const dogs = await race('Ballarat', { category: 'greyhound' });
    const horses = await race('Ballarat');
    const answer = await get('venue=Ballarat&meeting_date=2026-11-21&race_number=1');
    expect([answer.status, answer.body.code]).toEqual([409, 'race_ambiguous']);
    expectProblemConforms(answer.body);
    const candidates: { race_id: string; category: string }[] = answer.body.candidates;
    expect(candidates.map(({ race_id, category }) => [category, race_id]).sort()).toEqual([
      ['greyhound', dogs.raceId],
      ['horse', horses.raceId],
    ]);
    expect((await get(`race_id=${dogs.raceId}`)).body.race.category).toBe('greyhound');
    // The id is preferred (A 4.4), whatever is sent with it.
    const beside = await get(`race_id=${dogs.raceId}&venue=Nowhere&race_number=9`);
    expect(beside.body.race.category).toBe('greyhound');
  });

  test.each([
    ['race_id=0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10'],
    ['venue=Nowhere&meeting_date=2026-11-21&race_number=1'],
    ['venue=Moonee%20Valley&meeting_date=2026-11-22&race_number=4'],
  ])('an unknown race is a free 404: %s', async (query) => {
    const answer = await get(query);
    expect([answer.status, answer.body.code]).toEqual([404, 'race_not_on_board']);
  });

  test.each([
    ['', ['race_id']],
    ['venue=Ballarat&race_number=1', ['meeting_date']],
    ['race_id=7', ['race_id']],
    ['venue=Ballarat', ['meeting_date', 'race_number']],
    ['venue=Ballarat&meeting_date=21.11.2026&race_number=1', ['meeting_date']],
    ['venue=Ballarat&meeting_date=2026-11-21&race_number=one', ['race_number']],
    ['race_id=0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10&method=shin', ['method']],
    ['race_id=0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10&min_books=0', ['min_books']],
    ['race_id=0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10&min_books=21', ['min_books']],
    ['race_id=0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10&include_stale=perhaps', ['include_stale']],
    ['race_id=0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10&bookmakers=zed', ['bookmakers']],
  ])('an invalid parameter is a free 422: %s', async (query, parameters) => {
    const answer = await get(query);
    expect([answer.status, answer.body.code]).toEqual([422, 'validation']);
    expect(answer.body.errors.map((one: { parameter: string }) => one.parameter)).toEqual(parameters);
  });
});

describe('the states of a race', () => {
  const stores = () => createStores(served.db.pool);

  test('without a reported market state a race has jumped from its start, and stale books drop out', async () => {
    const polled = iso(startMs - 20_000);
    const late = { neds: { ...BOOKS.neds, at: polled }, tab: { ...BOOKS.tab, at: iso(startMs - 120_000) } };
    const { raceId } = await race('Off', {}, late);
    expect((await at(startMs - 1_000, `race_id=${raceId}`)).body).toMatchObject({
      race: { status: 'upcoming', secs_to_jump: 1 },
      note: null,
    });
    const { body } = await at(startMs + 61_000, `race_id=${raceId}`);
    expect(body.race).toMatchObject({ status: 'jumped', secs_to_jump: -61, refresh_tier: 'live' });
    expect(body.note).toContain('The race has jumped');
    expect(body.books_excluded).toEqual([{ bookmaker: 'tab', reason: 'stale' }]);
  });

  test('a race has not jumped while its market is open, even past the start, and has jumped once the market closes', async () => {
    const open = { ...BOOKS, pointsbetau: { runners: feedField(1.9, 1.9), marketStatus: 'OPEN' as const } };
    const standing = await race('Late', {}, open);
    expect((await at(startMs + 40_000, `race_id=${standing.raceId}`)).body.race.status).toBe('upcoming');
    const shut = {
      pointsbetau: { runners: feedField(1.9, 1.9), marketStatus: 'CLOSED' as const, at: iso(startMs + 30_000) },
    };
    const gone = await race('Shut', {}, shut);
    expect((await at(startMs + 40_000, `race_id=${gone.raceId}`)).body.race.status).toBe('jumped');
  });

  test('customers do not receive a market state that only the exchange reports', async () => {
    const exchange = { ...BOOKS, betfair_ex_au: { runners: feedField(2, 2), marketStatus: 'OPEN' as const } };
    const { raceId } = await race('Exchange', {}, exchange);
    expect((await at(startMs + 1_000, `race_id=${raceId}`)).body.race.status).toBe('jumped');
  });

  test('a recorded jump counts before the start too; ten minutes later the race is gone', async () => {
    const { raceId } = await race('Recorded');
    await stores().races.savePhase(raceId, 'jumped', { jumpedAt: iso(startMs - 30_000) }, iso(startMs));
    expect((await at(startMs - 20_000, `race_id=${raceId}`)).body.race.status).toBe('jumped');
    await stores().races.savePhase(raceId, 'jumped', { leftBoardAt: iso(startMs + 600_000) }, iso(startMs + 600_000));
    expect((await get(`race_id=${raceId}`)).body.code).toBe('race_not_on_board');
  });

  test('an abandoned race has no consensus, and does not make its namesake ambiguous', async () => {
    const dogs = await race('Geelong', { category: 'greyhound' });
    const horses = await race('Geelong');
    await stores().results.abandon(dogs.raceId, 'abandoned', 'neds', iso(startMs - 3_600_000));
    expect((await get(`race_id=${dogs.raceId}`)).body.code).toBe('race_not_on_board');
    const answer = await get('venue=Geelong&meeting_date=2026-11-21&race_number=1');
    expect(answer.body.race.race_id).toBe(horses.raceId);
  });
});
