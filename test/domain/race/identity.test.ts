// D17: one id per race, from every book and after every restart; two races never share one.
import fc from 'fast-check';
import type { BookListing, ListedRace } from '../../../src/domain/race/feed-race';
import { type JoinCandidate, joinListing, placeRace, raceIdOf } from '../../../src/domain/race/identity';
import type { RaceIdentity } from '../../../src/domain/race/race';
import { listedRace } from '../../support/races/builders';

const IDENTITY: RaceIdentity = {
  meetingDate: '2026-11-21',
  category: 'horse',
  venueId: 'flemington',
  raceNumber: 4,
  card: 1,
};

const at = (time: string): string => `2026-11-21T${time}:00.000Z`;
const dog = (time: string, over: Partial<ListedRace> = {}) =>
  listedRace({ category: 'greyhound', venue: 'Ballarat', startTime: at(time), ...over });

/** The stored races after these were placed and saved one after another. */
function saved(list: readonly ListedRace[], before: readonly JoinCandidate[] = []): JoinCandidate[] {
  const stored = [...before];
  for (const listed of list) {
    const placement = placeRace(listed, stored, list);
    if (placement.kind !== 'new') continue;
    const { identity } = placement;
    stored.push({ raceId: raceIdOf(identity), identity, startTime: listed.startTime });
  }
  return stored;
}

const cards = (stored: readonly JoinCandidate[]) => stored.map((c) => [c.identity.card, c.startTime.slice(11, 16)]);

describe('raceIdOf', () => {
  test('is a version 5 UUID that never changes', () => {
    expect(raceIdOf(IDENTITY)).toBe('817e8f54-6fe2-5ff0-b92c-e3569edac855');
    expect(raceIdOf(IDENTITY)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test.each<Partial<RaceIdentity>>([
    { meetingDate: '2026-11-22' },
    { category: 'harness' },
    { venueId: 'caulfield' },
    { raceNumber: 5 },
    { card: 2 },
  ])('D17: another race with %p', (change) => {
    expect(raceIdOf({ ...IDENTITY, ...change })).not.toBe(raceIdOf(IDENTITY));
  });
});

describe('placeRace', () => {
  test('a race without an earlier listing is new, on card 1', () => {
    expect(placeRace(dog('03:00'), [])).toMatchObject({
      kind: 'new',
      identity: { meetingDate: '2026-11-21', category: 'greyhound', venueId: 'ballarat', raceNumber: 1, card: 1 },
      venue: { venueCanonical: 'Ballarat' },
    });
  });

  test.each([
    ['03:30', 'known'],
    ['02:30', 'known'],
    ['03:31', 'ambiguous'],
    ['02:29', 'ambiguous'],
  ])('D17: joined within 30 minutes of 03:00, refused beyond: %s is %s', (time, kind) => {
    expect(placeRace(dog(time), saved([dog('03:00')])).kind).toBe(kind);
  });

  test('a start time outranks the day that a book gives', () => {
    const stored = saved([dog('13:30')]);
    expect(placeRace(dog('13:35', { meetingDate: '2026-11-22' }), stored)).toMatchObject({
      kind: 'known',
      raceId: stored[0]!.raceId,
    });
  });

  test.each<Partial<ListedRace>>([{ raceNumber: 2 }, { category: 'harness' }, { venue: 'Bendigo' }])(
    'another race at the same time with %p is not joined',
    (other) => expect(placeRace(dog('03:00', other), saved([dog('03:00')])).kind).toBe('new'),
  );
});

describe('other stored or listed races', () => {
  const other: readonly Partial<ListedRace>[] = [
    { meetingDate: '2026-11-20' },
    { category: 'harness' },
    { raceNumber: 2 },
    { venue: 'Bendigo' },
  ];

  test.each(other)('an earlier row of the list with %p is not another card', (over) => {
    const row = dog('09:00', { sourceRaceId: 'a' });
    const list = [row, dog('03:00', { ...over, sourceRaceId: 'b' })];
    expect(placeRace(row, [], list)).toMatchObject({ kind: 'new', identity: { card: 1 } });
  });

  test.each(other)('a stored race with %p, hours away, does not clash', (over) => {
    expect(placeRace(dog('09:00'), saved([dog('03:00', over)]))).toMatchObject({ kind: 'new', identity: { card: 1 } });
  });

  test('a row between two stored races is ambiguous, with both', () => {
    const stored = saved([dog('03:00', { sourceRaceId: 'a' }), dog('03:20', { sourceRaceId: 'b' })]);
    expect(placeRace(dog('03:10'), stored)).toMatchObject({ kind: 'ambiguous', candidates: stored });
  });
});

describe('joinListing', () => {
  const stored = saved([dog('03:00'), dog('03:15', { raceNumber: 2 })]);
  const row = (over: Partial<BookListing>): BookListing => ({ ...dog('03:00'), raceNumber: null, ...over });

  test.each([
    ['2026-11-21T02:58:00.000Z', 0],
    ['2026-11-21T03:02:00.000Z', 0],
    ['2026-11-21T03:02:00.001Z', null],
    ['2026-11-21T02:57:59.999Z', null],
    ['2026-11-21T03:13:00.000Z', 1],
  ])('D17: a row without a number joins the start within two minutes of its own: %s', (startTime, joined) => {
    const found = joinListing(row({ startTime }), stored);
    expect(found).toEqual(
      joined === null ? null : expect.objectContaining({ kind: 'known', raceId: stored[joined]!.raceId }),
    );
  });

  test('a row without a start joins by its number, at any time', () => {
    const found = joinListing(row({ startTime: null, raceNumber: 2 }), stored);
    expect(found).toMatchObject({ kind: 'known', raceId: stored[1]!.raceId, identity: stored[1]!.identity });
  });

  test.each<Partial<BookListing>>([
    { startTime: null, raceNumber: null },
    { startTime: null, raceNumber: 3 },
    { raceNumber: 2 },
    { meetingDate: '2026-11-22' },
    { category: 'harness' },
    { venue: 'Bendigo' },
  ])('a row with %p is not a listed race, and never creates one', (over) => {
    expect(joinListing(row(over), stored)).toBeNull();
  });

  test('two cards with that number are ambiguous, with both', () => {
    const cards = saved([dog('03:00'), dog('09:00', { venue: 'BALLARAT EXTRA' })]);
    expect(joinListing(row({ startTime: null, raceNumber: 1 }), cards)).toMatchObject({
      kind: 'ambiguous',
      candidates: cards,
    });
  });
});

describe('two cards at one track (D17)', () => {
  const day = dog('03:00');
  const evening = dog('09:00', { venue: 'BALLARAT EXTRA' });
  const unmarked = dog('09:00');

  test('the list marks the second card', () => {
    expect(cards(saved([day, evening]))).toEqual([
      [1, '03:00'],
      [2, '09:00'],
    ]);
  });

  test('the same book lists the number twice without a mark: by start, whatever the order of its list', () => {
    const expected = saved([day, unmarked]).map((c) => c.raceId);
    expect(saved([unmarked, day]).map((c) => c.raceId)).toEqual([...expected].reverse());
  });

  test('without a mark and without both in the list it is ambiguous, with the possible races', () => {
    const stored = saved([day]);
    expect(placeRace(unmarked, stored)).toMatchObject({ kind: 'ambiguous', candidates: stored });
  });

  test('if one book marks and another does not, both derive the same two races', () => {
    expect(saved([day, evening])).toEqual(saved([day, unmarked]));
    expect(saved([day, unmarked], saved([day, evening]))).toHaveLength(2);
  });

  test('a second card first seen alone under its mark leaves card 1 to the other', () => {
    expect(cards(saved([day], saved([evening])))).toEqual([
      [2, '09:00'],
      [1, '03:00'],
    ]);
  });

  test('a marked row alone is the second card, whatever happened to the first', () => {
    expect(placeRace(evening, saved([day]), [evening])).toMatchObject({ kind: 'new', identity: { card: 2 } });
  });

  test('two unmarked rows and a stored second card that is neither of them are refused', () => {
    const list = [dog('01:00', { sourceRaceId: 'a' }), dog('12:00', { sourceRaceId: 'b' })];
    expect(placeRace(list[0]!, saved([evening]), list).kind).toBe('ambiguous');
    expect(placeRace(list[0]!, saved([evening]), [list[0]!])).toMatchObject({ kind: 'new', identity: { card: 1 } });
  });

  test('a marked card that clashes with a stored second card is refused', () => {
    const stored = saved([day, evening]);
    expect(placeRace(dog('11:00', { venue: 'Ballarat Extra' }), stored).kind).toBe('ambiguous');
  });

  test('two cards a quarter of an hour apart: each joins the nearer', () => {
    const list = [dog('03:00'), dog('03:15')];
    const stored = saved(list);
    expect(cards(stored)).toEqual([
      [1, '03:00'],
      [2, '03:15'],
    ]);
    expect(list.map((row) => placeRace(row, stored, list))).toMatchObject(stored.map(({ raceId }) => ({ raceId })));
  });

  test('a row that repeats another row’s start is refused, because no track starts two races at once', () => {
    const list = [dog('03:00', { sourceRaceId: 'a' }), dog('03:00', { sourceRaceId: 'b' })];
    expect(list.map((row) => placeRace(row, [], list).kind)).toEqual(['new', 'ambiguous']);
  });

  test('a stored race missing from the list may be one of its rows with a moved start: refused', () => {
    const list = [dog('03:00'), dog('09:00')];
    expect(placeRace(list[0]!, saved([dog('05:00')]), list).kind).toBe('ambiguous');
  });
});

describe('properties', () => {
  const minutes = fc.integer({ min: 0, max: 1_000 });
  const iso = (minute: number) => new Date(Date.parse(at('00:00')) + minute * 60_000).toISOString();
  const list = fc
    .array(fc.tuple(minutes, fc.boolean()), { minLength: 1, maxLength: 5 })
    .map((rows) =>
      rows.map(([minute, marked], i) =>
        dog('00:00', { sourceRaceId: `r${i}`, startTime: iso(minute), venue: marked ? 'Ballarat Extra' : 'Ballarat' }),
      ),
    );

  test('no list ever gives two of its rows one id', () => {
    fc.assert(
      fc.property(list, list, (first, second) => {
        const ids = saved(second, saved(first)).map((c) => c.raceId);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  test('placing a whole list at once gives the same ids as placing it row by row', () => {
    fc.assert(
      fc.property(list, (rows) => {
        const atOnce = rows.flatMap((row) => {
          const placement = placeRace(row, [], rows);
          return placement.kind === 'new' ? [raceIdOf(placement.identity)] : [];
        });
        expect([...atOnce].sort()).toEqual(
          saved(rows)
            .map((c) => c.raceId)
            .sort(),
        );
      }),
    );
  });

  test('no stored race is ever given to two rows of one list', () => {
    fc.assert(
      fc.property(list, list, (first, second) => {
        const stored = saved(first);
        const joined = second.flatMap((row) => {
          const placement = placeRace(row, stored, second);
          return placement.kind === 'known' ? [placement.raceId] : [];
        });
        expect(new Set(joined).size).toBe(joined.length);
      }),
    );
  });

  test('a restart creates no ids: placing a list again finds only stored races', () => {
    const apart = fc
      .uniqueArray(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 4 })
      .map((hours) => hours.map((hour, i) => dog('00:00', { sourceRaceId: `r${i}`, startTime: iso(hour * 45) })));
    fc.assert(fc.property(apart, (rows) => saved(rows, saved(rows)).length === rows.length));
  });

  test('two books with starts a few minutes apart derive the same ids, in either order', () => {
    const book = fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 3 });
    const drift = fc.array(fc.integer({ min: -10, max: 10 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(book, drift, (hours, late) => {
        const rows = (name: string, shift: readonly number[]) =>
          hours.map((hour, i) =>
            dog('00:00', { sourceRaceId: `${name}${i}`, startTime: iso(120 + hour * 90 + shift[i]!) }),
          );
        const a = rows('a', [0, 0, 0]);
        const b = rows('b', late);
        const ids = (stored: readonly JoinCandidate[]) => stored.map((c) => c.raceId).sort();
        expect(ids(saved(b, saved(a)))).toEqual(ids(saved(a)));
        expect(ids(saved(a))).toEqual(ids(saved(b)));
      }),
    );
  });
});
