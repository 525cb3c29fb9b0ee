// The hash of a reply is computed once for a snapshot that a feed gives again, and never serves a poll of which
// another part of the snapshot counts.
import fc from 'fast-check';
import type { BookPoll } from '../../../src/store/card/book-poll';
import { BookReply } from '../../../src/store/card/book-reply';
import { raceSnapshot } from '../../support/races/builders';

const START = '2026-11-21T03:00:00.000Z';
const pollOf = (marketStateSource: boolean, startSource: boolean): BookPoll => ({
  ...{ raceId: 'r', bookmakerKey: 'b', fence: { epoch: 1, attempt: 1 }, observedAt: START, bookAt: null },
  ...{ snapshot: null, marketStateSource, startSource },
});

test('property: a snapshot that comes again has the hash, the literal and the card of an equal one', () => {
  const use = fc.record({ snapshot: fc.nat(1), marketStateSource: fc.boolean(), startSource: fc.boolean() });
  fc.assert(
    fc.property(fc.array(use, { maxLength: 12 }), (uses) => {
      const snapshots = [raceSnapshot({ startTime: START }), raceSnapshot({ startTime: START, marketStatus: 'OPEN' })];
      for (const { snapshot, marketStateSource, startSource } of uses) {
        const poll = pollOf(marketStateSource, startSource);
        const again = new BookReply(poll, snapshots[snapshot]!);
        const fresh = new BookReply(poll, structuredClone(snapshots[snapshot]!));
        expect([again.hash, again.literal(), again.card()]).toEqual([fresh.hash, fresh.literal(), fresh.card()]);
      }
    }),
  );
});

test('whether the start counts is a part of the hash, of the same snapshot too', () => {
  const snapshot = raceSnapshot({ startTime: START });
  const hashes = [true, false, true].map((startSource) => new BookReply(pollOf(false, startSource), snapshot).hash);
  expect(hashes[1]).not.toBe(hashes[0]);
  expect(hashes[2]).toBe(hashes[0]);
});
