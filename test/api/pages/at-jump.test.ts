// A race that has jumped: its last prices before the jump, however books respond after it.
import { atJump, capturedBefore } from '../../../src/api/pages/shown/at-jump';
import { book, NOW, race } from '../../web/board/live-race';

const JUMP = NOW - 60_000;
const runner = (number: number, ticks: readonly (readonly [at: number, price: number])[], withdrawnAtMs = 0) => ({
  number,
  atMs: ticks.map(([at]) => JUMP + at),
  prices: ticks.map(([, price]) => price),
  withdrawnAtMs: withdrawnAtMs === 0 ? null : JUMP + withdrawnAtMs,
});
const captured = [
  {
    bookmaker: 'tab',
    runners: [
      runner(1, [
        [-900, 4],
        [-300, 5],
        [0, 5.5],
        [1, 1.1],
      ]),
      runner(2, [[-900, 2]], 20_000),
    ],
  },
  { bookmaker: 'neds', runners: [runner(1, [[5, 9]])] },
];

test('prices captured after the jump, or withdrawn by then, do not count; a poll at the jump does', () => {
  expect(capturedBefore(captured, JUMP)).toEqual([
    {
      bookmaker: 'tab',
      runners: [
        runner(1, [
          [-900, 4],
          [-300, 5],
          [0, 5.5],
        ]),
        runner(2, [[-900, 2]]),
      ],
    },
  ]);
  const earlier = [{ bookmaker: 'tab', runners: [runner(1, [[-900, 4]], -300)] }];
  expect(capturedBefore(earlier, JUMP)).toEqual(earlier);
});

test('a book polled after the jump has its last prices up to it, as old as they were then', () => {
  const books = [
    book('tab', [1.1, null]),
    book('neds', [9, 9]),
    book('sportsbet', [3, 2], 200),
    book('betr_au', [4, 6]),
  ];
  const placed = books.map((one) => ({ ...one, place: [1.05, 1.04] }));
  const places = [
    { bookmaker: 'tab', number: 1, price: 1.9 },
    { bookmaker: 'sportsbet', number: 1, price: 9 },
  ];
  const polls = [{ bookmaker: 'tab', atMs: JUMP - 480_000 }];
  const same = { bookmaker: 'betr_au', runners: [runner(1, [[-900, 4]]), runner(2, [[-900, 6]])] };
  const before = { captured: [...capturedBefore(captured, JUMP), same], places, polls };
  const stood = atJump(race({ books: placed }), before, JUMP).books;
  expect(stood.map(({ win, polledAtMs }) => [win, polledAtMs - JUMP])).toEqual([
    // Not as of the jump: it was not polled in the eight minutes before.
    [[5.5, 2], -480_000],
    // First seen after the jump.
    [[null, null], 0],
    [[3, 2], -140_000],
    // A poll after the jump shows that the price stood.
    [[4, 6], 0],
  ]);
  // Captured before the jump, or none; for a book not polled since, what it shows.
  expect(stood.map(({ place }) => place)).toEqual([
    [1.9, null],
    [null, null],
    [1.05, 1.04],
    [null, null],
  ]);
});

test('a price withdrawn before the jump is absent', () => {
  const before = [{ bookmaker: 'tab', runners: [runner(1, [[-900, 4]], -300)] }];
  const places = [{ bookmaker: 'tab', number: 1, price: 1.9 }];
  const [stood] = atJump(race({ books: [book('tab', [7])] }), { captured: before, places, polls: [] }, JUMP).books;
  expect([stood!.win, stood!.place]).toEqual([[null], [null]]);
});
