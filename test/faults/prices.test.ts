// Replies that are well formed but wrong in time: the same one again, an older one, prices that never move. A tick must
// never be written twice, an older price never replace a newer one, and an unchanged price never look as if it had
// moved.
import { at, BOOKS, type FaultLab, MINUTE, NOON, openFaultLab, quotesOf, SECOND } from './lab';

const RACE = { startMs: NOON + 20 * MINUTE, venue: 'Flemington', runners: 9 };
const TICKS = `SELECT bookmaker_key, runner_number, captured_at, win_price FROM price_ticks ORDER BY captured_at, 1, 2`;

let lab: FaultLab;
let raceId: string;

beforeEach(async () => {
  lab = await openFaultLab([RACE]);
  await lab.discover();
  raceId = await lab.raceId('flemington', 1);
});
afterEach(() => lab.close());

const ticksOf = (book: string) =>
  lab.query<{ runner_number: number; captured_at: string; win_price: number }>(
    'SELECT runner_number, captured_at, win_price FROM price_ticks WHERE bookmaker_key = $1 ORDER BY 2, 1',
    [book],
  );

/** Every tick is a change from the runner's previous tick. */
async function expectNoTickTwice(): Promise<void> {
  const last = new Map<string, number>();
  for (const tick of await lab.query<Record<string, unknown>>(TICKS)) {
    const runner = `${tick.bookmaker_key}/${tick.runner_number}`;
    expect({ ...tick, before: last.get(runner) }).not.toMatchObject({ before: tick.win_price });
    last.set(runner, tick.win_price as number);
  }
  expect(last.size).toBeGreaterThan(0);
}

test('duplicated: freshness is stamped, ours and the book’s, and no tick is written twice', async () => {
  await lab.poll(raceId, 'ladbrokes_au');
  await lab.on('duplicated', { book: 'ladbrokes_au' });
  const before = { quotes: await quotesOf(lab, raceId, 'ladbrokes_au'), ticks: await ticksOf('ladbrokes_au') };
  for (let i = 1; i <= 4; i++) {
    lab.clock.nowMs = NOON + i * MINUTE;
    await lab.poll(raceId, ...BOOKS);
    const now = await quotesOf(lab, raceId, 'ladbrokes_au');
    expect(now).toEqual({ ...before.quotes, polled_at: at(lab.clock.nowMs), book_at: at(lab.clock.nowMs) });
  }
  expect(await ticksOf('ladbrokes_au')).toEqual(before.ticks);
  expect((await ticksOf('neds')).length).toBeGreaterThan(9);
  await expectNoTickTwice();
});

test('out_of_order: a reply that is older by its own stamp changes nothing, and is counted', async () => {
  await lab.on('out_of_order', { book: 'ladbrokes_au' });
  // At even multiples of ten seconds the response is current, at odd ones it is half a minute old.
  lab.clock.nowMs = NOON + 4 * MINUTE;
  await lab.poll(raceId, 'ladbrokes_au');
  const stored = await quotesOf(lab, raceId, 'ladbrokes_au');
  const ticks = await ticksOf('ladbrokes_au');
  expect(stored.book_at).toBe(at(lab.clock.nowMs));
  lab.clock.nowMs += 10 * SECOND;
  const [report] = await lab.poll(raceId, 'ladbrokes_au');
  expect(report).toMatchObject({ kind: 'failed', reason: 'out_of_order' });
  expect(await quotesOf(lab, raceId, 'ladbrokes_au')).toEqual(stored);
  expect(await ticksOf('ladbrokes_au')).toEqual(ticks);
  expect(await lab.counts('ladbrokes_au')).toEqual({ 'failed out_of_order': 1 });
  lab.clock.nowMs += 10 * SECOND;
  expect(await lab.poll(raceId, 'ladbrokes_au')).toMatchObject([{ kind: 'answered' }]);
  expect((await quotesOf(lab, raceId, 'ladbrokes_au')).book_at).toBe(at(lab.clock.nowMs));
});

test('out_of_order: in the live tier a book’s stored report never gets older, and the other books are not affected', async () => {
  await lab.on('out_of_order', { book: 'ladbrokes_au' });
  lab.clock.nowMs = NOON + 12 * MINUTE;
  await lab.live(raceId, 3 * MINUTE);
  const counts = await lab.counts('ladbrokes_au');
  expect(counts['failed out_of_order']).toBeGreaterThan(2);
  const [health] = await lab.query<{ polls: number }>(
    "SELECT polls::int FROM connector_health WHERE connector = 'ladbrokes_au'",
  );
  // Every 12 to 15 seconds, and the one before.
  expect(health!.polls).toBeGreaterThanOrEqual(1 + 11);
  expect(health!.polls).toBeLessThanOrEqual(1 + 14);
  expect(await lab.counts('neds')).toEqual({});
  await expectNoTickTwice();
});

test('replies of a book whose clock was set back by more than five minutes are written again', async () => {
  lab.clock.nowMs = NOON + 10 * MINUTE;
  await lab.poll(raceId, 'ladbrokes_au');
  const first = await quotesOf(lab, raceId, 'ladbrokes_au');
  await lab.query(
    "UPDATE race_books SET book_at = book_at + interval '6 minutes' WHERE bookmaker_key = 'ladbrokes_au'",
  );
  lab.clock.nowMs += 30 * SECOND;
  expect(await lab.poll(raceId, 'ladbrokes_au')).toMatchObject([{ kind: 'answered' }]);
  expect((await quotesOf(lab, raceId, 'ladbrokes_au')).polled_at).toBe(at(lab.clock.nowMs));
  expect(first.polled_at).not.toBe(at(lab.clock.nowMs));
});

test('frozen_prices: the prices stay fresh and unchanged, while the world and the other books move', async () => {
  lab.clock.nowMs = NOON + 5 * MINUTE;
  await lab.on('frozen_prices', { book: 'tab' });
  await lab.poll(raceId, ...BOOKS);
  const tab = await quotesOf(lab, raceId, 'tab');
  const neds = await quotesOf(lab, raceId, 'neds');
  const ticks = await ticksOf('tab');
  lab.clock.nowMs = NOON + 13 * MINUTE;
  await lab.poll(raceId, ...BOOKS);
  const now = await quotesOf(lab, raceId, 'tab');
  expect(now.polled_at).toBe(at(lab.clock.nowMs));
  expect(now.win).toEqual(tab.win);
  expect(await ticksOf('tab')).toEqual(ticks);
  expect(await moved('tab')).toEqual(0);
  expect((await quotesOf(lab, raceId, 'neds')).win).not.toEqual(neds.win);
  expect(await moved('neds')).toBeGreaterThan(0);
});

/** Runners whose win price is stored as changed at the last poll. */
async function moved(book: string): Promise<number> {
  const [row] = await lab.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM race_books b, unnest(b.win_changed_at) AS changed
      WHERE bookmaker_key = $1 AND changed = b.polled_at`,
    [book],
  );
  return row!.n;
}

test('frozen_prices of a book with validators: unchanged replies only stamp freshness', async () => {
  lab.clock.nowMs = NOON + 12 * MINUTE;
  await lab.on('frozen_prices', { book: 'ladbrokes_au' });
  await lab.live(raceId, MINUTE);
  const first = await quotesOf(lab, raceId, 'ladbrokes_au');
  await lab.live(raceId, 2 * MINUTE);
  const now = await quotesOf(lab, raceId, 'ladbrokes_au');
  expect(Date.parse(now.polled_at)).toBeGreaterThan(Date.parse(first.polled_at) + MINUTE);
  expect(now.win).toEqual(first.win);
  expect(await moved('ladbrokes_au')).toBe(0);
  await expectNoTickTwice();
});
