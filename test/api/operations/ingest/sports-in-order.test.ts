// A push of sports without `observed_at` is as new as its arrival: a small one never overtakes a large one of its book,
// although the large one is read in several parts.
import { createSportsIngest } from '../../../../src/api/operations/ingest/sports-ingest';
import { NO_PUSH_AUDIT } from '../../../../src/api/operations/quality/push-audit';
import type { SportIngestStore } from '../../../../src/store/sports/push';
import { match } from '../../../support/sports/push';

const NOW_MS = Date.parse('2026-11-21T03:00:00.000Z');

type Payload = Parameters<ReturnType<typeof createSportsIngest>['push']>[1];

const payloadOf = (count: number): Payload => {
  const events = Array.from({ length: count }, (_, at) => match([1.9, 2], { home_team: `Home ${at}` }));
  return { bookmaker_key: 'tab', events } as unknown as Payload;
};

afterEach(() => {
  jest.restoreAllMocks();
});

test('pushes reach the store in the order of arrival, however long each takes to read', async () => {
  let nowMs = 0;
  // Each match takes longer than a part.
  jest.spyOn(performance, 'now').mockImplementation(() => (nowMs += 3));
  const stored: number[] = [];
  const push: SportIngestStore['push'] = async ({ events }) => {
    stored.push(events.length);
    return { replayed: false, events: events.length, changed: 0, takenBack: 0, refused: [] };
  };
  const ingest = createSportsIngest({ push }, { recordPolls: async () => {} }, NO_PUSH_AUDIT);
  const counts = [20, 1, 5, 0, 2];
  await Promise.all(counts.map((count, at) => ingest.push('tab', payloadOf(count), NOW_MS + at)));
  expect(stored).toEqual(counts);
});
