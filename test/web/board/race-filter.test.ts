// The choice of races on the board: limited in number, and each with one address.
import fc from 'fast-check';
import { CATEGORIES } from '../../../src/domain/race/race';
import { VENUE_COUNTRIES, VENUE_STATES, venueState, venuesOfState } from '../../../src/domain/race/venue';
import { CHOICES, type RaceFilter, raceFilter } from '../../../src/web/board/race-filter';
import { boardFilter, filterText, noSuchChoice } from '../../../src/web/meetings/board-filter';
import { filterQuery } from '../../../src/web/meetings/filter';

const read = (filter: RaceFilter): RaceFilter | null =>
  raceFilter(Object.fromEntries(new URLSearchParams(filterQuery(filter))));

const maybe = (list: readonly string[]) =>
  fc.option(fc.constantFrom(...list, 'XX', 'vic', 'cow', '%00', 'constructor'));

test('whatever is sent is a listed choice with one address, or none', () => {
  const seen = new Set<string>();
  const queries = fc.record({ code: maybe(CATEGORIES), country: maybe(VENUE_COUNTRIES), state: maybe(VENUE_STATES) });
  fc.assert(
    fc.property(queries, (sent) => {
      const query = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
      const filter = raceFilter(query);
      if (filter === null) return;
      seen.add(filterQuery(filter));
      expect(read(filter)).toEqual(filter);
      for (const [name, value] of Object.entries(filter)) if (value !== null) expect(value).toBe(query[name]);
      expect(filter.state !== null && filter.country !== null).toBe(false);
    }),
    { numRuns: 500 },
  );
  expect(seen.size).toBeGreaterThan(20);
  expect(CHOICES).toBeLessThan(500);
  expect(seen.size).toBeLessThanOrEqual(CHOICES);
});

test('a list of values, or the name of an object’s member, is no choice', () => {
  expect(raceFilter({ code: ['horse', 'harness'] })).toBeNull();
  expect(raceFilter({ state: 'constructor' })).toBeNull();
  expect(raceFilter({ country: 'NZ', state: 'VIC' })).toBeNull();
});

test('every link is a choice, and the current one is marked once in each row that has it', () => {
  const filter = { code: 'horse', country: null, state: 'VIC' } as const;
  const { text } = boardFilter('/live', filter);
  const links = [...text.matchAll(/href="\/live(\?[^"#]*)?(?:#choices)?"/g)].map(([, query]) =>
    raceFilter(Object.fromEntries(new URLSearchParams((query ?? '').replaceAll('&amp;', '&')))),
  );
  expect(links.length).toBe(4 + 3 + VENUE_STATES.length);
  expect(links).not.toContain(null);
  expect(text.match(/aria-current="true">[^<]+/g)).toEqual([
    'aria-current="true">Thoroughbred',
    'aria-current="true">VIC',
  ]);
  expect(filterText(filter)).toBe('Thoroughbred, VIC');
  expect(boardFilter('/live', { code: null, country: 'HK', state: null }).text).toContain('>HK</a>');
});

test('after a code or a place alone the choices stay open for the other', () => {
  const opens = (filter: RaceFilter, name: string) =>
    new RegExp(`href="/live[^"]*#choices"[^>]*>${name}<`).test(boardFilter('/live', filter).text);
  const none = { code: null, country: null, state: null };
  for (const [filter, open, shut] of [
    [none, ['Greyhound', 'VIC', 'NZ'], ['All codes', 'All countries']],
    [{ ...none, code: 'greyhound' }, ['Harness', 'All countries'], ['VIC', 'NZ', 'All codes']],
    [{ ...none, state: 'VIC' }, ['NSW', 'All codes'], ['Greyhound', 'All countries']],
  ] as const) {
    expect([...open, ...shut].filter((name) => opens(filter, name))).toEqual(open);
  }
});

test('the page of a mistaken choice names every code, country and state', () => {
  const { text } = noSuchChoice('/live').main;
  for (const one of [...CATEGORIES, ...VENUE_COUNTRIES, ...VENUE_STATES]) expect(text).toContain(one);
});

test('each venue of a state is in its list, and in no other', () => {
  expect(VENUE_STATES).toEqual(expect.arrayContaining(['NSW', 'VIC', 'QLD', 'SA', 'WA', 'TAS', 'NT', 'ACT']));
  for (const state of VENUE_STATES) for (const venueId of venuesOfState(state)) expect(venueState(venueId)).toBe(state);
});
