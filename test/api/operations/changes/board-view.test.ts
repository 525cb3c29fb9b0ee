// A view begins with the races of its first reading, which its streams receive whole from elsewhere: it renders none of
// them itself.
import fc from 'fast-check';
import type { BoardReading } from '../../../../src/api/operations/changes/board-reading';
import { createShelf, createView, type Shelf } from '../../../../src/api/operations/changes/board-view';
import { runs } from '../../../support/property';
import { boardRace } from '../../../support/races/board-race';

const HOUR_MS = 3_600_000;
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
    get changedIds() {
      return shelf.changedIds;
    },
    get isOtherBoard() {
      return shelf.isOtherBoard;
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

type Step = {
  readonly kind: 'move' | 'add' | 'remove' | 'turn' | 'swap' | 'replace' | 'wait' | 'back';
  readonly of: number;
};

const aStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('move', 'move', 'add', 'remove', 'turn', 'swap', 'replace', 'wait', 'back'),
  of: fc.nat(5),
});

/** A board in its `at`-th state, with readings that differ from each other in one step. */
class Board {
  private races = [1, 2, 3].map((hours) => boardRace({ race_id: `r${hours}`, startMs: NOW_MS + hours * HOUR_MS }));
  private last = reading(...this.races);
  private nowMs = NOW_MS;
  private at = 3;

  take({ kind, of }: Step): void {
    const race = this.races[of % Math.max(1, this.races.length)];
    const written = (over: object) => this.races.map((one) => (one === race ? boardRace({ ...one, ...over }) : one));
    this.at++;
    if (kind === 'wait') this.nowMs += of * 20 * 60_000;
    else if (kind === 'back') this.nowMs -= of * 15 * 60_000;
    else if (kind === 'add')
      this.races = [...this.races, boardRace({ race_id: `r${this.at}`, startMs: NOW_MS + of * HOUR_MS })];
    else if (kind === 'replace') this.races = written({ race_id: `r${this.at}` });
    else if (kind === 'remove') this.races = this.races.filter((one) => one !== race);
    else if (kind === 'swap') this.races = [...this.races.slice(1), ...this.races.slice(0, 1)];
    else if (kind === 'turn') this.races = written({ country: race?.country === 'NZ' ? 'AU' : 'NZ' });
    else this.races = written({ weather: `${this.at}` });
    // Where only time passes, a reading has the same map of races.
    if (kind !== 'wait' && kind !== 'back') this.last = reading(...this.races);
  }

  reading = (): BoardReading => ({ ...this.last, nowMs: this.nowMs });
}

test('a view that compares only what changed sends what one that compares everything sends', () => {
  const selection = { countries: ['AU'], includeUnresolved: true, betslip: false, horizonHours: 2 };
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 30 }), (steps) => {
      const board = new Board();
      const shelf = createShelf(() => null);
      shelf.update(board.reading());
      const view = createView(selection, board.reading());
      // For it every reading is of another board.
      const everything: Shelf = Object.create(shelf, { isOtherBoard: { value: true } });
      const whole = createView(selection, board.reading());
      for (const step of steps) {
        board.take(step);
        const now = board.reading();
        shelf.update(now);
        expect(textOf(view.update(now, shelf))).toBe(textOf(whole.update(now, everything)));
        expect([...view.ids]).toEqual([...whole.ids]);
      }
    }),
    { numRuns: runs(300) },
  );
});

function textOf(events: ReturnType<ReturnType<typeof createView>['update']>): string {
  let text = '';
  events?.give('place', 'connection', (bytes) => {
    text = bytes.toString();
  });
  return text;
}
