import { createStores } from '../../../../src/store/create-stores';
import { type Served, serve } from '../../../support/api/served';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.stop());

test('a connector reports its last success, and the failure since', async () => {
  const { health } = createStores(served.db.pool);
  const poll = { connector: 'tab', ok: true, status: 'ok', message: null, recordsWritten: 11, counts: [] };
  const answered = '2026-11-21T02:50:00.000Z';
  const failed = '2026-11-21T02:55:00.000Z';
  await health.recordPolls([{ ...poll, at: answered }]);
  await health.recordPolls([
    { ...poll, at: failed, ok: false, status: 'timeout', message: 'no answer in 5000 ms', recordsWritten: 0 },
  ]);
  await health.recordPolls([{ ...poll, connector: 'neds', at: answered }]);
  const { body, headers } = await served.api.get('/v1/health', await served.addKey());
  const polled = body.filter((row: { last_poll: string | null }) => row.last_poll !== null);
  expect(polled).toEqual([
    { connector: 'neds', last_ok: answered, last_poll: answered, status: 'ok', records_written: 11, message: null },
    {
      connector: 'tab',
      last_ok: answered,
      last_poll: failed,
      status: 'error',
      records_written: 11,
      message: 'timeout: no answer in 5000 ms',
    },
  ]);
  expect([...headers.keys()].filter((name) => name.startsWith('x-credits'))).toEqual([]);
});

test('an active book that never reported is listed as an error; a retired one is not listed', async () => {
  const { body } = await served.api.get('/v1/health', await served.addKey());
  const of = (key: string) => body.find((row: { connector: string }) => row.connector === key);
  expect(of('boostbet')).toEqual({
    connector: 'boostbet',
    last_ok: null,
    last_poll: null,
    status: 'error',
    records_written: 0,
    message: 'never polled',
  });
  expect([of('ponybet'), of('betfair_ex_au'), of('pinnacle')]).toEqual([undefined, undefined, undefined]);
  const names = body.map((row: { connector: string }) => row.connector);
  expect(names).toEqual([...names].sort());
});
