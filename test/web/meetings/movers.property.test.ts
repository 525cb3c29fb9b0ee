// The page of movers announces only races still to jump at the instant it is made, however old its reading (D63).
import fc from 'fast-check';
import { boardState } from '../../../src/domain/race/board-state';
import { moverFilter, moversMain, moversPath } from '../../../src/web/movers/page';
import { NOON } from '../../support/pages/meeting-race';
import { runs } from '../../support/property';
import { anyRaces } from './races';

const OPEN = {
  number: 4,
  runner: 'Jade',
  open: 6.5,
  current: 4.2,
  movePct: -35.4,
  firming: 4,
  drifting: 0,
  counted: 4,
};

test('only races still to jump are shown, in the order of the reading', () => {
  const later = fc.integer({ min: -7_200_000, max: 7_200_000 }).map((ms) => NOON + ms);
  fc.assert(
    fc.property(anyRaces, later, fc.boolean(), (races, nowMs, current) => {
      const movers = races.map((race) => ({ ...OPEN, race, facts: race.facts, direction: 'firming' as const }));
      const page = moversMain({ atMs: NOON, current, movers }, moverFilter({}), nowMs).text;
      const shown = [...page.matchAll(/class="m-race"><a href="\/race\/(\w+)"/g)].map(([, raceId]) => raceId);
      const open = races.filter(({ facts }) => boardState(facts, nowMs) === 'ahead' && facts.jumped_at === null);
      expect(shown).toEqual(open.map(({ raceId }) => raceId));
      expect(page.includes('No price has moved')).toBe(open.length === 0 && current);
      expect(page.includes('Prices are not current')).toBe(open.length === 0 && !current);
    }),
    { numRuns: runs(200) },
  );
});

test('a choice of movers has one address', () => {
  expect(moversPath(moverFilter({ direction: 'drifting', code: 'harness', x: 1 }))).toBe(
    '/movers?code=harness&direction=drifting',
  );
  expect(moversPath(moverFilter({ direction: ['firming'], code: 'camel' }))).toBe('/movers');
});
