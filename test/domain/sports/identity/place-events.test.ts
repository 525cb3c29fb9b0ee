// One id per match from every book; two matches never share one.
import fc from 'fast-check';
import type { ListedEvent, StoredEvent } from '../../../../src/domain/sports/identity/listed-event';
import { MOST_OF_PAIR, placeEvents } from '../../../../src/domain/sports/identity/place-events';
import type { Placed } from '../../../../src/domain/sports/identity/placed';
import { teamOf } from '../../../../src/domain/sports/identity/team-names';
import { SEED } from '../../../../src/domain/sports/identity/teams/seed';
import { teamSpellings } from '../../../../src/domain/sports/identity/teams/team-spellings';
import { sportOf } from '../../../../src/domain/sports/sports';
import { atOnce } from '../../../../src/in-parts';

const at = (hours: number): string =>
  new Date(Date.parse('2026-11-21T00:00:00.000Z') + hours * 3_600_000).toISOString();

const row = (sportKey: string, homeTeam: string, awayTeam: string, hours = 9, over: Partial<ListedEvent> = {}) => ({
  sport: sportOf(sportKey)!,
  sourceId: null,
  homeTeam,
  awayTeam,
  competition: null,
  commenceTime: at(hours),
  homeShare: null,
  h2h: null,
  ...over,
});

/** Before every start. */
const OBSERVED = at(-1);
const placed = (rows: readonly ListedEvent[], stored: readonly StoredEvent[], observedAt = OBSERVED) =>
  atOnce(placeEvents(rows, stored, observedAt));
const verdicts = (rows: readonly ListedEvent[], stored: readonly StoredEvent[], observedAt = OBSERVED) =>
  placed(rows, stored, observedAt).map((found) => (found.kind === 'refused' ? found.reason : found.kind));

/** The stored matches after these rows, with the pushing book's source ids. */
function saved(rows: readonly ListedEvent[], before: readonly StoredEvent[] = []): StoredEvent[] {
  const created = placed(rows, before).flatMap((one, i): StoredEvent[] => {
    if (one.kind !== 'new') return [];
    const { eventId, canonicalId, home, away } = one.event;
    const { sport, commenceTime, sourceId, competition, homeShare } = rows[i]!;
    return [
      {
        eventId,
        canonicalId,
        sportKey: sport.key,
        homeKey: home.key,
        awayKey: away.key,
        commenceTime,
        sourceId,
        isOwn: true,
        ownShare: homeShare,
        ownH2h: null,
        isRuledOwn: false,
        isRuled: false,
        partedIds: [],
        listedStarts: [commenceTime],
        competitions: competition === null ? [] : [competition],
        homeShare,
        pricedBy: homeShare === null ? 0 : 1,
      },
    ];
  });
  return [...before, ...created];
}

const one = (rows: readonly ListedEvent[], stored: readonly StoredEvent[]): Placed => placed(rows, stored)[0]!;
const BRONCOS_STORM = saved([row('nrl', 'Brisbane Broncos', 'Melbourne Storm')]);

test('the id derives from sport, teams and the Sydney day, and never changes', () => {
  expect(BRONCOS_STORM).toMatchObject([
    { canonicalId: 'nrl:brisbane-broncos:melbourne-storm:2026-11-21', eventId: '4be4a572-bca6-5a79-b1a6-c1b5b130df91' },
  ]);
  expect(saved([row('nrl', 'Brisbane Broncos', 'Melbourne Storm', 14)])[0]!.canonicalId).toMatch(/2026-11-22$/);
});

test.each([
  ['Broncos', 'Storm', false],
  ['BRISBANE', 'Melbourne Storm', false],
  ['Melbourne', 'Brisbane Broncos', true],
])('%s v %s is the same match, turned round: %s', (home, away, swapped) => {
  const [stored] = BRONCOS_STORM;
  expect(one([row('nrl', home, away, 9.1)], BRONCOS_STORM)).toEqual({
    kind: 'known',
    eventId: stored!.eventId,
    swapped,
    because: 'unnamed',
    apartMs: expect.any(Number),
  });
});

test.each([
  ['another sport', row('nrlw', 'Broncos', 'Storm')],
  ['another team', row('nrl', 'Broncos', 'Melbourne')],
  ['another day', row('nrl', 'Broncos', 'Storm', 33)],
])('%s is another match', (what, listed) => {
  const isNew = one([listed], BRONCOS_STORM).kind === 'new';
  expect(isNew).toBe(what !== 'another team');
});

test('women’s, youth and men’s teams with one name never share a match', () => {
  const men = saved([row('soccer_other', 'Sydney FC', 'Perth Glory')]);
  for (const listed of [
    row('soccer_other', 'Sydney FC (W)', 'Perth Glory (W)'),
    row('soccer_other', 'Sydney FC', 'Perth Glory', 9, { competition: 'A-League Women' }),
    row('soccer_other', 'Sydney FC U21', 'Perth Glory U21'),
    row('soccer_other', 'Sydney FC', 'Perth Glory', 9, { competition: 'Under 21s' }),
  ])
    expect(one([listed], men).kind).toBe('new');
  const women = saved([row('soccer_other', 'Sydney FC Women', 'Perth Glory Women')]);
  expect(one([row('soccer_other', 'Sydney', 'Perth Glory', 9, { competition: 'Women' })], women).kind).toBe('known');
});

test('a postponed match stays the same with the book’s own id, and is new without it', () => {
  const stored = saved([row('nrl', 'Broncos', 'Storm', 9, { sourceId: 'b-1' })]);
  const later = row('nrl', 'Broncos', 'Storm', 57, { sourceId: 'b-1' });
  expect(one([later], stored)).toMatchObject({ kind: 'known', eventId: stored[0]!.eventId });
  expect(one([{ ...later, sourceId: null }], stored)).toMatchObject({ kind: 'new' });
  expect(one([row('nrl', 'Broncos', 'Titans', 57, { sourceId: 'b-1' })], stored)).toMatchObject({ kind: 'new' });
});

test('a start that another book moved is followed; of two equally near matches the one that the book lists wins', () => {
  const [stored] = BRONCOS_STORM;
  const moved = { ...stored!, isOwn: false, listedStarts: [at(9), at(57)] };
  const later = row('nrl', 'Broncos', 'Storm', 57);
  expect(one([later], [moved])).toMatchObject({ kind: 'known', eventId: stored!.eventId });
  const twice = { ...moved, eventId: 'twice', canonicalId: 'twice' };
  expect(one([later], [moved, twice])).toMatchObject({ kind: 'refused', reason: 'ambiguous_event' });
  expect(one([later], [moved, { ...twice, isOwn: true }])).toMatchObject({ kind: 'known', eventId: 'twice' });
});

test('two games of a double-header are two matches, in any order of listing', () => {
  const MLB = { competition: 'MLB' };
  const games = [17, 21].map((hours) => row('mlb', 'Boston Red Sox', 'Chicago Cubs', hours, MLB));
  const stored = saved(games);
  expect(stored.map(({ canonicalId }) => canonicalId)).toEqual([
    'mlb:boston-red-sox:chicago-cubs:2026-11-22',
    'mlb:boston-red-sox:chicago-cubs:2026-11-22:2',
  ]);
  const other = [
    row('mlb', 'Chicago Cubs', 'Boston Red Sox', 21.1, MLB),
    row('mlb', 'Boston Red Sox', 'Chicago Cubs', 17.2, { competition: 'Major League Baseball' }),
  ];
  expect(placed(other, stored)).toMatchObject([
    { kind: 'known', eventId: stored[1]!.eventId },
    { kind: 'known', eventId: stored[0]!.eventId },
  ]);
});

test('among equally near matches the one that the book lists wins, else the only one that any book lists', () => {
  const game = (hours: number) => row('mlb', 'Boston Red Sox', 'Chicago Cubs', hours, { competition: 'MLB' });
  const stored = saved([game(17), game(21)]);
  const among = (...listed: readonly Partial<StoredEvent>[]) =>
    one(
      [game(19)],
      stored.map((each, i) => ({ ...each, ...listed[i] })),
    );
  const [first, second] = stored.map(({ eventId }) => expect.objectContaining({ kind: 'known', eventId }));
  const refused = expect.objectContaining({ kind: 'refused', reason: 'ambiguous_event' });
  expect(among({ isOwn: false }, {})).toEqual(second);
  expect(among({ isOwn: false }, { isOwn: false, listedStarts: [] })).toEqual(first);
  expect(among({ isOwn: false }, { isOwn: false })).toEqual(refused);
  expect(among({}, {})).toEqual(refused);
});

test('rows with their own ids are two matches, in any order of listing', () => {
  const game = (hours: number, sourceId: string | null, competition: string | null = 'MLB') =>
    row('mlb', 'Boston Red Sox', 'Chicago Cubs', hours, { sourceId, competition });
  const first = game(17, 'g1');
  const second = game(17.5, 'g2');
  expect(verdicts([first, second], [])).toEqual(['new', 'new']);
  const stored = saved([first, second]);
  expect(stored.map(({ canonicalId }) => canonicalId.slice(-2))).toEqual(['22', ':2']);
  expect(verdicts([second, first], stored)).toEqual(['known', 'known']);
  // Without an id, a row beside one of them in the same competition is that one again; a row of another book may be
  // either.
  expect(verdicts([game(17.2, null), first], saved([first]))).toEqual(['repeated', 'known']);
  const ofAnotherBook = stored.map((each) => ({ ...each, isOwn: false, sourceId: null }));
  expect(verdicts([game(17.25, 'x1')], ofAnotherBook)).toEqual(['ambiguous_event']);
});

test('two rows that fit one match equally well are both refused, and each gets its own if there are two', () => {
  const both = [
    row('nrl', 'Broncos', 'Storm', 9, { sourceId: 'a' }),
    row('nrl', 'Broncos', 'Storm', 9.1, { sourceId: 'b' }),
  ];
  expect(verdicts(both, BRONCOS_STORM)).toEqual(['ambiguous_event', 'ambiguous_event']);
  const two = saved(both).map((each) => ({ ...each, sourceId: null, isOwn: false }));
  expect(placed(both, two)).toMatchObject(two.map(({ eventId }) => ({ kind: 'known', eventId })));
});

test('a match that has started is not created, and a match that is long past gets its id but no row', () => {
  const listed = row('nrl', 'Broncos', 'Storm', 9, { sourceId: 'b-1' });
  const stored = saved([listed]);
  expect(verdicts([listed], [], at(9))).toEqual(['started']);
  expect(verdicts([listed], stored, at(9))).toEqual(['known']);
  expect(verdicts([listed], stored, at(9 + 30 * 24))).toEqual(['started']);
  const long = [{ ...stored[0]!, commenceTime: at(9 - 31 * 24) }];
  expect(saved([listed], long)[1]!.canonicalId).toBe('nrl:brisbane-broncos:melbourne-storm:2026-11-21:2');
});

test('a row that names no match is refused', () => {
  const rows = [
    row('nrl', 'Broncos', 'Brisbane'),
    row('nrl', '!?', 'Storm'),
    row('nrl', 'Eels', 'Storm'),
    row('nrl', 'Storm', 'Parramatta', 9.1),
  ];
  expect(verdicts(rows, [])).toEqual(['same_team', 'unreadable_team', 'new', 'repeated']);
  for (const name of ['Динамо 2', '日本 U23', 'Ωmega 9']) expect(teamOf('soccer_other', name)).toBeNull();
  expect(teamOf('soccer_other', 'Atlético Ñuñoa')!.key).toBe('atletico-nunoa');
  expect(teamOf('rugby_union', 'Hawaiʻi')).not.toBeNull();
});

test('no spelling of the table means two teams of its league', () => {
  for (const [sportKey, teams] of Object.keys(SEED).map((key) => [key, teamSpellings(key)] as const))
    for (const spellings of teams)
      for (const spelling of spellings) expect(teamOf(sportKey, spelling)!.name).toBe(spellings[0]);
  expect(teamOf('tennis_atp', 'Alcaraz, Carlos')).toMatchObject({ key: 'carlos-alcaraz' });
  expect(teamOf('soccer_epl', 'Wolves')).toEqual({ key: 'wolverhampton-wanderers', name: 'Wolverhampton Wanderers' });
});

test('whatever a book lists, no two of its rows become one match, and the same list again finds the same ones', () => {
  const teams = ['Broncos', 'Storm', 'Eels', 'Melbourne Storm', 'Boston Red Sox', 'Cubs'];
  const anyRow = fc
    .tuple(
      fc.constantFrom('nrl', 'mlb', 'soccer_other'),
      fc.constantFrom(...teams),
      fc.constantFrom(...teams),
      fc.integer({ min: 0, max: 40 }),
    )
    .map(([sport, home, away, hours]) => row(sport as string, home as string, away as string, hours as number));
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 12 }), fc.array(anyRow, { maxLength: 12 }), (first, second) => {
      const stored = saved(second, saved(first));
      expect(new Set(stored.map(({ eventId }) => eventId)).size).toBe(stored.length);
      const found = placed(first, stored);
      const known = found.flatMap((each) => (each.kind === 'known' ? [each.eventId] : []));
      expect(new Set(known).size).toBe(known.length);
      expect(found.some(({ kind }) => kind === 'new')).toBe(false);
    }),
  );
});

test('beyond the limit of a pair the rows of matches that the book lists are placed, by id or by start', () => {
  const ofId = row('nrl', 'Brisbane Broncos', 'Melbourne Storm', 9, { sourceId: 'served' });
  const ofStart = row('nrl', 'Melbourne Storm', 'Brisbane Broncos', 300);
  const stored = saved([ofStart], saved([ofId]));
  const surplus = Array.from({ length: 3 * MOST_OF_PAIR }, (_, i) => ({ ...ofId, sourceId: `id ${i}` }));
  const found = placed([...surplus, ofStart, ofId], stored);
  const known = found.slice(-2).map((one) => one.kind === 'known' && one.eventId);
  expect(known).toEqual([stored[1]!.eventId, stored[0]!.eventId]);
  expect(found.filter(({ kind }) => kind !== 'refused').length).toBeLessThanOrEqual(MOST_OF_PAIR);
});
