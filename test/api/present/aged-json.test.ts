import fc from 'fast-check';
import { agedJson, fill, hole, membersOf } from '../../../src/api/present/aged-json';

test('a filled text is the JSON of the value with the members in place, whatever its strings say', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('"@hole":0', '@hole', '\\"@hole":1', '{"@hole":1}'));
  fc.assert(
    fc.property(fc.array(fc.record({ name: text, which: fc.nat(2) }), { maxLength: 6 }), (rows) => {
      const members = [{ age_seconds: 1, stale: false }, { age_seconds: 22 }, { cached: true }];
      const holed = agedJson(rows.map(({ name, which }) => ({ name, ...hole<object>(which), last: 1 })));
      const filled = fill(holed, members.map(membersOf));
      expect(JSON.parse(filled)).toEqual(rows.map(({ name, which }) => ({ name, ...members[which], last: 1 })));
    }),
  );
});
