// What a name means by its form, and which names must never be joined.
import fc from 'fast-check';
import { optionsOf } from '../../../../src/domain/sports/identity/like-stored';
import type { ListedEvent } from '../../../../src/domain/sports/identity/listed-event';
import type { Likeness } from '../../../../src/domain/sports/identity/names/likeness';
import { likenessOf } from '../../../../src/domain/sports/identity/names/same-side';
import { namesOf, SEEDED_NAMES } from '../../../../src/domain/sports/identity/names/seeded';
import { sideOf, teamOf } from '../../../../src/domain/sports/identity/team-names';
import { SEED } from '../../../../src/domain/sports/identity/teams/seed';
import { SPORT_KEYS, sportOf } from '../../../../src/domain/sports/sports';
import { atOnce } from '../../../../src/in-parts';
import { runs } from '../../../support/property';
import { createNameStore } from '../../../support/sports/name-store';

const keyOf = (sportKey: string, name: string): string => teamOf(sportKey, name)!.key;
const like = (sportKey: string, a: string, b: string): Likeness =>
  likenessOf(sportKey, sideOf(sportKey, a)!, sideOf(sportKey, b)!, SEEDED_NAMES(sportKey));

test('every sport has names, and no spelling means two teams of it', () => {
  expect(Object.keys(SEED).sort()).toEqual([...SPORT_KEYS].sort());
  for (const [sportKey, { teams, spellings }] of Object.entries(SEED)) {
    expect(new Set(teams.map(({ key }) => key)).size).toBe(teams.length);
    for (const { key, name } of teams) expect([sportKey, keyOf(sportKey, name)]).toEqual([sportKey, key]);
    for (const { spelling, key } of spellings)
      expect([sportKey, spelling, keyOf(sportKey, spelling)]).toEqual([sportKey, spelling, key]);
  }
});

test.each([
  ['mlb', 'New York Yankees', ['NY Yankees', 'NYY Yankees', 'Yankees', 'New York Yankees (G Cole)', 'Yankees Game 2']],
  ['mlb', 'St Louis Cardinals', ['STL Cardinals', 'Saint Louis', 'St.Louis Cardinals']],
  ['wnba', 'Los Angeles Sparks', ['LA Sparks', 'L.A. Sparks', 'Sparks']],
  ['nba', 'Oklahoma City Thunder', ['OKC Thunder', 'Oklahoma City']],
  ['nrl', 'North Queensland Cowboys', ['Nth Queensland', 'Nth Qld Cowboys', 'NQL Cowboys', 'Cowboys']],
  ['afl', 'Greater Western Sydney Giants', ['GWS', 'G.W.S. Giants', 'GW Sydney', 'Giants']],
  ['ncaaf', 'Ohio State Buckeyes', ['Ohio State', 'Ohio St.', 'OHIO STATE']],
  ['ncaaf', 'Texas A&M Aggies', ['Texas A&M', 'Texas AM', 'Texas A and M Aggies']],
  ['ncaaf', 'Miami OH RedHawks', ['Miami (OH)', 'Miami Ohio', 'Miami-OH']],
  ['rugby_union', 'New South Wales Waratahs', ['NSW Waratahs', 'Waratahs']],
  ['soccer_epl', 'Nottingham Forest', ["Nott'm Forest", 'Nottm Forest', 'Nottingham F']],
  ['soccer_epl', 'Manchester United', ['Man Utd', 'Man. Utd.', 'Manchester U', 'Manchester United FC']],
  ['soccer_other', 'Bayern Munich', ['FC Bayern München', 'Bayern Muenchen']],
  ['soccer_other', 'Dynamo Kyiv', ['Dynamo Kiev', 'FC Dynamo Kyiv']],
  ['soccer_other', 'Brondby', ['Brøndby IF', 'Broendby']],
  ['soccer_other', 'Bodo Glimt', ['FK Bodø/Glimt']],
])('%s: %s', (sportKey, name, spellings) => {
  for (const one of spellings) expect([one, keyOf(sportKey, one)]).toEqual([one, keyOf(sportKey, name)]);
});

test('letters that do not decompose are kept', () => {
  expect(keyOf('soccer_other', 'Łódź Đorđe Þór Strauß Ærø Œuvre ħŋı')).toBe('lodz-dorde-thor-strauss-aero-oeuvre-hni');
});

test.each([
  ['afl', ['Sydney', 'GWS', 'Melbourne', 'North Melbourne', 'Adelaide', 'Port Adelaide']],
  ['nrl', ['Sydney', 'South Sydney', 'Sydney Roosters x', 'Brisbane', 'Brisbane Tigers']],
  ['soccer_epl', ['Manchester', 'Man Utd', 'Man City', 'Newcastle', 'Newcastle Jets']],
  [
    'mlb',
    ['NY Yankees', 'NY Mets', 'LA Dodgers', 'LA Angels', 'Chi Cubs', 'Chi White Sox', 'NY', 'Red Sox', 'Sox', 'Reds'],
  ],
  [
    'ncaaf',
    [
      'Ohio',
      'Ohio State',
      'Miami',
      'Miami (OH)',
      'USC',
      'South Carolina',
      'Texas',
      'Texas A&M',
      'Texas Tech',
      'Texas State',
      'Tigers',
    ],
  ],
  [
    'ncaaf',
    [
      'Mississippi',
      'Miss State',
      'Southern Miss',
      'Michigan',
      'Michigan St',
      'C Michigan',
      'Washington',
      'Washington St',
    ],
  ],
  [
    'soccer_other',
    ['Inter', 'AC Milan', 'Inter Miami', 'Inter Miami II', 'Ajax', 'Jong Ajax', 'Dinamo Zagreb', 'Dynamo Kyiv'],
  ],
  ['soccer_other', ['Ireland', 'Northern Ireland', 'Korea Republic', 'Korea DPR', 'Iran', 'Iraq']],
  ['soccer_other', ['Sydney FC', 'Sydney FC (W)', 'Sydney FC U20', 'Sydney FC Reserves']],
])('%s: %j are as many teams', (sportKey, names) => {
  expect(new Set(names.map((name) => keyOf(sportKey, name))).size).toBe(names.length);
});

test.each<[Likeness, string, string]>([
  ['same', 'Carlos Alcaraz', 'Alcaraz, Carlos'],
  ['same', 'Carlos Alcaraz', 'Alcaraz Carlos'],
  ['compatible', 'Carlos Alcaraz', 'C. Alcaraz'],
  ['compatible', 'Alcaraz C.', 'Alcaraz Garfia, Carlos'],
  ['compatible', 'Krawietz/Puetz', 'Tim Pütz / Kevin Krawietz'],
  ['compatible', "Christopher O'Connell", 'O Connell C.'],
  ['compatible', 'Struff JL', 'Jan-Lennard Struff'],
  ['different', 'A. Zverev', 'M. Zverev'],
  ['different', 'Mischa Zverev', 'A. Zverev'],
  ['different', 'Juan Manuel Cerundolo', 'F. Cerundolo'],
  ['different', 'Ymer E.', 'Mikael Ymer'],
  ['different', 'Krawietz/Puetz', 'Kevin Krawietz'],
  ['different', 'Alexander Zverev', 'Alexander Bublik'],
])('%s: %s, %s', (expected, a, b) => {
  expect([like('tennis_atp', a, b), like('tennis_atp', b, a)]).toEqual([expected, expected]);
});

test('Qiang W. is a player, and not a women’s side', () => {
  expect(keyOf('tennis_wta', 'Wang Qiang')).not.toBe(keyOf('tennis_wta', 'Qiang W.'));
  expect(like('tennis_wta', 'Wang Qiang', 'Qiang W.')).toBe('compatible');
});

const START = '2026-11-21T09:00:00.000Z';
const OBSERVED = '2026-11-21T03:00:00.000Z';
const row = (sportKey: string, homeTeam: string, awayTeam: string, over: Partial<ListedEvent> = {}): ListedEvent => ({
  sport: sportOf(sportKey)!,
  sourceId: null,
  homeTeam,
  awayTeam,
  competition: null,
  commenceTime: START,
  homeShare: 0.6,
  h2h: null,
  ...over,
});

test('initials that fit two matches join neither, and a full name joins its own', () => {
  const store = createNameStore();
  const both = store.push(
    'tab',
    [row('tennis_atp', 'J. Smith', 'A. Brown'), row('tennis_atp', 'Jane Smith', 'Anna Brown')],
    OBSERVED,
  );
  expect(new Set(both).size).toBe(2);
  const [vague] = store.push('neds', [row('tennis_atp', 'Smith J.', 'Brown A.')], OBSERVED);
  expect(both).not.toContain(vague);
});

test('a compatible name joins within ten minutes, with prices that agree, and stays when its start moves', () => {
  const store = createNameStore();
  const [first] = store.push('tab', [row('tennis_atp', 'Owen Sarkady', 'Mats Lindqvern')], OBSERVED);
  const push = (book: string, over: Partial<ListedEvent>) =>
    store.push(book, [row('tennis_atp', 'O. Sarkady', 'M. Lindqvern', over)], OBSERVED)[0];
  expect(push('a', { commenceTime: '2026-11-21T09:11:00.000Z' })).not.toBe(first);
  expect(push('b', { homeShare: 0.35 })).not.toBe(first);
  const third = createNameStore();
  const [known] = third.push('tab', [row('tennis_atp', 'Owen Sarkady', 'Mats Lindqvern')], OBSERVED);
  const later = row('tennis_atp', 'Lindqvern M.', 'Sarkady O.', { homeShare: 0.4, sourceId: 'n-1' });
  expect(third.push('neds', [later], OBSERVED)).toEqual([known]);
  expect(third.push('neds', [{ ...later, commenceTime: '2026-11-21T12:00:00.000Z' }], OBSERVED)).toEqual([known]);
});

test('an operator’s alias wins over the seed, and two rejected names are never compared', () => {
  const table = { ...SEED.nrl!, spellings: [...SEED.nrl!.spellings, { spelling: 'souths', key: 'sydney-roosters' }] };
  expect(teamOf('nrl', 'Souths', null, namesOf({ nrl: table }))).toMatchObject({ key: 'sydney-roosters' });
  const apart = namesOf({ tennis_atp: { teams: [], spellings: [], apart: [['c-alcaraz', 'carlos-alcaraz']] } });
  const near = {
    eventId: 'e',
    sportKey: 'tennis_atp',
    homeKey: 'carlos-alcaraz',
    awayKey: 'jannik-sinner',
    commenceTime: START,
    listings: [{ home: 'Carlos Alcaraz', away: 'Jannik Sinner', competition: null }],
    own: null,
  };
  const rows = [row('tennis_atp', 'C. Alcaraz', 'Jannik Sinner')];
  expect(atOnce(optionsOf(rows, [0], [near], apart))).toEqual([]);
  expect(atOnce(optionsOf(rows, [0], [near], SEEDED_NAMES))).toHaveLength(1);
});

/** Random changes that books make to a name. */
const SHAPES: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.split(' ')[0]!,
  (name) => name.split(' ').at(-1)!,
  (name) => name.split(' ').slice(0, -1).join(' ') || name,
  (name) =>
    name
      .split(' ')
      .map((word, i, all) => (i < all.length - 1 ? word[0]! : word))
      .join(' '),
  (name) =>
    name
      .split(' ')
      .map((word, i) => (i === 0 ? word.slice(0, 3) : word))
      .join(' '),
  (name) => name.split(' ').toReversed().join(', '),
];

test('for all teams of a sport that start in one hour, no two true matches become one, however books write them', () => {
  const sport = fc.constantFrom(...SPORT_KEYS);
  const draws = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.double({ min: 0.1, max: 0.9, noNaN: true })), {
    minLength: 2,
    maxLength: 12,
  });
  const books = fc.array(fc.array(fc.nat(), { minLength: 24, maxLength: 24 }), { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(sport, draws, books, (sportKey, drawn, shapes) => {
      const left = SEED[sportKey]!.teams.map(({ name }) => name);
      const matches = drawn.flatMap(([a, b, share]) => {
        if (left.length < 2) return [];
        const [home] = left.splice(a % left.length, 1);
        const [away] = left.splice(b % left.length, 1);
        return [{ home: home!, away: away!, share }];
      });
      const store = createNameStore();
      const became = new Map<string, number>();
      for (const [b, shape] of shapes.entries()) {
        const rows = matches.map(({ home, away, share }, i) => {
          const [one, other] = [
            SHAPES[shape[2 * i]! % SHAPES.length]!(home),
            SHAPES[shape[2 * i + 1]! % SHAPES.length]!(away),
          ];
          return row(sportKey, one, other, { homeShare: share });
        });
        for (const [i, id] of store.push(`book-${b}`, rows, OBSERVED).entries()) {
          if (!id.includes('-')) continue;
          expect([sportKey, rows[i], matches[became.get(id) ?? i]]).toEqual([sportKey, rows[i], matches[i]]);
          became.set(id, i);
        }
      }
    }),
    { numRuns: runs(800) },
  );
});

test('a remembered name has its first meaning, whatever was read before it', () => {
  const sport = fc.constantFrom('nrl', 'mlb', 'soccer_epl', 'tennis_atp');
  const known = Object.values(SEED).flatMap(({ teams }) => teams.slice(0, 2).map(({ name }) => name));
  // Texts of which one is the beginning of another, and names that the tables do not contain.
  const part = fc.constantFrom('', ' ', '\n', '2', '12 ', 'null', 'undefined', 'Women', 'U20', 'Зенит', ...known);
  const text = fc.array(part, { maxLength: 3 }).map((parts) => parts.join(''));
  const read = fc.tuple(sport, text, fc.option(text));
  const names = namesOf(SEED);
  fc.assert(
    fc.property(fc.array(read, { minLength: 1, maxLength: 12 }), (reads) => {
      for (const [sportKey, name, competition] of reads) {
        const afresh = teamOf(sportKey, name, competition, (key) => ({ ...names(key) }));
        expect(teamOf(sportKey, name, competition, names)).toEqual(afresh);
      }
    }),
    { numRuns: runs(300) },
  );
});
