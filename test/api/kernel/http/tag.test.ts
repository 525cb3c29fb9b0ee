import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { agesOf, taggerOf } from '../../../../src/api/kernel/http/tag';
import { age, aged, amount, instant, named, nullable, price, text, yes } from '../../../../src/api/wire/vocabulary';

const Quote = named('Quote', Type.Object({ price: price(), age_seconds: age(''), last_update: aged(instant()) }));
const Body = Type.Object({
  quotes: Type.Array(Quote),
  best: nullable(Quote),
  by_name: Type.Record(Type.String(), Type.Object({ secs_to_jump: aged(amount()) })),
  as_of: aged(nullable(instant())),
  cached: aged(yes()),
  field_as_of: aged(Type.Object({ rail: instant() })),
  stale: yes(),
  name: text(),
});
const tagOf = taggerOf(Body);

test('the ages of a schema are the members marked as such, at any depth', () => {
  const names = ['age_seconds', 'last_update', 'secs_to_jump', 'as_of', 'cached', 'field_as_of'];
  expect([...agesOf(Body)].sort()).toEqual(names.sort());
});

test('a name that is an age in one place but not in another is refused', () => {
  const now = Type.Object({ now: aged(instant()), move: Type.Object({ now: price() }) });
  expect(() => taggerOf(now)).toThrow('an age in one place and none in another: now');
});

const body = (seconds: number, cached: boolean, at: string | null) =>
  JSON.stringify({
    quotes: [{ price: 2, age_seconds: seconds, last_update: at }],
    by_name: { tab: { secs_to_jump: -seconds } },
    field_as_of: { rail: at, weather: null },
    stale: false,
    cached,
    as_of: at,
  });

test('a tag does not depend on the age of anything', () => {
  const ages = fc.tuple(fc.nat(), fc.boolean(), fc.constantFrom('2026-11-21T03:00:00Z', '2026-11-21T04:00:00Z', null));
  fc.assert(fc.property(ages, ages, (one, other) => tagOf(body(...one)) === tagOf(body(...other))));
});

test.each([
  ['a price', '{"price":2,"age_seconds":1}', '{"price":3,"age_seconds":1}'],
  ['whether it is stale', '{"age_seconds":1,"stale":false}', '{"age_seconds":1,"stale":true}'],
  ['a name that looks like an age', '{"name":"\\"age_seconds\\":1"}', '{"name":"\\"age_seconds\\":2"}'],
  ['a member whose name ends like an age', '{"open_secs_to_jump":1}', '{"open_secs_to_jump":2}'],
  ['a member that is no age here', '{"now":2.4}', '{"now":2.6}'],
  ['a value after an age at the end of a list', '[{"age_seconds":1}]', '[{"age_seconds":1},1]'],
])('a tag depends on %s', (_, one, other) => expect(tagOf(one)).not.toBe(tagOf(other)));
