// The admission of due polls: which of those that wait has the next turn.
import { type DuePoll, PollQueue } from '../../../../src/activities/polling/load/poll-queue';

const NOON = Date.parse('2026-11-21T01:00:00.000Z');
const MINUTE = 60_000;

const due = (over: Partial<DuePoll>, started: string[] = [], name = ''): DuePoll => {
  const { lastAtMs = NOON - 20_000, intervalMs = 20_000 } = over;
  const dueAtMs = lastAtMs === null ? NOON : lastAtMs + intervalMs;
  const startMs = NOON + 30 * MINUTE;
  return {
    startMs,
    lastAtMs,
    intervalMs,
    restMs: 0,
    dueAtMs,
    call: null,
    start: () => void started.push(name),
    ...over,
  };
};

/** A queue that admits no further poll until one leaves. */
function fullQueue(now = () => NOON): PollQueue {
  const queue = new PollQueue(now);
  for (let i = 0; i < 32; i++) queue.enter(due({}));
  for (let i = 0; i < 40; i++) queue.sample({ atMs: i * 1000, lateMs: 1000, storeMs: null, stored: 0 });
  return queue;
}

test('a process that keeps up starts every poll at once', () => {
  const queue = new PollQueue(() => NOON);
  const started: string[] = [];
  for (const name of ['a', 'b', 'c']) queue.enter(due({}, started, name));
  expect(started).toEqual(['a', 'b', 'c']);
  expect(queue.waitingCount).toBe(0);
});

test('races near their jump go first, then the poll that has waited for the most of its intervals', () => {
  const queue = fullQueue();
  const started: string[] = [];
  queue.enter(due({ lastAtMs: NOON - 25_000 }, started, 'late'));
  queue.enter(due({ lastAtMs: NOON - 64_000 }, started, 'latest'));
  queue.enter(due({ lastAtMs: NOON - 34_000, intervalMs: 15_000 }, started, 'later'));
  queue.enter(due({ lastAtMs: null }, started, 'first'));
  queue.enter(due({ lastAtMs: NOON - 8_000, intervalMs: 8_000, startMs: NOON + MINUTE }, started, 'near'));
  expect(started).toEqual([]);
  for (let i = 0; i < 5; i++) queue.left();
  expect(started).toEqual(['near', 'first', 'latest', 'later', 'late']);
});

test('what can start in time goes before what cannot: the next due time of that poll takes its place', () => {
  let nowMs = NOON;
  const queue = fullQueue(() => nowMs);
  const started: string[] = [];
  const turns: unknown[] = [];
  const near = { startMs: NOON + MINUTE, intervalMs: 8000, lastAtMs: NOON - 8000 };
  queue.enter(due({ ...near, start: (turn) => turns.push(turn) }));
  nowMs += 4500;
  queue.enter(due({}, started, 'far, in time'));
  queue.left();
  expect([started, turns]).toEqual([['far, in time'], []]);
  nowMs += 4000;
  queue.enter(due({ dueAtMs: nowMs }, started, 'far, just due'));
  queue.left();
  expect([started, turns]).toEqual([['far, in time'], [{ dueAtMs: NOON + 8000, thinned: 1, rides: false }]]);
});

test('late polls are not kept waiting when there are no others', () => {
  let nowMs = NOON;
  const queue = fullQueue(() => nowMs);
  const started: string[] = [];
  queue.enter(due({}, started, 'late'));
  nowMs += 19_000;
  queue.left();
  expect(started).toEqual(['late']);
});

test('polls that share a call are admitted together, but a far race never with a near one', () => {
  const queue = fullQueue();
  const started: string[] = [];
  queue.enter(due({ call: 'sportsbet' }, started, 'far'));
  queue.enter(due({ call: 'sportsbet', startMs: NOON + MINUTE }, started, 'near'));
  queue.enter(due({ call: 'sportsbet', startMs: NOON }, started, 'also near'));
  queue.enter(due({ call: 'betfair_ex_au' }, started, 'another book'));
  queue.left();
  expect(started).toEqual(['near', 'also near']);
});

test('late polls ride along with a call that is made anyway, and say so', () => {
  let nowMs = NOON;
  const queue = fullQueue(() => nowMs);
  const started: [string, boolean][] = [];
  const bulk = (name: string, lastAtMs: number) =>
    due({
      call: 'sportsbet',
      startMs: NOON + MINUTE,
      intervalMs: 8000,
      lastAtMs,
      start: ({ rides }) => void started.push([name, rides]),
    });
  queue.enter(bulk('late', NOON - 8000));
  nowMs += 6000;
  queue.enter(bulk('in time', nowMs - 8000));
  queue.left();
  expect(started).toEqual([
    ['in time', false],
    ['late', true],
  ]);
});

test('near its jump a book that rests for a minute goes first, and no due time of it is made up', () => {
  let nowMs = NOON;
  const queue = fullQueue(() => nowMs);
  const started: string[] = [];
  const turns: unknown[] = [];
  const exchange = { startMs: NOON + 2 * MINUTE, intervalMs: 60_000, restMs: 60_000, lastAtMs: NOON - 60_000 };
  queue.enter(due({ ...exchange, start: (turn) => turns.push(turn) }));
  nowMs += 13_000;
  queue.enter(due({ startMs: NOON + MINUTE, intervalMs: 8000, lastAtMs: nowMs - 8000 }, started, 'near'));
  queue.enter(due({ startMs: NOON + MINUTE, intervalMs: 8000, lastAtMs: null, dueAtMs: nowMs }, started, 'first'));
  queue.left();
  expect([started, turns]).toEqual([[], [{ dueAtMs: NOON, thinned: 0, rides: false }]]);
  // It would come near its jump while it waits.
  queue.enter(due({ ...exchange, startMs: nowMs + 3 * MINUTE }, started, 'exchange soon near'));
  queue.enter(due({ ...exchange, startMs: nowMs + 3.1 * MINUTE }, started, 'exchange far'));
  for (let i = 0; i < 4; i++) queue.left();
  expect(started).toEqual(['exchange soon near', 'first', 'near', 'exchange far']);
});

test('a poll that began to wait before its race came near is due every eight seconds from then on', () => {
  let nowMs = NOON;
  const queue = fullQueue(() => nowMs);
  const turns: unknown[] = [];
  const start: DuePoll['start'] = (turn) => void turns.push(turn);
  queue.enter(due({ startMs: NOON + 121_000, intervalMs: 15_000, lastAtMs: NOON - 15_000, start }));
  nowMs += 12_000;
  queue.left();
  expect(turns).toEqual([{ dueAtMs: NOON + 8000, thinned: 1, rides: false }]);
});

test('one turn of ten is for a far race, in the order of what they have waited for', () => {
  const queue = fullQueue();
  const started: string[] = [];
  // Late by their latest due times, all three.
  for (const [name, intervals] of [
    ['far', 1.6],
    ['farther', 2.6],
    ['farthest', 3.6],
  ] as const)
    queue.enter(due({ lastAtMs: NOON - intervals * 20_000 }, started, name));
  for (let i = 0; i < 60; i++)
    queue.enter(due({ startMs: NOON + MINUTE, intervalMs: 8000, lastAtMs: NOON - 8000 }, started, 'near'));
  for (let i = 0; i < 30; i++) queue.left();
  const farTurns = [...started.entries()].filter(([, name]) => name !== 'near');
  expect(farTurns).toEqual([
    [9, 'farthest'],
    [19, 'farther'],
    [29, 'far'],
  ]);
});

test('a withdrawn poll is not started', () => {
  const queue = fullQueue();
  const started: string[] = [];
  const poll = due({}, started, 'gone');
  queue.enter(poll);
  queue.withdraw(poll);
  for (let i = 0; i < 32; i++) queue.left();
  expect(started).toEqual([]);
});
