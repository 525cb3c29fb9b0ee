// Other books' prices are left out only if they decide nothing: the verdicts and decisions are the same, whatever a
// book lists.
import fc from 'fast-check';
import { decisionsOf } from '../../../../src/domain/sports/identity/decision';
import type { ListedEvent, StoredEvent } from '../../../../src/domain/sports/identity/listed-event';
import { placeEvents } from '../../../../src/domain/sports/identity/place-events';
import { settledById } from '../../../../src/domain/sports/identity/settled-by-id';
import { sportOf } from '../../../../src/domain/sports/sports';
import { atOnce } from '../../../../src/in-parts';
import { runs } from '../../../support/property';

const HOUR_MS = 3_600_000;
const FIRST_MS = Date.parse('2026-11-21T00:00:00.000Z');
const at = (hours: number): string => new Date(FIRST_MS + hours * HOUR_MS).toISOString();
const OBSERVED = at(0);
const sport = sportOf('nrl')!;

const id = fc.constantFrom('a', 'a', 'a', 'a', 'b', null);
const competition = fc.constantFrom('NRL', 'NRL', 'NRL', null, 'NRLW', 'State Cup');
const share = fc.constantFrom(null, 0.1, 0.9);
const hours = fc.constantFrom(4, 4, 4, 4.1, 10, -0.1, -6, -750);
const sides = fc.constantFrom(
  ['brisbane-broncos', 'melbourne-storm'] as const,
  ['melbourne-storm', 'brisbane-broncos'] as const,
);

const listing = fc.record({ sides, id, competition, share, hours }).map(
  ({ sides: [home, away], ...row }): ListedEvent => ({
    sport,
    sourceId: row.id,
    homeTeam: home,
    awayTeam: away,
    competition: row.competition,
    commenceTime: at(row.hours),
    homeShare: row.share,
    h2h: null,
    teams: { home: { key: home, name: home }, away: { key: away, name: away } },
  }),
);
const match = fc
  .record({
    sides,
    id,
    hours,
    competitions: fc.constantFrom(['NRL'], ['NRL'], [], ['NRLW'], ['State Cup'], ['NRL', 'State Cup']),
    isOwn: fc.constantFrom(true, true, true, false),
    ownShare: share,
    isRuledOwn: fc.constantFrom(false, false, false, true),
    isRuled: fc.constantFrom(false, false, true),
    partedIds: fc.constantFrom([], [], [], ['a'], [null]),
    homeShare: share,
    pricedBy: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ sides: [homeKey, awayKey], id: sourceId, hours: start, homeShare, pricedBy, ...one }) => ({
    ...one,
    sportKey: 'nrl',
    homeKey,
    awayKey,
    sourceId,
    commenceTime: at(start),
    listedStarts: [at(start)],
    ownH2h: null,
    homeShare,
    pricedBy: homeShare === null ? 0 : pricedBy,
  }));
/** Mostly one. */
const few = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.oneof({ weight: 3, arbitrary: fc.tuple(one) }, { weight: 1, arbitrary: fc.tuple(one, one) });
const matches = few(match).map((list): StoredEvent[] =>
  list.map((one, i) => ({ ...one, eventId: `e${i}`, canonicalId: `c${i}` })),
);

test('a settled match is placed the same without other books’ prices, and so is everything beside it', () => {
  let settledOnes = 0;
  fc.assert(
    fc.property(few(listing), matches, (listed, stored) => {
      const settled = settledById(listed, stored, OBSERVED);
      settledOnes += settled.size;
      const unpriced = stored.map((one) => (settled.has(one) ? { ...one, homeShare: null, pricedBy: 0 } : one));
      const outcome = (of: readonly StoredEvent[]) => {
        const placed = atOnce(placeEvents(listed, of, OBSERVED));
        return { placed, decided: atOnce(decisionsOf(listed, placed, of, OBSERVED)) };
      };
      expect(outcome(unpriced)).toEqual(outcome(stored));
      // A shortcut is used if there is one row and one match: not if the match is read twice, as one that was joined.
      expect(outcome([...stored, ...stored])).toEqual(outcome(stored));
    }),
    { numRuns: runs(5000) },
  );
  expect(settledOnes).toBeGreaterThan(0);
});
