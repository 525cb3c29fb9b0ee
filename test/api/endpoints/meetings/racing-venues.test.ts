import { createStores } from '../../../../src/store/create-stores';
import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { feedResult } from '../../../support/races/builders';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.stop());

test('a venue is listed while races run or ran there, not because it exists (A 2.10)', async () => {
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
