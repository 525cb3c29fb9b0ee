// Books that leave out race numbers, starts or saddlecloth numbers, from their lists and replies to the store: each
// joins the right race, and each of its prices the right runner.
import { type ActivityLab, discovered, MINUTE, NOON, openLab } from '../lab';

const BOOKS = ['ladbrokes_au', 'palmerbet', 'playup', 'dabble_au', 'tabtouch'];
const RACE = { startMs: NOON + 40 * MINUTE, runners: 9, order: [4, 2, 6, 1] };

let lab: ActivityLab;
afterEach(() => lab.close());

test('every book finds the race and, once its card is stored, every runner', async () => {
  lab = await openLab([RACE], {}, BOOKS);
  const raceId = await discovered(lab, 'card');
  const race = { raceId, epoch: 1, turn: 1, marketShut: false };
  await expect(lab.run('pollCard', [race])).rejects.toMatchObject({ type: 'NothingYet' });
  lab.clock.nowMs += MINUTE;
  await expect(lab.run('pollCard', [race], 2)).rejects.toMatchObject({ type: 'NothingYet' });
  const stored = await lab.query<{ book: string; numbers: number[]; win: number[]; top4: (number | null)[] }>(
    'SELECT bookmaker_key AS book, numbers, win, top4 FROM race_books ORDER BY book',
  );
  expect(stored.map(({ book }) => book)).toEqual([...BOOKS].sort());
  const spine = stored.find(({ book }) => book === 'ladbrokes_au')!;
  for (const { book, numbers, win, top4 } of stored) {
    expect([book, numbers]).toEqual([book, spine.numbers]);
    for (const [i, price] of win.entries()) {
      expect(Math.abs(Math.log(price / spine.win[i]!))).toBeLessThan(Math.log(2));
    }
    expect([book, top4.every((leg) => leg !== null)]).toEqual([book, book === 'dabble_au']);
  }
});
