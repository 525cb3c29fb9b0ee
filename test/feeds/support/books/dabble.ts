// Dabble in the conformance suite: the competitions, a meeting of each, and the details of one race.
import type { DabbleBook, DabbleFixture } from '../../../../src/feeds/dabble/payload';
import {
  ABROAD_START,
  type Abroad,
  type Answers,
  always,
  type Book,
  FACTS,
  type PlainRunner,
  routes,
  STARTS,
} from '../book';

export const dabbleBook = (runners: readonly PlainRunner[]): DabbleBook => ({
  id: 'f-1',
  status: 'Open',
  markets: [
    { id: 'm-exotic', resultingType: 'RacingDDExacta' },
    { id: 'm-win', resultingType: 'RacingFixedWin' },
    { id: 'm-place', resultingType: 'RacingFixedPlace' },
    { id: 'm-leg', resultingType: 'RacingSrmWin' },
  ],
  selections: [
    ...runners.map(({ name, scratched = false }, i) => ({
      id: `s-${i}`,
      name,
      ...(scratched && { isScratched: true }),
    })),
    { id: 's-exotic', name: 'Field' },
  ],
  prices: [
    { marketId: 'm-exotic', selectionId: 's-exotic', price: 7 },
    ...runners.flatMap(({ win }, i) => {
      const selectionId = `s-${i}`;
      return [
        { marketId: 'm-leg', selectionId, price: 99 },
        { marketId: 'm-place', selectionId, price: FACTS.place },
        ...(win === undefined ? [] : [{ marketId: 'm-win', selectionId, price: win as number }]),
      ];
    }),
  ],
});

const fixture = (id: string, advertisedStart: string): DabbleFixture => ({ ...dabbleBook([]), id, advertisedStart });

/** The fixtures of Flemington and of the meetings abroad, by competition. */
export function dabbleList(more: readonly unknown[] = [], abroad: readonly Abroad[] = []): Answers {
  const competition = (id: string, name: string) => ({ id, name, sportName: 'Thoroughbred Racing' });
  const activeCompetitions = [
    { id: 'c-league', name: 'NRL', sportName: 'Rugby League' },
    competition('c-home', 'Flemington'),
    ...abroad.map(({ venue }, i) => competition(`c-${i}`, venue)),
  ];
  const home = [fixture('f-1', STARTS[0]), fixture('f-2', STARTS[1]), ...more];
  return routes({
    '/competitions/active': always({ status: 'success', data: { activeCompetitions } }),
    'c-home': always({ data: home }),
    ...Object.fromEntries(
      abroad.map((_, i) => [`/c-${i}/`, always({ data: [fixture(`f-abroad-${i}`, ABROAD_START)] })]),
    ),
  });
}

export const dabble: Book = {
  key: 'dabble_au',
  sourceRaceId: 'c-home/f-1',
  listPaths: ['/competitions/active', '/frontend-api/competitions/c-home/sport-fixtures'],
  racePaths: ['/frontend-api/sport-fixtures/details/f-1'],
  stamped: false,
  lacks: new Set([
    'runnerNumber',
    'raceNumber',
    'past',
    'country',
    'start',
    'barrier',
    'jockey',
    'trainer',
    'weight',
    'form',
    'tote',
  ]),
  list: dabbleList,
  race: (runners) => always({ sportFixtureDetail: dabbleBook(runners) }),
};
