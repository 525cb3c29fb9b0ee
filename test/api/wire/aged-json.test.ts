import fc from 'fast-check';
import { agedJson, filledLength, hole, membersOf, writeFilled } from '../../../src/api/wire/aged-json';
import { quoteFreshness, quoteMembers } from '../../../src/api/wire/present-freshness';

const filled = (value: unknown, members: readonly string[]): string => {
  const json = agedJson(JSON.stringify(value));
  const out = Buffer.alloc(filledLength(json, members) + 3, '#');
  expect(writeFilled(json, members, out, 1)).toBe(out.length - 2);
  expect([out[0], out.at(-2)]).toEqual([35, 35]);
  return out.toString('utf8', 1, out.length - 2);
};

test('a filled text is the JSON of the value with the members in place, whatever its strings contain', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"@hole":0', '@hole', '\\"@hole":1', '{"@hole":1}', 'Löwe 馬 🐎', '\ud800'),
  );
  fc.assert(
    fc.property(fc.array(fc.record({ name: text, which: fc.nat(12) }), { maxLength: 6 }), (rows) => {
      const members = Array.from({ length: 13 }, (_, i) => ({ age_seconds: i, stale: i % 2 === 0 }));
      const json = filled(
        rows.map(({ name, which }) => ({ name, ...hole<object>(which), last: 1 })),
        members.map(membersOf),
      );
      const whole = rows.map(({ name, which }) => ({ name, ...members[which], last: 1 }));
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(whole)));
    }),
  );
});

test('a hole at the end of an object is filled like any other', () => {
  expect(filled({ a: hole(0), ...hole<object>(1) }, ['"x":1', '"y":2'])).toBe('{"a":{"x":1},"y":2}');
});

test('a quote’s members match its JSON', () => {
  for (const bookmaker of ['tab', 'betgold']) {
    const fresh = quoteFreshness({ bookmaker, polledAtMs: 1_763_694_000_123 }, 1_763_695_000_000, 1_763_694_200_000);
    expect(quoteMembers(fresh)).toBe(membersOf(fresh));
  }
});
