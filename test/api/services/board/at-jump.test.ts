// A race that has jumped: its last prices before the jump, however books answer after it.
import { atJump, capturedBefore } from '../../../../src/api/services/board/at-jump';
import { book, NOW, race } from '../../../web/board/live-race';

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
        [0, 1.1],
      ]),
      runner(2, [[-900, 2]], 20_000),
    ],
  },
  { bookmaker: 'neds', runners: [runner(1, [[5, 9]])] },
];

test('what was captured or withdrawn from the jump on does not count', () => {
  expect(capturedBefore(captured, JUMP)).toEqual([
    {
      bookmaker: 'tab',
      runners: [
        runner(1, [
          [-900, 4],
          [-300, 5],
        ]),
        runner(2, [[-900, 2]]),
      ],
    },
  ]);
  const earlier = [{ bookmaker: 'tab', runners: [runner(1, [[-900, 4]], -300)] }];
  expect(capturedBefore(earlier, JUMP)).toEqual(earlier);
});

test('a book polled after the jump has its last prices before it, and an age of nothing at the jump', () => {
  const books = [book('tab', [1.1, null]), book('neds', [9, 9]), book('sportsbet', [3, 2], 200)];
  const placed = books.map((one) => ({ ...one, place: [1.05, 1.04] }));
  const places = [
    { bookmaker: 'tab', number: 1, price: 1.9 },
    { bookmaker: 'sportsbet', number: 1, price: 9 },
  ];
  const stood = atJump(race({ books: placed }), capturedBefore(captured, JUMP), places, JUMP).books;
  expect(stood.map(({ win, polledAtMs }) => [win, polledAtMs - JUMP])).toEqual([
    [[5, 2], 0],
    // First seen after the jump.
    [[null, null], 0],
    [[3, 2], -140_000],
  ]);
  // Captured before the jump, or none; of a book not polled since, what it shows.
  expect(stood.map(({ place }) => place)).toEqual([
    [1.9, null],
    [null, null],
    [1.05, 1.04],
  ]);
});

test('a price withdrawn before the jump is none', () => {
  const before = [{ bookmaker: 'tab', runners: [runner(1, [[-900, 4]], -300)] }];
  const places = [{ bookmaker: 'tab', number: 1, price: 1.9 }];
  const [stood] = atJump(race({ books: [book('tab', [7])] }), before, places, JUMP).books;
  expect([stood!.win, stood!.place]).toEqual([[null], [null]]);
});
