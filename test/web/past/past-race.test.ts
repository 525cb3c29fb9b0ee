// One past race as values and as its page: closes and how they were found, closing line value at each mark, and the
// reason if there is none.

import { capturedToJump } from '../../../src/api/pages/shown/captured-to-jump';
import { visibleRaceOf } from '../../../src/api/pages/shown/visible-race';
import { pastRaceOf } from '../../../src/web/past/past-race';
import { pastRaceMain } from '../../../src/web/past/race-page';
import type { ArchivedClose, StoredPastRace } from '../../../src/web/past/source';
import { meetingRace } from '../../support/pages/meeting-race';
import { book, race, runner, START } from '../board/live-race';

const START_MS = Date.parse(START);
const MINUTE_MS = 60_000;
const HOSTILE = '<b>Bold & "Quick"</b>';

const closeOf = (bookmaker: string, closePrice: number, over: Partial<ArchivedClose> = {}): ArchivedClose => ({
  bookmaker,
  closePrice,
  number: 1,
  name: HOSTILE,
  scratched: false,
  compared: true,
  openPrice: 5,
  openSecsToJump: 3600,
  openIsBaseline: true,
  closeSecsToJump: 0,
  points: 2,
  isClosingLine: true,
  foundBy: 'poll' as const,
  ageSeconds: 540,
  ...over,
});

const captured = (bookmaker: string, ...moves: readonly (readonly [minutesOut: number, price: number])[]) => ({
  bookmaker,
  runners: [
    {
      number: 1,
      atMs: moves.map(([minutes]) => START_MS - minutes * MINUTE_MS),
      prices: moves.map(([, price]) => price),
      withdrawnAtMs: null,
    },
  ],
});

function stored(over: Partial<StoredPastRace> = {}): StoredPastRace {
  const books = [book('tab', [4, 2]), book('neds', [4.4, 2])];
  const row = race({ runners: [runner(1, { name: HOSTILE }), runner(2)], books });
  return {
    race: { ...visibleRaceOf(row, START_MS), onBoard: false, jumpedMs: START_MS },
    result: null,
    meeting: [],
    changes: { track: null, deductions: [] },
    outcome: 'closed',
    source: 'ticks',
    captured: [captured('tab', [59.8, 5], [9, 4]), captured('neds', [20, 5.5], [4, 4.4])],
    closes: [closeOf('tab', 4), closeOf('neds', 4.4, { foundBy: 'tick', ageSeconds: 40, openPrice: 5.5 })],
    ...over,
  };
}

const pageOf = (over?: Partial<StoredPastRace>): string =>
  pastRaceMain(pastRaceOf(stored(over)), START_MS + 24 * 60 * MINUTE_MS).text;

test('a cell has the close, how it was found and its age; the best of the closing lines is marked', () => {
  const { books, closes } = pastRaceOf(stored());
  expect(books).toEqual(['TAB', 'Neds']);
  expect(closes[0]!.close).toMatchObject({ price: 4.4, bookmaker: 'neds' });
  expect(closes[0]!.cells).toEqual([
    { price: 4, open: 5, foundBy: 'poll', ageSeconds: 540, seenSeconds: 0, best: false, placeholder: false },
    { price: 4.4, open: 5.5, foundBy: 'tick', ageSeconds: 40, seenSeconds: 0, best: true, placeholder: false },
  ]);
  expect(closes[1]!.cells).toEqual([null, null]);
  expect(pageOf()).toMatch(/4\.00<\/span>.*>poll 9m<.*captured 9m before the jump, confirmed by a later poll/);
});

test('the value of the best price at each mark is against the best close, and null if there was no price', () => {
  const { marks } = pastRaceOf(stored()).closes[0]!;
  expect(marks.map(({ mark, best }) => [mark, best?.price ?? null])).toEqual([
    ['t60', 5],
    ['t30', 5],
    ['t15', 5.5],
    ['t10', 5.5],
    ['t5', 5.5],
    ['t2', 4.4],
  ]);
  expect(marks[0]!.clvPct).toBeCloseTo(100 * (5 / 4.4 - 1), 10);
  expect(marks[2]!.clvPct).toBeCloseTo(25, 10);
  expect(pageOf()).toContain('<span class="clv over">+25.0%</span>');
  const late = pastRaceOf(stored({ captured: [captured('tab', [9, 4])] })).closes[0]!.marks;
  expect(late.slice(0, 4)).toEqual(['t60', 't30', 't15', 't10'].map((mark) => ({ mark, best: null, clvPct: null })));
});

test('a price without a closing line stands until it was last seen: at no later mark, and not at the jump', () => {
  const number = 1;
  const runner_number = 1;
  const bookmaker_key = 'tab';
  const history = (...moves: readonly (readonly [minutesOut: number, price: number])[]) => {
    const atMs = moves.map(([minutes]) => START_MS - minutes * MINUTE_MS);
    const prices = moves.map(([, price]) => price);
    const one = { number, runnerKey: 'bold', name: HOSTILE, bookmaker: bookmaker_key, atMs, prices, lays: null };
    return { jumpMs: START_MS, series: [one, { ...one, number: 2, runnerKey: 'other', name: null }] };
  };
  const close = { bookmaker_key, runner_number, runner_key: 'bold', is_closing_line: false, close_secs_to_jump: 2400 };
  const withdrawn = capturedToJump(history([59.8, 5], [40, 4], [-1, 3]), [close]);
  expect(withdrawn).toEqual([
    {
      bookmaker: 'tab',
      runners: [
        {
          number: 1,
          atMs: [START_MS - 59.8 * MINUTE_MS, START_MS - 40 * MINUTE_MS],
          prices: [5, 4],
          withdrawnAtMs: START_MS - 40 * MINUTE_MS,
        },
      ],
    },
  ]);
  const marks = (one: typeof withdrawn) =>
    pastRaceOf(stored({ captured: one, closes: [] })).closes[0]!.marks.map(({ best }) => best?.price ?? null);
  expect(marks(withdrawn)).toEqual([5, null, null, null, null, null]);
  const seen = { ...close, is_closing_line: true, close_secs_to_jump: 90 };
  expect(marks(capturedToJump(history([59.8, 5], [40, 4]), [seen]))).toEqual([5, 4, 4, 4, 4, 4]);
  expect(pageOf()).toContain('without a closing line, until it was last seen');
});

test('a last-seen price, a retired book and a doubtful name are shown and are never the best close', () => {
  const closes = [
    closeOf('tab', 4),
    closeOf('neds', 9, { foundBy: 'none', isClosingLine: false, closeSecsToJump: 660, ageSeconds: 700 }),
    closeOf('pointsbetau', 8, { compared: false }),
  ];
  const [row] = pastRaceOf(stored({ closes })).closes;
  expect(row!.close?.price).toBe(4);
  expect(row!.cells.map((cell) => cell?.best)).toEqual([true, false, false]);
  expect(pageOf({ closes })).toMatch(/seen 11m<\/span><span class="vh">last seen 11m before the jump: no closing line/);
});

test('a name missing from the card has its own row, and a scratched runner no value', () => {
  const out = closeOf('tab', 6, { number: 2, name: 'Runner 2', scratched: true });
  const { closes } = pastRaceOf(stored({ closes: [out, closeOf('tab', 3, { number: 2, name: 'rnr2' })] }));
  expect(closes.map(({ number, name, scratched, marks }) => [number, name, scratched, marks.length])).toEqual([
    [1, HOSTILE, false, 6],
    [2, 'Runner 2', true, 0],
    [2, 'rnr2', false, 0],
  ]);
});

test('names are text everywhere', () => {
  const placing = {
    position: 1,
    number: 1,
    name: HOSTILE,
    deadHeat: false,
    win: 4,
    place: null,
    sp: null,
    margin: null,
    timeSeconds: null,
  };
  const { race: title } = stored();
  const page = pageOf({
    race: { ...title, venue: HOSTILE, raceName: HOSTILE },
    result: {
      raceId: 'x',
      category: 'horse',
      country: 'AU',
      venue: HOSTILE,
      raceNumber: 1,
      startMs: START_MS,
      status: 'final',
      note: HOSTILE,
      protest: false,
      resultedMs: null,
      placings: [placing],
      straight: [],
      exotics: [],
    },
  });
  expect(page).not.toContain('<b>Bold');
  expect(page.split('&lt;b&gt;Bold &amp; &quot;Quick&quot;').length).toBeGreaterThan(7);
});

test('the strip of its meeting leads to the past pages of races that have run, and to the own page of others', () => {
  const { raceId } = stored().race;
  const later = START_MS + 48 * 60 * MINUTE_MS;
  const meeting = [
    meetingRace({ raceId: 'first', raceNumber: 1, startMs: START_MS - MINUTE_MS }),
    meetingRace({ raceId, raceNumber: 2, startMs: START_MS }),
    meetingRace({ raceId: 'last', raceNumber: 3, startMs: later }),
  ];
  const page = pageOf({ meeting });
  expect(page).toContain('rel="prev" href="/race/first/past"');
  expect(page).toContain('rel="next" href="/race/last"');
  expect(page).toContain(`href="/race/${raceId}/past" aria-current="page"`);
  expect(pageOf({ meeting: meeting.slice(0, 1) })).not.toContain('meeting-strip');
});

test.each([
  [{ outcome: null }, /archive of this race is not written yet/],
  [{ outcome: 'last_seen_only' as const }, /last 300 seconds before the jump/],
  [{ outcome: 'abandoned' as const }, /was abandoned: it has no closing lines/],
  [{ outcome: 'no_prices' as const, captured: [], closes: [] }, /No price of this race was captured/],
])('the page of a race says why it has no closes: %j', (over, why) => {
  const page = pageOf(over);
  expect(page).toMatch(why);
  expect(page).toContain('No result has been reported.');
  expect(page.includes('id="closes-')).toBe(!('captured' in over));
});

test('a race on the board has no past page yet, only a link', () => {
  const { race: past } = stored();
  const page = pageOf({ race: { ...past, onBoard: true }, outcome: null });
  expect(page).toContain('This race is not past yet.');
  expect(page).not.toContain('closes');
});
