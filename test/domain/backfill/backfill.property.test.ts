import fc from 'fast-check';
import { paceMs, placeOf, readyAtMs } from '../../../src/domain/backfill/estimate';
import { fairOrder, type WaitingHorse } from '../../../src/domain/backfill/fair-order';
import { jobStatus } from '../../../src/domain/backfill/job';
import { sortInputs } from '../../../src/domain/backfill/submission';
import { runs } from '../../support/property';

const NOW = Date.parse('2026-11-21T03:00:00.000Z');
const letter = (letters: string) => fc.constantFrom(...letters);
const queues = fc.record({
  waiting: fc.array(
    fc.record<WaitingHorse>({
      accountId: letter('abcd'),
      horse: letter('pqrstuvwxyz'),
      notBeforeMs: fc.constantFrom(null, null, null, NOW - 1, NOW, NOW + 1, NOW + 60_000),
    }),
    { maxLength: 40 },
  ),
  turns: fc.dictionary(letter('abcd'), fc.nat(5)).map((turns) => new Map(Object.entries(turns))),
});

describe('the fair order', () => {
  test('has every horse once, those that may be read first', () => {
    fc.assert(
      fc.property(queues, (queue) => {
        const order = fairOrder(queue, NOW);
        expect([...order].sort()).toEqual([...new Set(queue.waiting.map(({ horse }) => horse))].sort());
        const ready = new Set(
          queue.waiting.filter(({ notBeforeMs }) => (notBeforeMs ?? 0) <= NOW).map(({ horse }) => horse),
        );
        expect(order.slice(0, ready.size).every((horse) => ready.has(horse))).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });

  test('is that of single turns: the account whose turn was longest ago, its oldest horse, and the account goes to the end', () => {
    fc.assert(
      fc.property(queues, ({ waiting, turns }) => {
        let left = waiting.filter(({ notBeforeMs }) => (notBeforeMs ?? 0) <= NOW);
        const taken: string[] = [];
        const last = new Map(turns);
        for (let turn = 100; left.length > 0; turn++) {
          const accounts = [...new Set(left.map(({ accountId }) => accountId))];
          const [account] = accounts.sort((a, b) => (last.get(a) ?? 0) - (last.get(b) ?? 0) || (a < b ? -1 : 1));
          const { horse } = left.find(({ accountId }) => accountId === account)!;
          taken.push(horse);
          last.set(account!, turn);
          left = left.filter((one) => one.horse !== horse);
        }
        expect(fairOrder({ waiting, turns }, NOW).slice(0, taken.length)).toEqual(taken);
      }),
      { numRuns: runs(500) },
    );
  });

  test('lets an account with two horses wait for only two reads of an account with 500', () => {
    const many = Array.from({ length: 500 }, (_, i) => ({ accountId: 'a', horse: `a${i}`, notBeforeMs: null }));
    const few = ['b0', 'b1'].map((horse) => ({ accountId: 'b', horse, notBeforeMs: null }));
    const order = fairOrder({ waiting: [...many, ...few], turns: new Map() }, NOW);
    expect(order.slice(0, 5)).toEqual(['a0', 'b0', 'a1', 'b1', 'a2']);
    expect(placeOf(order, new Set(['b0', 'b1']))).toEqual({ before: 1, until: 4 });
  });
});

test('a place counts the reads before a job’s next horse and up to its last', () => {
  const order = ['p', 'q', 'r', 's'];
  expect(placeOf(order, new Set(['r', 'q']))).toEqual({ before: 1, until: 3 });
  expect(placeOf(order, new Set(['s']))).toEqual({ before: 3, until: 4 });
  expect(placeOf(order, new Set(['t']))).toBeNull();
  expect(readyAtMs({ before: 1, until: 3 }, 2000, NOW, null)).toBe(NOW + 6000);
  // A horse is not read before its next try is due.
  expect(readyAtMs({ before: 0, until: 1 }, 1000, NOW, NOW + 1_800_000)).toBe(NOW + 1_800_000);
  expect(readyAtMs({ before: 1, until: 3 }, 2000, NOW, NOW + 5000)).toBe(NOW + 6000);
});

test('the pace is measured between reads; a single read measures nothing', () => {
  expect(paceMs({ count: 4, firstMs: NOW, lastMs: NOW + 9000 }, 1000)).toBe(3000);
  for (const count of [0, 1]) expect(paceMs({ count, firstMs: NOW, lastMs: NOW }, 1000)).toBe(1000);
  expect(paceMs({ count: 3, firstMs: NOW, lastMs: NOW }, 1000)).toBe(1);
});

test('the status of a job', () => {
  const none = { queued: 0, done: 0, failed: 0, cancelled: 0 };
  const free = { blocked: false, walled: false };
  const blocked = { blocked: true, walled: true };
  const walled = { blocked: false, walled: true };
  expect(jobStatus(none, blocked)).toBe('complete');
  expect(jobStatus({ ...none, done: 2, failed: 1 }, blocked)).toBe('complete');
  expect(jobStatus({ ...none, done: 2, cancelled: 1 }, blocked)).toBe('cancelled');
  expect(jobStatus({ ...none, queued: 1, cancelled: 1 }, free)).toBe('queued');
  expect(jobStatus({ ...none, queued: 1, done: 1 }, free)).toBe('running');
  expect(jobStatus({ ...none, queued: 1, failed: 1 }, free)).toBe('running');
  expect(jobStatus({ ...none, queued: 1, done: 1 }, walled)).toBe('walled');
  expect(jobStatus({ ...none, queued: 1 }, blocked)).toBe('blocked');
});

test('inputs are sorted by horse: by code first, each horse once, and unseen horses or horses without a code are not found', () => {
  const horse = (key: string, ref: string | null, refs: string[]) => ({
    key,
    name: key.toUpperCase(),
    ref,
    refs,
    lastSeen: '2026-11-20T03:00:00.000Z',
  });
  const found = [
    horse('goldtrip', 'ra:2', ['ra:3', 'ra:2']),
    null,
    horse('goldtrip', 'ra:3', ['ra:3', 'ra:2']),
    horse('nocode', null, []),
    null,
  ];
  expect(sortInputs(['ra:2', 'Never Seen', 'gold trip', 'No Code', 'Never Seen'], found)).toEqual({
    horses: [{ input: 'ra:2', key: 'goldtrip', name: 'GOLDTRIP', refs: ['ra:2', 'ra:3'] }],
    notFound: ['Never Seen', 'No Code'],
    repeated: 1,
  });
});
