// Histories of pushes whose truth is known (D66): two matches never share an id, whatever books name, spell, move,
// exchange, reuse and leave out.
import fc from 'fast-check';
import type { ListedEvent } from '../../../../src/domain/sports/identity/listed-event';
import { homeShareOf } from '../../../../src/domain/sports/identity/same-match';
import { sportOf } from '../../../../src/domain/sports/sports';
import { runs } from '../../../support/property';
import { openMatches } from '../../../support/sports/open-matches';

const HOUR = 60;
const DAY = 24 * HOUR;
const at = (minutes: number): string => new Date(Date.parse('2026-11-21T00:00:00Z') + minutes * 60_000).toISOString();

interface Kind {
  readonly sport: string;
  readonly sides: readonly [string, string];
  /** The first is in the table. */
  readonly names: readonly (string | null)[];
}

const LEAGUE = { sport: 'nrl', sides: ['Brisbane Broncos', 'Sydney Roosters'] } as const;
/** Sides of the same two clubs, and their competition. `null` names no competition. */
const KINDS: readonly Kind[] = [
  { ...LEAGUE, names: ['NRL', 'NRL Premiership', 'Rugby League', 'Telstra Footy', null] },
  { ...LEAGUE, names: ['NRLW', 'NRL Womens', 'Rugby League', 'Pacific Cup', null] },
  { ...LEAGUE, names: ['NSW Cup', 'Knock On Effect NSW Cup', null] },
  { ...LEAGUE, names: ['Jersey Flegg', 'Under 21s', null] },
  { ...LEAGUE, names: ['Pacific Cup Reserves', 'NRL Trial Reserves'] },
];
const BASEBALL = {
  sport: 'mlb',
  sides: ['Boston Red Sox', 'Chicago Cubs'],
  names: ['MLB', 'Major League Baseball', null],
} as const;
const SQUADS = { sport: 'nhl', sides: ['New York Rangers', 'Boston Bruins'], names: ['NHL Preseason', null] } as const;
const TURNED = { ...SQUADS, sides: ['Boston Bruins', 'New York Rangers'] } as const;

/**
 * A day at one ground: sides of two clubs, a doubleheader, split squads, and the return match of each after two weeks,
 * all with the same ids.
 */
const FIXTURES: readonly Kind[] = [...KINDS, BASEBALL, BASEBALL, SQUADS, TURNED];
/** Between the starts of two matches, so that neither can move to the other's start. */
const SLOT = 4 * HOUR;
const startOf = (match: number): number =>
  3 * DAY + (match % FIXTURES.length) * SLOT + (match >= FIXTURES.length ? 14 * DAY : 0);

interface Style {
  readonly name: number;
  readonly hasId: boolean;
  readonly isTurned: boolean;
  readonly lateMin: number;
  readonly off: number;
}

const style: fc.Arbitrary<Style> = fc.record({
  name: fc.nat(9),
  hasId: fc.boolean(),
  isTurned: fc.boolean(),
  lateMin: fc.integer({ min: 0, max: 5 }),
  off: fc.integer({ min: -2, max: 2 }),
});
/** No two matches of the fixtures have the same prices: prices identify a match whose start a book moves. */
const homePrice = (match: number, off: number): number => Math.round((1.35 + match * 0.07 + off * 0.01) * 100) / 100;

function rowOf(
  match: number,
  book: number,
  { name, hasId, isTurned, lateMin, off }: Style,
  movedMin: number,
): ListedEvent {
  const fixture = match % FIXTURES.length;
  const { sport, sides, names } = FIXTURES[fixture]!;
  const home = homePrice(match, off);
  const away = Math.round((1 / (1.06 - 1 / home)) * 100) / 100;
  const [first, second] = isTurned ? [away, home] : [home, away];
  return {
    sport: sportOf(sport)!,
    // The return match has the id of the first.
    sourceId: hasId ? `${book}-${fixture}` : null,
    homeTeam: sides[isTurned ? 1 : 0],
    awayTeam: sides[isTurned ? 0 : 1],
    competition: names[name % names.length]!,
    commenceTime: at(startOf(match) + lateMin + movedMin),
    homeShare: homeShareOf({ home: first, draw: null, away: second }),
    h2h: [first, null, second],
  };
}

const BOOKS = 4;
const ALL = 2 * FIXTURES.length;
const styles = fc.array(fc.array(style, { minLength: ALL, maxLength: ALL }), { minLength: BOOKS, maxLength: BOOKS });
const step = fc.record({
  book: fc.nat(BOOKS - 1),
  afterMin: fc.integer({ min: 1, max: 2 * DAY }),
  /** Left out, by match. */
  left: fc.array(fc.nat(ALL - 1), { maxLength: 6 }),
  /** From now on this match starts this much later; each book reports it in its next push. */
  moved: fc.option(fc.tuple(fc.nat(ALL - 1), fc.constantFrom(5, 20, 60)), { nil: null }),
});

test('two matches never share an id, in any history, and a match that is over keeps its start; each has a decision', () => {
  fc.assert(
    fc.property(styles, fc.array(step, { minLength: 2, maxLength: 25 }), (given, steps) => {
      const { push, matches, decisions } = openMatches();
      const over = new Map<string, string>();
      const truth = new Map<string, number>();
      const moved = new Map<number, number>();
      let now = 0;
      for (const { book, afterMin, left, moved: move } of steps) {
        now += afterMin;
        if (move && (moved.get(move[0]) ?? 0) === 0) moved.set(...move);
        const listed = Array.from({ length: ALL }, (_, match) => match).filter((match) => {
          const start = startOf(match) + (moved.get(match) ?? 0);
          // A book has the return match once the first is over, and lists no match that is long past.
          return (
            !left.includes(match) &&
            start > now - 2 * HOUR &&
            (match < FIXTURES.length || now > startOf(match) - 13 * DAY)
          );
        });
        const rows = listed.map((match) => rowOf(match, book, given[book]![match]!, moved.get(match) ?? 0));
        for (const [i, id] of push(`book-${book}`, rows, at(now)).entries()) {
          if (!id.includes('-')) continue;
          const match = listed[i]!;
          expect([id, truth.get(id) ?? match]).toEqual([id, match]);
          truth.set(id, match);
        }
        // An id that returns moves neither a match that has been played nor its closing prices (F6).
        for (const [id, { commenceTime }] of matches)
          if (commenceTime <= at(now - 12 * HOUR))
            expect([id, over.get(id) ?? commenceTime]).toEqual([id, commenceTime]);
        for (const [id, { commenceTime }] of matches)
          if (commenceTime <= at(now - 12 * HOUR)) over.set(id, commenceTime);
      }
      const made = decisions.filter(({ verdict }) => verdict === 'new').map(({ event_id }) => event_id);
      expect(new Set(made)).toEqual(new Set(truth.keys()));
    }),
    { numRuns: runs(400) },
  );
});

test('books that name their matches become one match each, for any order of pushes and any repetition', () => {
  const clear = style.map((one) => ({ ...one, name: 0 }));
  const order = fc.array(fc.nat(BOOKS - 1), { minLength: 0, maxLength: 8 });
  fc.assert(
    fc.property(
      fc.array(fc.array(clear, { minLength: ALL, maxLength: ALL }), { minLength: BOOKS, maxLength: BOOKS }),
      order,
      (given, more) => {
        const { push, matches } = openMatches();
        const all = [...more, ...Array.from({ length: BOOKS }, (_, book) => book), ...more.toReversed()];
        const ids = new Map<number, Set<string>>();
        for (const [i, book] of all.entries()) {
          const listed = FIXTURES.map((_, match) => match);
          // Turned sides belong to split squads, whose other match lists them that way.
          const rows = listed.map((match) => {
            const own = given[book]![match]!;
            return rowOf(match, book, FIXTURES[match]!.sport === 'nhl' ? { ...own, isTurned: false } : own, 0);
          });
          for (const [match, id] of push(`book-${book}`, rows, at(i)).entries())
            ids.set(match, (ids.get(match) ?? new Set()).add(id));
        }
        expect([...ids.values()].map((one) => one.size)).toEqual(FIXTURES.map(() => 1));
        expect(matches.size).toBe(FIXTURES.length);
      },
    ),
    { numRuns: runs(200) },
  );
});
