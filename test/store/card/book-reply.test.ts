// The hash of a reply is computed once for a snapshot that a feed gives again, and never serves a poll of which
// another part of the snapshot counts.
import fc from 'fast-check';
import { runnerKey } from '../../../src/domain/race/runner';
import type { BookPoll } from '../../../src/store/card/book-poll';
import { BookReply } from '../../../src/store/card/book-reply';
import { feedRunner, raceSnapshot } from '../../support/races/builders';

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

/** A composite literal and an array literal as PostgreSQL reads them; null for what is absent. */
function partsOf(text: string, isNull: (raw: string) => boolean): (string | null)[] {
  const parts: (string | null)[] = [];
  for (let i = 1; i < text.length - 1; i++) {
    let raw = '';
    let isQuoted = false;
    for (let inside = false; i < text.length - 1 && (inside || text[i] !== ','); i++) {
      if (text[i] === '"') {
        inside = !inside;
        isQuoted = true;
      } else {
        if (text[i] === '\\') i++;
        raw += text[i];
      }
    }
    parts.push(!isQuoted && isNull(raw) ? null : raw);
    if (i === text.length - 2) parts.push(null);
  }
  return parts;
}
const fieldsOf = (literal: string) => partsOf(literal, (raw) => raw === '');
const itemsOf = (literal: string | null) => partsOf(literal!, (raw) => raw === 'NULL');

test('property: the database reads of a literal what the snapshot says, whatever its texts', () => {
  const text = fc.string({ unit: fc.constantFrom(...'aB "\\,{}()NUL'), maxLength: 8 });
  const price = fc.option(fc.double({ min: 1.01, max: 1000, noNaN: true }));
  const runner = fc.record({
    number: fc.integer({ min: -1, max: 6 }),
    name: text,
    win: price,
    place: price,
    top3: price,
  });
  const sourceUrl = fc.option(text);
  const state = fc.record({ marketStatus: fc.constantFrom(null, 'OPEN' as const), inPlay: fc.option(fc.boolean()) });
  fc.assert(
    fc.property(
      fc.array(runner, { maxLength: 6 }),
      sourceUrl,
      state,
      fc.boolean(),
      (own, url, { marketStatus, inPlay }, counts) => {
        const runners = own.map(({ number, ...each }) => feedRunner(number, each));
        const snapshot = raceSnapshot({ startTime: START, runners, sourceUrl: url, marketStatus, inPlay });
        const reply = new BookReply(pollOf(counts, counts), snapshot);
        const stored = [...new Map(runners.toReversed().map((each) => [each.number, each])).values()]
          .filter(({ number }) => number > 0)
          .sort((a, b) => a.number - b.number);
        const fields = fieldsOf(reply.literal());
        const start = counts ? START : null;
        const isState = String(counts && marketStatus !== null);
        expect(fields.slice(0, 6)).toEqual([
          marketStatus,
          isState,
          inPlay?.toString() ?? null,
          start,
          url,
          reply.cardHash,
        ]);
        const figures = (of: (each: (typeof stored)[number]) => number | null) =>
          stored.map((each) => of(each)?.toString() ?? null);
        expect(fields.slice(6, 12).map(itemsOf)).toEqual([
          figures((each) => each.number),
          stored.map(({ name }) => runnerKey(name)),
          figures((each) => each.win),
          figures((each) => each.place),
          figures((each) => each.top2),
          figures((each) => each.top3),
        ]);
        expect(reply.card().runners.map(({ name }) => name)).toEqual(stored.map(({ name }) => name));
      },
    ),
  );
});
