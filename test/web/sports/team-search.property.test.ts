// The search over teams and competitions. Never: a team through a match that has started, two teams of one name in two
// sports or competitions as one, a match that only hidden or reference books price.
import fc from 'fast-check';
import { createSearchSource } from '../../../src/api/pages/search-source';
import { SPORTS } from '../../../src/domain/sports/sports';
import type { Reads } from '../../../src/store/reads/reads';
import type { ComingMatch, SearchSource } from '../../../src/web/search/model';
import { searchMain } from '../../../src/web/search/page';
import { createNameSearch } from '../../../src/web/search/search';
import { suggestionsOf } from '../../../src/web/search/suggestions';
import { runs } from '../../support/property';
import { book, NOW_MS, priced, pricedMatch } from '../../support/sports/matches';

const NAMES = ['Broncos', 'Storm', 'Sydney Kings', 'Kings'];
/** Without a letter or digit that folds: such teams are found by their books' names. */
const UNFOLDED = ['東京', '大阪'];
const match = fc.record({
  sides: fc.shuffledSubarray([...NAMES, ...UNFOLDED], { minLength: 2, maxLength: 2 }),
  sportKey: fc.constantFrom('nrl', 'nba', 'wnba'),
  competition: fc.constantFrom(null, 'First', 'Second'),
  startsIn: fc.integer({ min: 1, max: 200_000 }),
});

const namesOf = (team: string): string[] =>
  UNFOLDED.includes(team) ? [team, `City ${UNFOLDED.indexOf(team)}`] : [team];

const anyMatches: fc.Arbitrary<readonly ComingMatch[]> = fc.array(match, { maxLength: 12 }).map((all) =>
  all
    .map(({ sides: [homeTeam, awayTeam], sportKey, competition, startsIn }, i) => ({
      eventId: `e${i}`,
      ...{ sportKey, competition, homeTeam: homeTeam!, awayTeam: awayTeam! },
      ...{
        homeNames: namesOf(homeTeam!),
        awayNames: [`The ${awayTeam}`, ...namesOf(awayTeam!)],
        startMs: NOW_MS + startsIn,
        books: 1 + i,
      },
    }))
    .sort((a, b) => a.startMs - b.startMs),
);

const VENUE = {
  ...{ venueId: 'kingston', name: 'Kingston', country: null, state: null },
  ...{ categories: [], spellings: [] },
};

function worldOf(matches: readonly ComingMatch[]) {
  const world = { nowMs: NOW_MS, reads: 0, fails: false };
  const source: SearchSource = {
    venues: async () => [VENUE],
    runners: async () => ({ runners: [], moreRunners: false }),
    people: async () => [],
    matches: async (nowMs) => {
      world.reads++;
      if (world.fails) throw new Error('sports are away');
      return matches.filter(({ startMs }) => startMs > nowMs);
    },
  };
  return { world, search: createNameSearch({ source, now: () => world.nowMs }) };
}

/** What makes one team of a name: matches without a competition have nothing in common. */
const keyOf = ({ sportKey, competition, eventId }: Pick<ComingMatch, 'sportKey' | 'competition' | 'eventId'>): string =>
  `${sportKey} ${competition ?? eventId}`;

const steps = fc.array(fc.oneof(fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 0, max: 90_000 })), {
  maxLength: 8,
});

test('a team is found by sport and competition, through its next match alone, and only while one is to come', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(anyMatches, steps, async (matches, all) => {
      const { world, search } = worldOf(matches);
      for (const step of [0, ...all]) {
        world.nowMs += step;
        const coming = matches.filter(({ startMs }) => startMs > world.nowMs);
        for (const name of [...NAMES, ...UNFOLDED]) {
          const { teams } = await search.find(namesOf(name).at(-1)!);
          const own = teams.filter((one) => one.name === name);
          const byTeam = Map.groupBy(
            coming.filter(({ homeTeam, awayTeam }) => homeTeam === name || awayTeam === name),
            keyOf,
          );
          const keys = own.map(({ sportKey, competition, next }) => keyOf({ ...next, sportKey, competition }));
          expect(keys.sort()).toEqual([...byTeam.keys()].sort());
          for (const { sportKey, competition, next, matches: count } of own) {
            found++;
            const expected = byTeam.get(keyOf({ ...next, sportKey, competition }))!;
            expect([next.eventId, count]).toEqual([expected[0]!.eventId, expected.length]);
          }
        }
      }
    }),
    { numRuns: runs(200) },
  );
  expect(found).toBeGreaterThan(100);
});

test('a competition is found with the matches to come alone, and a sport always', async () => {
  await fc.assert(
    fc.asyncProperty(anyMatches, steps, async (matches, all) => {
      const { world, search } = worldOf(matches);
      for (const step of [0, ...all]) {
        world.nowMs += step;
        const coming = matches.filter(({ startMs }) => startMs > world.nowMs);
        const { leagues } = await search.find('first');
        const counts = Map.groupBy(
          coming.filter(({ competition }) => competition === 'First'),
          ({ sportKey }) => sportKey,
        );
        expect(leagues.map(({ sportKey, matches: count }) => [sportKey, count]).sort()).toEqual(
          [...counts].map(([sportKey, own]) => [sportKey, own.length]).sort(),
        );
        const nrl = (await search.find('nrl')).leagues.find(({ competition }) => competition === null)!;
        expect(nrl.matches).toBe(coming.filter(({ sportKey }) => sportKey === 'nrl').length);
      }
    }),
    { numRuns: runs(100) },
  );
});

test('every sport is found by its title and its key; many visitors cost one reading; suggestions are bounded', async () => {
  const many = Array.from({ length: 60 }, (_, i) => ({
    ...{ eventId: `e${i}`, sportKey: 'nrl', competition: `Cup ${i}`, homeTeam: `Cupar ${i}`, awayTeam: 'Storm' },
    ...{ homeNames: [], awayNames: [], startMs: NOW_MS + 1000 + i, books: 1 },
  }));
  const { world, search } = worldOf(many);
  for (const { key, title } of SPORTS)
    for (const text of [title, key])
      expect((await search.find(text)).leagues.map(({ sportKey }) => sportKey)).toContain(key);
  await Promise.all(Array.from({ length: 50 }, (_, i) => search.find(`cup ${i}`)));
  expect(world.reads).toBe(1);
  const found = await search.find('cup');
  expect([found.teams.length, found.moreTeams, found.leagues.length]).toEqual([20, true, 12]);
  const kinds = suggestionsOf(found).map(({ path }) => path.slice(0, 13));
  expect(kinds).toEqual([...Array(5).fill('/sports/match'), ...Array(5).fill('/sports/nrl?c')]);
});

test('a match of a hidden or reference book alone is not found, and such a book is not counted', async () => {
  const h2h = priced('h2h', { home: 1.9, away: 1.95 });
  const hidden = ['betfair_ex_au', 'pinnacle', 'williamhill', 'dafabet'].map((key) =>
    book(key, [h2h], { homeName: 'Secret Sharks' }),
  );
  const seen = pricedMatch([...hidden, book('tab', [h2h], { homeName: 'Brisbane' })], { eventId: 'e1' });
  const unseen = pricedMatch(hidden, { eventId: 'e2', homeTeam: 'Cronulla Sharks' });
  const upcoming = async () => ({ matches: [seen, unseen], readAtMs: NOW_MS, cacheAgeSeconds: null });
  const sports = { upcoming, requireCompetition: async () => {} };
  const matches = await createSearchSource({} as Reads, sports).matches(NOW_MS);
  expect(matches.map(({ eventId, homeNames, books }) => [eventId, homeNames, books])).toEqual([
    ['e1', ['Brisbane'], 1],
  ]);
  expect(JSON.stringify(matches)).not.toMatch(/Sharks/);
});

test('without sports the search finds what else there is and says so, and sports once they are there', async () => {
  const kings = {
    ...{ eventId: 'e1', sportKey: 'nba', competition: null, homeTeam: 'Kings', awayTeam: 'Kings' },
    ...{ homeNames: [], awayNames: [], startMs: NOW_MS + 400_000, books: 1 },
  };
  const { world, search } = worldOf([kings]);
  world.fails = true;
  const without = await search.find('kings');
  expect([without.venues.map(({ name }) => name), without.teams, without.withoutSports]).toEqual([
    ['Kingston'],
    [],
    true,
  ]);
  for (const text of ['kings', 'nowhere'])
    expect(searchMain(text, await search.find(text), NOW_MS).text).toContain('cannot be read just now');
  world.fails = false;
  world.nowMs += 60_000;
  const { teams, withoutSports } = await search.find('kings');
  // A match whose sides have one name is one match.
  expect([teams.map(({ matches }) => matches), withoutSports]).toEqual([[1], false]);
  expect(searchMain('nrl', await search.find('nrl'), NOW_MS).text).toContain('no match to come with prices');
});
