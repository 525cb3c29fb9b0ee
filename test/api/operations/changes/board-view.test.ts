// A view begins with the races of its first reading, which its streams receive whole from elsewhere: it renders none of
// them itself.
import type { BoardReading } from '../../../../src/api/operations/changes/board-reading';
import { createShelf, createView, type Shelf } from '../../../../src/api/operations/changes/board-view';
import { boardRace } from '../../../support/races/board-race';

const NOW_MS = Date.parse('2026-11-21T03:00:00.000Z');
const SELECTION = { categories: ['horse'], includeUnresolved: true, betslip: false, horizonHours: 48 } as const;

const reading = (...races: readonly ReturnType<typeof boardRace>[]): BoardReading => ({
  serverMs: NOW_MS,
  settledMs: NOW_MS,
  databaseMs: NOW_MS,
  nowMs: NOW_MS,
  races: new Map(races.map((race) => [race.race_id, race])),
  ends: new Map(),
  links: null,
  reportsFreshness: false,
});

test('a first view renders no race, and later views only changed ones', () => {
  const [here, dogs, comes] = [
    boardRace({ race_id: 'a' }),
    boardRace({ race_id: 'b', category: 'greyhound' }),
    boardRace({ race_id: 'c' }),
  ];
  const shelf = createShelf(() => null);
  const rendered: string[] = [];
  const watched: Shelf = {
    ...shelf,
    differenceOf: shelf.differenceOf,
    get races() {
      return {
        get: (id: string) => {
          rendered.push(id);
          return shelf.races.get(id);
        },
      } as unknown as Shelf['races'];
    },
    get fresh() {
      return shelf.fresh;
    },
  };
  shelf.update(reading(here, dogs));
  const view = createView(SELECTION, reading(here, dogs));
  expect([...view.ids]).toEqual(['a']);
  expect(view.update(reading(here, dogs), watched)).toBeNull();
  expect(rendered).toEqual([]);
  shelf.update(reading(here, dogs, comes));
  const events = view.update(reading(here, dogs, comes), watched)!;
  let text = '';
  events.give('place', 'connection', (bytes) => {
    text = bytes.toString();
  });
  expect(text.match(/"race_id":"."/g)).toEqual(['"race_id":"c"']);
  expect(rendered).toEqual(['c']);
});
