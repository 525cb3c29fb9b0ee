import fc from 'fast-check';
import { tagOf } from '../../../src/api/http/answer';

const said = (ages: number, cached: boolean, at: string) =>
  JSON.stringify([
    { price: 2, age_seconds: ages, last_update: at, stale: false },
    { data_age_seconds: ages, freshest_age_seconds: null, cached, cache_age_seconds: ages, as_of: at, server_time: at },
  ]);

test('a tag does not depend on how old anything is', () => {
  const ages = fc.tuple(
    fc.nat(),
    fc.boolean(),
    fc.constantFrom('2026-11-21T03:00:00.000Z', '2026-11-21T04:00:00.000Z'),
  );
  fc.assert(fc.property(ages, ages, (one, other) => tagOf(said(...one)) === tagOf(said(...other))));
});

test('a tag does not depend on when each field was read', () => {
  const read = (at: string) => JSON.stringify({ now: at, rail: 'True', field_as_of: { rail: at, weather: null } });
  expect(tagOf(read('2026-11-21T03:00:00.000Z'))).toBe(tagOf(read('2026-11-21T05:00:00.000Z')));
});

test.each([
  ['a price', '{"price":2,"age_seconds":1}', '{"price":3,"age_seconds":1}'],
  ['whether it is stale', '{"age_seconds":1,"stale":false}', '{"age_seconds":1,"stale":true}'],
  ['a name that looks like an age', '{"name":"\\"age_seconds\\":1"}', '{"name":"\\"age_seconds\\":2"}'],
  ['what a market says now', '{"move":{"now":2.4},"runner":{"now":"a"}}', '{"move":{"now":2.6},"runner":{"now":"b"}}'],
  ['a value after an age at the end of a list', '[{"age_seconds":1}]', '[{"age_seconds":1},1]'],
])('a tag depends on %s', (_, one, other) => expect(tagOf(one)).not.toBe(tagOf(other)));
