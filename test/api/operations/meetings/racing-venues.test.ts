import { createStores } from '../../../../src/store/create-stores';
import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { feedField, feedResult } from '../../../support/races/builders';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.stop());

test('a venue is listed if races run or ran there, not because it exists (A 2.10)', async () => {
  const { results } = createStores(served.db.pool);
  const add = (venue: string, startTime: string, over: Parameters<typeof addRace>[1] = {}) =>
    addRace(served.db.pool, { venue, startTime, meetingDate: startTime.slice(0, 10), ...over }, { tab: {} });
  const withResult = async (venue: string, startTime: string, over: Parameters<typeof addRace>[1] = {}) => {
    const { raceId } = await add(venue, startTime, over);
    await results.saveResult({ raceId, source: 'tab', result: feedResult(), at: startTime });
  };
  await add('Live', '2026-11-21T04:00:00.000Z', { country: null });
  await withResult('LIVE', '2026-11-01T04:00:00.000Z', { category: 'harness' });
  await withResult('Ran', '2026-09-23T04:00:00.000Z', { country: 'NZ' });
  await withResult('Ran', '2026-10-23T04:00:00.000Z', { country: null });
  await add('No Result', '2026-11-10T04:00:00.000Z');
  await withResult('Long Ago', '2026-09-22T02:00:00.000Z');

  const { body } = await served.api.get('/v1/racing/venues', await served.addKey());
  expect(body).toEqual([
    {
      venue_id: 'live',
      venue_canonical: 'Live',
      venue_site: 'live',
      country: 'AU',
      categories: ['harness', 'horse'],
      spellings: expect.arrayContaining(['LIVE', 'Live']),
    },
    expect.objectContaining({ venue_id: 'ran', country: 'NZ', categories: ['horse'], spellings: ['Ran'] }),
  ]);
});

test('every listed spelling finds the venue’s races, whatever theirs is; an exact spelling comes first', async () => {
  const key = await served.addKey({ plan: 'plus' });
  const add = (venue: string, raceNumber: number) =>
    addRace(
      served.db.pool,
      { venue, raceNumber, startTime: '2026-11-21T03:30:00.000Z' },
      { tab: { runners: feedField(2, 3) } },
    );
  const first = await add('Rosehill', 1);
  const second = await add('Rosehill Gardens', 2);
  // As the table of venues folds them.
  const folded = "venue_id = 'rosehill' WHERE venue_id = 'rosehill-gardens'";
  for (const table of ['races', 'venue_spellings']) await served.db.pool.query(`UPDATE ${table} SET ${folded}`);
  const { body: venues } = await served.api.get('/v1/racing/venues', key);
  const { spellings } = venues.find((venue: { venue_id: string }) => venue.venue_id === 'rosehill');
  expect(spellings).toEqual(['Rosehill', 'Rosehill Gardens']);
  const numbersAt = async (path: string) =>
    (await served.api.get(path, key)).body.map((race: { race_number: number }) => race.race_number);
  for (const spelling of [...spellings, 'ROSEHILL GARDENS']) {
    const name = encodeURIComponent(spelling);
    for (const operation of ['next-to-go', 'best-odds'])
      expect(await numbersAt(`/v1/racing/${operation}?venue=${name}`)).toEqual(expect.arrayContaining([1, 2]));
    for (const { raceId, raceNumber } of [
      { ...first, raceNumber: 1 },
      { ...second, raceNumber: 2 },
    ]) {
      const { body } = await served.api.get(
        `/v1/racing/consensus?venue=${name}&meeting_date=2026-11-21&race_number=${raceNumber}`,
        key,
      );
      expect(body.race.race_id).toBe(raceId);
      const bet = { venue: spelling, meeting_date: '2026-11-21', race_number: raceNumber, runner_number: 1, price: 2 };
      const clv = await served.api.send('POST', '/v1/racing/clv', {
        key,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ bets: [bet] }),
      });
      expect(clv.body.bets[0].race_id).toBe(raceId);
    }
  }
  // The same spelling is another venue's own name: a client that sends it means that one.
  await served.db.pool.query(
    `INSERT INTO venue_spellings SELECT 'rosehill', 'Live', category, country, first_seen_at, last_seen_at
       FROM venue_spellings WHERE spelling = 'Rosehill'`,
  );
  const { body } = await served.api.get('/v1/racing/consensus?venue=Live&meeting_date=2026-11-21&race_number=1', key);
  expect(body.race.venue).toBe('Live');
  const { results } = createStores(served.db.pool);
  for (const { raceId } of [first, second])
    await results.saveResult({ raceId, source: 'tab', result: feedResult(), at: '2026-11-21T03:35:00.000Z' });
  for (const spelling of spellings)
    expect(await numbersAt(`/v1/racing/results?date=2026-11-21&venue=${encodeURIComponent(spelling)}`)).toHaveLength(2);
});
