import { Type } from '@sinclair/typebox';
import { queryReader } from '../../../../src/api/kernel/input/query';
import { ENDPOINTS } from '../../../../src/api/operations';
import {
  categories,
  category,
  country,
  includeUnresolved,
  numRaces,
  venue,
  venueName,
} from '../../../../src/api/wire/parameters';
import { readableInstant } from '../../../../src/api/wire/vocabulary';

const properties = {
  num_races: numRaces(10, 200),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, 'x-alias-of': 'num_races', 'x-alias-wins': true })),
  categories,
  category,
  country,
  venue,
  include_unresolved: includeUnresolved,
  date: Type.Optional(Type.String({ format: 'date' })),
  hours_ahead: Type.Integer({ default: 4, minimum: 1, maximum: 168 }),
  min_move_pct: Type.Number({ default: 7, minimum: 1, maximum: 90 }),
  since: Type.Optional(readableInstant('When.')),
};
const read = queryReader(properties, [['hours_ahead', 'date']]);
const details = (search: string) => read(search).problems.map((problem) => problem.detail);

test('an empty query takes the defaults', () => {
  const { query, problems, given } = read('');
  expect(problems).toEqual([]);
  expect(query).toEqual({ num_races: 10, include_unresolved: false, hours_ahead: 4, min_move_pct: 7 });
  expect([...given]).toEqual([]);
});

test('values become the types of their schema', () => {
  const { query, problems } = read(
    'num_races=3&categories=Horse,greyhound,horse&country=au,nz&venue=Eagle%20Farm,Ascot&include_unresolved=true&min_move_pct=7.5',
  );
  expect(problems).toEqual([]);
  expect(query).toMatchObject({
    num_races: 3,
    categories: ['horse', 'greyhound'],
    country: ['AU', 'NZ'],
    venue: ['Eagle Farm', 'Ascot'],
    include_unresolved: true,
    min_move_pct: 7.5,
  });
});

test.each([
  ['num_races=0', "num_races must be an integer from 1 to 200; you sent '0'."],
  ['num_races=', "num_races must be an integer from 1 to 200; you sent ''."],
  ['num_races=1e1', "num_races must be an integer from 1 to 200; you sent '1e1'."],
  ['num_races=0x10', "num_races must be an integer from 1 to 200; you sent '0x10'."],
  ['num_races=2.5', "num_races must be an integer from 1 to 200; you sent '2.5'."],
  ['min_move_pct=91', "min_move_pct must be a number from 1 to 90; you sent '91'."],
  ['include_unresolved=1', "include_unresolved must be true or false; you sent '1'."],
  ['date=2026-02-30', "date must be a calendar day as YYYY-MM-DD; you sent '2026-02-30'."],
  ['country=AUS', "country must be ISO country codes of two letters, comma-separated; you sent 'AUS'."],
  [
    'categories=dogs,horse,cats',
    "categories must be one or more of horse, harness, greyhound, comma-separated; you sent 'dogs', 'cats'.",
  ],
  ['categories=', "categories must be one or more of horse, harness, greyhound, comma-separated; you sent ''."],
])('%s is refused', (search, detail) => expect(details(search)).toEqual([detail]));

describe('an instant', () => {
  test.each([
    ['2026-11-21T05:20:00Z', '2026-11-21T05:20:00.000Z'],
    ['2026-11-21t05:20z', '2026-11-21T05:20:00.000Z'],
    ['2026-11-21T05:20:00.123456%2B00:00', '2026-11-21T05:20:00.123Z'],
    ['2026-11-21T16:20:00+11:00', '2026-11-21T05:20:00.000Z'],
    ['2026-11-21T00:20:00-05:00', '2026-11-21T05:20:00.000Z'],
  ])('%s is read in UTC (D2)', (text, instant) =>
    expect(read(`since=${text}`)).toMatchObject({ query: { since: instant }, problems: [] }),
  );
  test.each(['2026-11-21T05:20:00', '2026-02-31T05:20:00Z', '2026-11-21T24:00:00Z', '2026-12-31T23:59:60Z', ''])(
    '%s is refused',
    (text) =>
      expect(details(`since=${text}`)).toEqual([
        `since must be an instant with its UTC offset, as 2026-11-21T05:20:00Z or 2026-11-21T16:20:00+11:00; you sent '${text}'.`,
      ]),
  );
});

test('an unknown parameter is refused with the accepted ones', () => {
  const [problem] = read('venu=Ascot').problems;
  expect(problem).toMatchObject({ parameter: 'venu', valid_values: Object.keys(properties) });
  expect(problem!.detail).toContain('valid parameters are num_races, limit, categories');
});

test('a repeated parameter is refused once, whatever its values (D1)', () => {
  expect(details('venue=a&venue=a&venue=b')).toEqual([
    'venue is sent more than once; send one value, with list items separated by commas.',
  ]);
});

test('every problem is listed, and the valid parameters are read', () => {
  const { problems, query } = read('num_races=x&categories=dogs&nope=1&country=NZ');
  expect(problems.map((problem) => problem.parameter)).toEqual(['nope', 'num_races', 'categories']);
  expect(query).toMatchObject({ country: ['NZ'] });
  expect(query).not.toHaveProperty('num_races');
});

test('the problem names the parameter as it was sent', () => {
  expect(read('category=dogs').problems).toMatchObject([{ parameter: 'category' }]);
  expect(details('limit=0')).toEqual(["limit must be an integer from 1 to 200; you sent '0'."]);
});

describe('aliases', () => {
  test('an alias is read under the canonical name', () => {
    expect(read('category=horse').query).toMatchObject({ categories: ['horse'] });
  });
  test('two names may agree, in any order and case', () => {
    expect(details('category=horse,greyhound&categories=Greyhound,HORSE')).toEqual([]);
  });
  test('two names that differ are refused', () => {
    expect(details('category=horse&categories=greyhound')).toEqual([
      'category and categories are the same parameter, but two different values were sent.',
    ]);
  });
  test('the name that loses is validated too', () => {
    expect(details('num_races=abc&limit=5')).toEqual(["num_races must be an integer from 1 to 200; you sent 'abc'."]);
    expect(details('num_races=%00&limit=0')).toEqual([
      "limit must be an integer from 1 to 200; you sent '0'.",
      'num_races contains a NUL character.',
    ]);
  });
  test('limit wins over num_races (A 4.3)', () => {
    expect(read('limit=5&num_races=50').query).toMatchObject({ num_races: 5 });
    expect(read('num_races=50&limit=5').query).toMatchObject({ num_races: 5 });
  });
});

describe('exclusive parameters', () => {
  test('are refused together', () => {
    expect(details('date=2026-11-22&hours_ahead=5')).toEqual([
      'hours_ahead and date cannot be combined; send one of them.',
    ]);
    expect(details('date=2026-11-22')).toEqual([]);
  });
  test('a parameter that equals its own default counts as not sent beside another', () => {
    const { problems, given } = read('date=2026-11-22&hours_ahead=4');
    expect(problems).toEqual([]);
    expect([...given]).toEqual(['date']);
  });
  test('alone, or outside a group, a default counts as sent', () => {
    expect([...read('hours_ahead=4&num_races=10').given]).toEqual(['hours_ahead', 'num_races']);
  });
});

test('a blank name is refused, because it would select nothing', () => {
  const named = queryReader({ venue: Type.Optional(venueName('Where.')) });
  for (const blank of ['', '%20', '%E2%80%8B'])
    expect(named(`venue=${blank}`).problems).toMatchObject([
      { detail: expect.stringMatching(/^venue must be the name of a venue; you sent '\s*\u200b?'\.$/) },
    ]);
});

test('the requirement of every parameter is stated in its own words', () => {
  const generic = ENDPOINTS.flatMap(({ path, query = {} }) =>
    Object.keys(query).flatMap((name) =>
      queryReader(query)(`${name}=`)
        .problems.filter(({ detail }) => /documented format|or more values/.test(detail))
        .map(() => `${path}?${name}`),
    ),
  );
  expect(generic).toEqual([]);
});

test('a name that every JavaScript object has is an unknown parameter like any other', () => {
  expect(read('__proto__=1&constructor=2').problems.map((problem) => problem.parameter)).toEqual([
    '__proto__',
    'constructor',
  ]);
});
