// What a poll reports as the time of our database, by which a process thins its polls: not its own wait for others.

import type { PollDeps } from '../../../src/activities/deps';
import { pollBook } from '../../../src/activities/polling/poll-book';
import type { Feed } from '../../../src/feeds/feed';
import type { QuoteStore } from '../../../src/store/polls/quotes';

const AT = '2026-11-21T03:00:00.000Z';
const VERDICT = {
  fenced: false,
  changed: 0,
  ticks: 0,
  startMoved: false,
  startVersion: 1,
  marketClosedAt: null,
  outOfOrder: false,
};
const TARGET = { raceId: 'race', bookmakerKey: 'tab', sourceRaceId: 'r1', advertisedStart: AT, startSource: false };

test.each([
  ['near', 30, 30],
  ['near', 600, 600],
  ['usual', 30, 0],
  ['usual', 50, 0],
  ['usual', 600, 550],
] as const)(
  'of a poll that is %s and takes %i ms to store, %i ms are the database’s',
  async (urgency, tookMs, storeMs) => {
    let nowMs = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    const savePoll: QuoteStore['savePoll'] = async () => {
      nowMs += tookMs;
      return VERDICT;
    };
    const fetchRace: Feed['fetchRace'] = async () => ({ kind: 'unchanged', observedAt: AT });
    const deps = { feeds: new Map([['tab', { fetchRace }]]), stores: { quotes: { savePoll } }, now: () => 0 };
    try {
      const report = await pollBook(deps as unknown as PollDeps, TARGET, { epoch: 1, attempt: 1 }, { urgency });
      expect(report).toMatchObject({ kind: 'answered', storeMs });
    } finally {
      jest.restoreAllMocks();
    }
  },
);
