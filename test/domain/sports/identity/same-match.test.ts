// Two different matches are never joined (D66): clubs have women's, youth and reserve sides with one name, which play
// on the same day.
import fc from 'fast-check';
import { competitionOf, relationOf } from '../../../../src/domain/sports/identity/competitions';
import { COMPETITIONS } from '../../../../src/domain/sports/identity/competitions.data';
import type { ListedEvent } from '../../../../src/domain/sports/identity/listed-event';
import { homeShareOf } from '../../../../src/domain/sports/identity/same-match';
import { sportOf } from '../../../../src/domain/sports/sports';
import { runs } from '../../../support/property';
import { openMatches as openMatchesAt } from '../../../support/sports/open-matches';

const HOUR_MS = 3_600_000;
const DAY_MS = Date.parse('2026-11-21T00:00:00.000Z');
const at = (hours: number): string => new Date(DAY_MS + hours * HOUR_MS).toISOString();

type Over = Partial<Omit<ListedEvent, 'sport' | 'commenceTime'>>;
const row = (sportKey: string, hours: number, over: Over = {}): ListedEvent => ({
  sport: sportOf(sportKey)!,
  sourceId: null,
  homeTeam: 'Brisbane Broncos',
  awayTeam: 'Sydney Roosters',
  competition: null,
  homeShare: null,
  h2h: null,
  commenceTime: at(hours),
  ...over,
});

/** The pushes of books, an hour before the first start unless a test is about time. */
function openMatches() {
  const { push, ...rest } = openMatchesAt();
  return {
    ...rest,
    push: (book: string, rows: readonly ListedEvent[], observedAt = at(-1)) => push(book, rows, observedAt),
  };
}

/** Whether two books' rows become one match. */
function areOne(first: ListedEvent, second: ListedEvent): boolean {
  const { push } = openMatches();
  return push('tab', [first])[0] === push('sportsbet', [second])[0];
}

test.each([
  ['nrl', ['NRLW', 8], ['NRL', 10]],
  ['nrl', ['NRLW', 8], ['NRL', 8]],
  ['nrl', ['NSW Cup', 7.4], ['NRL', 10]],
  ['afl', ['AFLW', 5], ['AFL', 10]],
  ['afl', ['VFL', 3], ['AFL', 10]],
  ['nhl', ['NHL Split Squad', 3], ['NHL', 9]],
  ['nhl', ['NHL Preseason', 3], ['NHL', 3]],
  ['basketball_other', ['KBSL', 8], ['BSL', 9.5]],
  ['soccer_other', ['WSL', 8], ['Club Friendly', 9.75]],
  ['soccer_other', ['Esoccer Battle', 8], ['Club Friendly', 8]],
  ['cricket_other', ['WBBL', 8], ['BBL', 8]],
  // Names that women and men share: names known to the sport, and names in no table.
  ['nrl', ['Rugby League', 8], ['Rugby League', 10]],
  ['nrl', ['Pacific Cup', 8], ['Pacific Cup', 10]],
  ['afl', ['Australian Rules', 5], ['AFL', 10]],
] as const)('%s: %j and %j of the same clubs are two matches, in either order', (sport, one, other) => {
  const [first, second] = [one, other].map(([competition, hours]) =>
    row(sport, hours, { competition, homeShare: 0.5 }),
  );
  expect(areOne(first!, second!)).toBe(false);
  expect(areOne(second!, first!)).toBe(false);
});

test('one push with both, each with its own id, has two matches', () => {
  const women = row('nrl', 8, { competition: 'NRLW', sourceId: 'n-1' });
  const men = row('nrl', 10, { competition: 'NRL', sourceId: 'n-2' });
  const { push } = openMatches();
  const [ofTab] = push('tab', [row('nrl', 10, { competition: 'NRL Telstra Premiership' })]);
  const [first, second] = push('neds', [women, men]);
  expect(second).toBe(ofTab);
  expect(first).not.toBe(second);
  expect(push('neds', [men, women])).toEqual([second, first]);
});

test('an unnamed competition joins within ten minutes; of two unknown names only with equal sides and agreeing prices', () => {
  const named = (over: Over = {}) => row('rugby_union', 8, { competition: 'Currie Cup', homeShare: 0.7, ...over });
  expect(areOne(named(), row('rugby_union', 8.15))).toBe(true);
  expect(areOne(named(), row('rugby_union', 8.2))).toBe(false);
  const other = (over: Over = {}, hours = 8.1) =>
    row('rugby_union', hours, { competition: 'SA Currie', homeShare: 0.65, ...over });
  expect(areOne(named(), other())).toBe(true);
  expect(areOne(named(), other({}, 8.2))).toBe(false);
  expect(areOne(named(), other({ homeShare: null }))).toBe(false);
  expect(areOne(named({ homeShare: null }), other())).toBe(false);
  expect(areOne(named(), other({ homeShare: 0.29 }))).toBe(false);
  expect(areOne(named(), other({ homeTeam: 'Sydney Roosters', awayTeam: 'Brisbane Broncos', homeShare: 0.35 }))).toBe(
    false,
  );
  // A dividing word in both names is not a common word: women's sides of two clubs play in several competitions.
  const women = { homeTeam: 'Brisbane Broncos Women', awayTeam: 'Sydney Roosters Women' };
  expect(areOne(named(women), other(women))).toBe(false);
  expect(areOne(named({ ...women, competition: 'Super W' }), other(women))).toBe(false);
  expect(areOne(named(women), row('rugby_union', 8.15, women))).toBe(true);
  // `Premier League` alone is one competition only in one sport.
  expect(
    areOne(row('soccer_epl', 8, { competition: 'EPL' }), row('soccer_epl', 9, { competition: 'Premier League' })),
  ).toBe(true);
  expect(
    areOne(row('soccer_other', 8, { competition: 'EPL' }), row('soccer_other', 9, { competition: 'Premier League' })),
  ).toBe(false);
});

test('a name unknown to the table joins no other start, even after it has joined a known one', () => {
  const { push } = openMatches();
  const [men] = push('tab', [row('nrl', 10, { competition: 'NRL', homeShare: 0.6 })]);
  const vague = (hours: number) => row('nrl', hours, { competition: 'Telstra Footy', homeShare: 0.6 });
  expect(push('neds', [vague(10)])).toEqual([men]);
  expect(push('betr_au', [vague(8)])).not.toContain(men);
  // It also keeps its match while it has no price.
  expect(push('neds', [{ ...vague(10), homeShare: null }])).toEqual([men]);
  expect(relationOf(competitionOf('nrl', 'Telstra Footy'), competitionOf('nrl', 'telstra footy'))).toBe('alike');
  expect(competitionOf('nrl', 'Rugby League')).toBeNull();
  expect(competitionOf('nrl', 'Womens Rugby League')).toMatchObject({ divisions: ['women'] });
});

describe('split squads and second games', () => {
  const NYR = { homeTeam: 'New York Rangers', awayTeam: 'Boston Bruins', competition: 'NHL Preseason' };
  const BOS = { ...NYR, homeTeam: NYR.awayTeam, awayTeam: NYR.homeTeam };

  test('sides turned round are another match if they start at another time, in one push too', () => {
    expect(areOne(row('nhl', 10, NYR), row('nhl', 4, BOS))).toBe(false);
    expect(areOne(row('nhl', 10, NYR), row('nhl', 10.1, BOS))).toBe(true);
    expect(new Set(openMatches().push('tab', [row('nhl', 10, NYR), row('nhl', 4, BOS)])).size).toBe(2);
  });

  test('with two at one start, each row belongs to the one with its sides', () => {
    const { push } = openMatches();
    const both = [row('nhl', 10, { ...NYR, sourceId: 'a' }), row('nhl', 10, { ...BOS, sourceId: 'b' })];
    const [first, second] = push('tab', both);
    expect(second).not.toBe(first);
    expect(push('neds', [row('nhl', 10.05, BOS)])).toEqual([second]);
    const others = [row('nhl', 10, { ...BOS, sourceId: 'x' }), row('nhl', 10, { ...NYR, sourceId: 'y' })];
    expect(push('betr_au', others)).toEqual([second, first]);
  });

  test('a match that has started takes no row of a later start', () => {
    const { push } = openMatches();
    const [first] = push('tab', [row('nhl', 3, NYR)]);
    const [second] = push('tab', [row('nhl', 9, NYR)], at(5));
    expect(second).toMatch(/-/);
    expect(second).not.toBe(first);
    expect(push('neds', [row('nhl', 9, NYR)], at(5))).toEqual([second]);
  });
});

test('prices that contradict each other by 40 points are not joined, whichever way the sides are listed', () => {
  const { push } = openMatches();
  const tab = row('nrl', 10, { competition: 'NRL', homeShare: homeShareOf({ home: 1.25, draw: null, away: 4 }) });
  for (const book of ['tab', 'unibet']) push(book, [tab]);
  const against = { competition: 'NRL', homeShare: homeShareOf({ home: 4, draw: null, away: 1.25 }) };
  expect(push('neds', [row('nrl', 10, against)])).toEqual(['prices_disagree']);
  const turned = { ...against, homeTeam: 'Sydney Roosters', awayTeam: 'Brisbane Broncos' };
  expect(push('neds', [row('nrl', 10, turned)])).toEqual(push('tab', [tab]));
});

test.each([null, 'n-1'])(
  'a book’s first prices are judged, also after a push without prices, with the id %s',
  (sourceId) => {
    const { push } = openMatches();
    const listed = (homeShare: number | null) => row('nrl', 10, { competition: 'NRL', homeShare, sourceId });
    const [match] = push('tab', [{ ...listed(0.8), sourceId: null }]);
    push('sportsbet', [{ ...listed(0.8), sourceId: null }]);
    expect(push('neds', [listed(null)])).toEqual([match]);
    expect(push('neds', [listed(0.2)])).toEqual(['prices_disagree']);
    expect(push('neds', [listed(0.75)])).toEqual([match]);
    // It is already in the match: `suspect` decides the rest.
    expect(push('neds', [listed(0.2)])).toEqual([match]);
  },
);

test('one book with its sides exchanged, at any position, separates none of fourteen from their one match', () => {
  for (const wrong of Array.from({ length: 15 }).keys()) {
    const { push } = openMatches();
    const pushed = Array.from({ length: 15 }, (_, i) => {
      const homeShare = i === wrong ? 0.2 : 0.8;
      return push(`book-${i}`, [row('nrl', 10, { competition: 'NRL', homeShare })])[0]!;
    });
    const right = new Set(pushed.filter((_, i) => i !== wrong));
    expect([wrong, right.size, [...right][0]]).toEqual([wrong, 1, expect.stringMatching(/^[0-9a-f]+-/)]);
    expect(right).not.toContain(pushed[wrong]);
  }
});

test('a contradicted row is never the second game, even if that agrees', () => {
  const { push } = openMatches();
  const game = (hours: number, homeShare: number) => row('mlb', hours, { competition: 'MLB', homeShare });
  const [first] = push('tab', [game(8, 0.2)]);
  const [second] = push('neds', [game(10.5, 0.8)]);
  const [third] = push('unibet', [game(9, 0.8)]);
  expect(new Set([first, second, third]).size).toBe(3);
});

test('prices that no book could offer say nothing about the sides', () => {
  expect(homeShareOf({ home: 19, draw: null, away: 1.9 })).toBeNull();
  expect(homeShareOf({ home: 1.9, draw: 4, away: 19 })).toBeNull();
  expect(homeShareOf({ home: 1.9, draw: null, away: null })).toBeNull();
  expect(homeShareOf({ home: 1.9, draw: null, away: 1.9 })).toBe(0.5);
});

test.each([
  ['wnba', 'WNBA', 'USA Basketball'],
  ['tennis_wta', 'WTA Sydney', 'Sydney Womens Singles'],
  ['nrlw', 'NRLW', 'Australian Rugby League'],
])('%s: %s and %s are not known to differ, and join within minutes with prices that agree', (sport, first, second) => {
  const of = (competition: string, hours = 8) => row(sport, hours, { competition, homeShare: 0.6 });
  expect(areOne(of(first), of(second, 8.1))).toBe(true);
  expect(areOne(of(first), of(second, 8.5))).toBe(false);
});

test('an id reused for a return match is another match once the first has started', () => {
  const { push } = openMatches();
  const first = row('nrl', 10, { competition: 'NRL', sourceId: 'b-1' });
  const [before] = push('tab', [first]);
  expect(push('tab', [{ ...first, commenceTime: at(30) }])).toEqual([before]);
  push('tab', [first]);
  expect(push('tab', [{ ...first, commenceTime: at(10.5) }], at(10.1))).toEqual([before]);
  push('tab', [first]);
  const [after] = push('tab', [{ ...first, commenceTime: at(14 * 24) }], at(40));
  expect(after).not.toBe(before);
  expect(push('tab', [{ ...first, competition: 'NRLW', commenceTime: at(14 * 24) }], at(40))).not.toContain(after);
});

test('no name in the table means two competitions of its sport', () => {
  for (const [sportKey, known] of Object.entries(COMPETITIONS))
    for (const one of known)
      for (const spelling of one.spellings) expect(competitionOf(sportKey, spelling)).toMatchObject({ key: one.key });
  expect(relationOf(competitionOf('nrl', 'NRL'), competitionOf('nrl', 'nrl premiership'))).toBe('same');
  expect(competitionOf('tennis_atp', 'ATP Masters 1000 Shanghai')!.divisions).toEqual([]);
});

/** Sides of the same two clubs on one day, and the names that books give to their competitions. */
const KINDS = [
  ['NRL', 'NRL Premiership', 'Rugby League', 'Pacific Cup'],
  ['NRLW', 'NRL Womens', 'Rugby League', 'Pacific Cup'],
  ['NSW Cup', 'Rugby League'],
  ['Under 21s'],
  ['NRL Trial Reserves'],
] as const;

test('however books name, spell and order them, two matches of one pair of clubs never become one', () => {
  const match = fc.record({
    kind: fc.constantFrom(...KINDS),
    // No two sides of one pair start within twenty minutes of each other.
    slot: fc.integer({ min: 0, max: 30 }),
    share: fc.double({ min: 0.05, max: 0.95, noNaN: true }),
  });
  const listing = fc.record({
    name: fc.nat(),
    isUnnamed: fc.boolean(),
    hasId: fc.boolean(),
    isListed: fc.boolean(),
    turned: fc.boolean(),
    lateMin: fc.integer({ min: 0, max: 5 }),
    shareOff: fc.double({ min: -0.05, max: 0.05, noNaN: true }),
  });
  const books = fc.array(fc.array(listing, { minLength: 4, maxLength: 4 }), { minLength: 2, maxLength: 5 });
  type Match = { readonly kind: readonly string[]; readonly slot: number };
  const clash = (a: Match, b: Match): boolean => a.slot === b.slot || a.kind === b.kind;
  const distinct = { minLength: 2, maxLength: 4, comparator: clash };
  fc.assert(
    fc.property(fc.uniqueArray(match, distinct), books, (matches, given) => {
      const { push } = openMatches();
      const became = new Map<string, number>();
      for (const round of [0, 1])
        for (const [b, listings] of given.entries()) {
          const rows = matches.flatMap(({ kind, slot, share }, m) => {
            const { name, isUnnamed, hasId, isListed, turned, lateMin, shareOff } = listings[m]!;
            if (!isListed && round === 0) return [];
            const homeShare = share + shareOff;
            const sides = turned
              ? { homeTeam: 'Roosters', awayTeam: 'Broncos', homeShare: 1 - homeShare }
              : { homeTeam: 'Brisbane', awayTeam: 'Sydney Roosters', homeShare };
            // A book that names no competition marks a women's or youth match in the names of its sides, or nowhere.
            const competition = isUnnamed ? null : kind[name % kind.length]!;
            const listed = row('nrl', slot / 2 + lateMin / 60, {
              ...sides,
              competition,
              sourceId: hasId ? `${b}-${m}` : null,
            });
            return [{ m, listed }];
          });
          const ids = push(
            `book-${b}`,
            rows.map(({ listed }) => listed),
          );
          for (const [i, id] of ids.entries()) {
            if (!id.includes('-')) continue;
            expect(became.get(id) ?? rows[i]!.m).toBe(rows[i]!.m);
            became.set(id, rows[i]!.m);
          }
        }
    }),
    { numRuns: runs(1500) },
  );
});
