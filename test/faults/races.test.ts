// Faults of one race: its start moves, a runner is renamed, an emergency gets a start late, the market closes and
// reopens. The race keeps its id, set-once stamps stay, and ticks of one runner never become another's.

import { signalAllUnseen } from '../../src/activities/races/signal-unseen';
import { runnerKey } from '../../src/domain/race/runner';
import { raceWorkflowId } from '../../src/workflows/contract';
import { at, BOOKS, type FaultLab, MINUTE, NOON, openFaultLab, quotesOf } from './lab';

const START = NOON + 25 * MINUTE;
const RACE = { startMs: START, venue: 'Flemington', runners: 9, jumpDelaySeconds: 30 };

let lab: FaultLab;
let raceId: string;

beforeEach(async () => {
  lab = await openFaultLab([RACE]);
  await lab.discover();
  raceId = await lab.raceId('flemington', 1);
});
afterEach(() => lab.close());

describe('start_moved_twice', () => {
  const header = () => lab.deps.stores.races.raceHeader(raceId);

  test('the race keeps its id, counts both moves, and its workflow gets a signal for each', async () => {
    await lab.poll(raceId, ...BOOKS);
    await lab.on('start_moved_twice');
    lab.clock.nowMs = START - 20 * MINUTE;
    await lab.live(raceId, 3 * MINUTE);
    expect(await header()).toMatchObject({ startTime: at(START + 7 * MINUTE), startVersion: 3 });
    expect(await lab.query('SELECT race_id FROM races')).toEqual([{ race_id: raceId }]);
    expect(lab.signals).toEqual(
      [4, 7].map((minutes, i) => ({
        workflow: raceWorkflowId(raceId),
        signal: 'startMoved',
        args: [{ advertisedStart: at(START + minutes * MINUTE), version: 2 + i }],
      })),
    );
  });

  test('two moves between two lists are one move, found by the list', async () => {
    await lab.live(raceId, 0);
    await lab.on('start_moved_twice');
    lab.clock.nowMs = START - 15 * MINUTE;
    expect(await lab.discover()).toMatchObject({ created: 0, startsMoved: 1, refused: 0 });
    expect(await header()).toMatchObject({ startTime: at(START + 7 * MINUTE), startVersion: 2 });
    expect(lab.signals).toHaveLength(1);
  });

  test('a signal that fails is repeated until the workflow has the start, and no book is affected', async () => {
    await lab.poll(raceId, ...BOOKS);
    await lab.on('start_moved_twice');
    lab.clock.nowMs = START - 20 * MINUTE;
    lab.temporal.failures = 1;
    await lab.live(raceId, 3 * MINUTE);
    expect(await header()).toMatchObject({ startTime: at(START + 7 * MINUTE), startVersion: 3 });
    const row = await lab.deps.stores.control.readControl(raceId);
    expect(row).toMatchObject({ advertisedStart: at(START + 7 * MINUTE), startVersion: 3, unseen: null });
    for (const book of BOOKS) expect(await lab.counts(book)).toEqual({});
  });

  test.each([
    ['discovery', () => lab.discover()],
    ['the sweep', () => signalAllUnseen(lab.deps)],
  ])('after a process was killed between the write and the signal: %s signals it', async (_, repair) => {
    await lab.live(raceId, 0);
    await lab.query(
      "UPDATE races SET start_time = start_time + interval '4 minutes', start_version = start_version + 1 WHERE race_id = $1",
      [raceId],
    );
    await lab.on('start_moved_twice');
    lab.clock.nowMs = START - 19 * MINUTE;
    lab.temporal.failures = 1;
    await repair();
    expect(lab.signals).toEqual([]);
    await repair();
    const { startTime, startVersion } = (await header())!;
    expect(lab.signals.map(({ args }) => args)).toEqual([[{ advertisedStart: startTime, version: startVersion }]]);
    await repair();
    expect(lab.signals).toHaveLength(1);
  });

  test('moves that only a lower-ranked book reports are ignored', async () => {
    await lab.on('start_moved_twice', { book: 'tab' });
    lab.clock.nowMs = START - 15 * MINUTE;
    await lab.poll(raceId, ...BOOKS);
    await lab.discover();
    expect(await header()).toMatchObject({ startTime: at(START), startVersion: 1 });
    expect(lab.signals).toEqual([]);
  });
});

describe('runner_renamed', () => {
  const ticks = () =>
    lab.query<{ runner_key: string; bookmaker_key: string; captured_at: string }>(
      'SELECT runner_key, bookmaker_key, captured_at FROM price_ticks WHERE runner_number = 1 ORDER BY captured_at, 2',
    );

  test('ticks of the old name stay under the old key; the new name starts again under the same number', async () => {
    await lab.poll(raceId, ...BOOKS);
    const before = await ticks();
    await lab.on('runner_renamed');
    const newKey = runnerKey(lab.simulator.worldOf('tab').meetings('2026-11-21')[0]!.races[0]!.runners[0]!.name);
    const switchedMs = lab.clock.nowMs;
    lab.clock.nowMs += MINUTE;
    // The best-ranked book comes first: before it reports the new name, the other books' rows for that number are
    // contradicted.
    for (const book of BOOKS) await lab.poll(raceId, book);
    const after = await ticks();
    expect(after.slice(0, before.length)).toEqual(before);
    const fresh = after.slice(before.length);
    expect(fresh.map((tick) => [tick.runner_key, tick.bookmaker_key])).toEqual(
      [...BOOKS].sort().map((book) => [newKey, book]),
    );
    for (const tick of fresh) expect(Date.parse(tick.captured_at)).toBeGreaterThan(switchedMs);
    expect(await lab.query('SELECT runner_key FROM race_runners WHERE number = 1')).toEqual([{ runner_key: newKey }]);
    for (const book of BOOKS) expect((await quotesOf(lab, raceId, book)).runner_keys[0]).toBe(newKey);
  });

  test('at one lower-ranked book its row for that number is dropped and counted, and is not a price of the horse on the card', async () => {
    await lab.poll(raceId, ...BOOKS);
    const card = 'SELECT number, name, scratched FROM race_runners ORDER BY number';
    const before = await lab.query(card);
    await lab.on('runner_renamed', { book: 'tab' });
    lab.clock.nowMs += MINUTE;
    const ticked = await ticks();
    expect((await lab.poll(raceId, ...BOOKS)).map((report) => report.kind)).toEqual(Array(4).fill('answered'));
    expect(await lab.query(card)).toEqual(before);
    const tab = await quotesOf(lab, raceId, 'tab');
    expect(tab.win.map((price) => price !== null)).toEqual([false, ...Array(8).fill(true)]);
    expect((await ticks()).filter((tick) => tick.bookmaker_key === 'tab')).toEqual(
      ticked.filter((tick) => tick.bookmaker_key === 'tab'),
    );
    expect(await lab.counts('tab')).toEqual({ 'dropped runner_contradicted': 1 });
    await lab.off('runner_renamed');
    lab.clock.nowMs += MINUTE;
    await lab.poll(raceId, 'tab');
    expect((await quotesOf(lab, raceId, 'tab')).win[0]).toBeGreaterThan(1);
  });
});

describe('late_emergencies', () => {
  test('the emergency has a start and prices, the starter is scratched late, the other emergency is scratched', async () => {
    lab.clock.nowMs = START - 20 * MINUTE;
    await lab.on('late_emergencies');
    await lab.poll(raceId, ...BOOKS);
    lab.clock.nowMs += 5 * MINUTE;
    await lab.poll(raceId, ...BOOKS);
    const card = await lab.query<Record<string, unknown>>(
      'SELECT number, emergency, scratched, late, scratched_at, win_deduction FROM race_runners ORDER BY number',
    );
    expect(card.map((row) => row.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(card.slice(0, 8).every((row) => row.scratched === false)).toBe(true);
    const changedAt = START - 20 * MINUTE;
    expect(card[8]).toMatchObject({ scratched: true, late: true, scratched_at: at(changedAt) });
    expect(card[8]!.win_deduction).toBeGreaterThan(0);
    expect(card[9]).toMatchObject({ emergency: true, scratched: false });
    expect(card[10]).toMatchObject({ emergency: true, scratched: true, scratched_at: at(changedAt + MINUTE) });
    for (const book of BOOKS) {
      const { win } = await quotesOf(lab, raceId, book);
      expect({ book, priced: win.map((price) => price !== null) }).toEqual({
        book,
        priced: card.map((row) => row.scratched === false),
      });
    }
  });
});

describe('market_reopened', () => {
  const market = async () =>
    (
      await lab.query<{ market_status: string; market_closed_at: string | null; market_state_source: string }>(
        'SELECT market_status, market_closed_at, market_state_source FROM races',
      )
    )[0]!;

  test('market_closed_at is set once and never changed; after the reopening prices and ticks are written again', async () => {
    lab.clock.nowMs = START - 11 * MINUTE;
    await lab.on('market_reopened');
    await lab.poll(raceId, ...BOOKS);
    expect(await market()).toMatchObject({ market_status: 'OPEN', market_closed_at: null });
    const closedAt = START - 9.5 * MINUTE;
    lab.clock.nowMs = closedAt;
    await lab.poll(raceId, ...BOOKS);
    expect(await market()).toEqual({
      market_status: 'CLOSED',
      market_closed_at: at(closedAt),
      market_state_source: 'pointsbetau',
    });
    const ticks = 'SELECT bookmaker_key, max(captured_at) AS last FROM price_ticks GROUP BY 1 ORDER BY 1';
    const closedTicks = await lab.query<{ last: string }>(ticks);
    for (const { last } of closedTicks) expect(Date.parse(last)).toBeLessThan(closedAt);

    lab.clock.nowMs = START - 5 * MINUTE;
    await lab.poll(raceId, 'pointsbetau');
    expect(await market()).toMatchObject({ market_status: 'OPEN', market_closed_at: at(closedAt) });
    await lab.poll(raceId, ...BOOKS.filter((book) => book !== 'pointsbetau'));
    const reopened = await lab.query<{ bookmaker_key: string; last: string }>(ticks);
    // A book whose prices equal those from before the closure has no new tick.
    const moved = reopened
      .filter(({ last }) => last === at(START - 5 * MINUTE))
      .map(({ bookmaker_key }) => bookmaker_key);
    expect(moved).toContain('pointsbetau');
    expect(moved.length).toBeGreaterThanOrEqual(BOOKS.length - 1);

    lab.clock.nowMs = START + 5 * MINUTE;
    await lab.poll(raceId, 'pointsbetau');
    expect(await market()).toMatchObject({ market_status: 'CLOSED', market_closed_at: at(closedAt) });
  });

  test('the live tier reports to the workflow that the market closed, and then that it reopened', async () => {
    await lab.on('market_reopened');
    lab.clock.nowMs = START - 11 * MINUTE;
    const closed = await lab.live(raceId, 3 * MINUTE);
    expect(closed.outcome).toMatchObject({ kind: 'market-closed' });
    const reportedMs = Date.parse((closed.outcome as { at: string }).at);
    expect(reportedMs).toBeGreaterThanOrEqual(START - 10 * MINUTE);
    expect(reportedMs).toBeLessThan(START - 9.5 * MINUTE);
    const again = await lab.live(raceId, 3 * MINUTE, { marketShut: true });
    expect(again.outcome).toMatchObject({ kind: 'market-reopened' });
    expect(Date.parse((again.outcome as { at: string }).at)).toBeGreaterThanOrEqual(START - 8.5 * MINUTE);
  });
});

test('meeting_abandoned: reported by every book whose format has it, without a price after it', async () => {
  await lab.poll(raceId, ...BOOKS);
  await lab.on('meeting_abandoned');
  lab.clock.nowMs += 5 * MINUTE;
  const ticks = await lab.query('SELECT count(*)::int AS n FROM price_ticks');
  const reports = await lab.poll(raceId, ...BOOKS);
  const stages = reports.map((report) => (report.kind === 'answered' ? (report.result?.stage ?? null) : report.kind));
  expect(stages).toEqual(['abandoned', 'abandoned', null, 'abandoned']);
  expect(await lab.query('SELECT count(*)::int AS n FROM price_ticks')).toEqual(ticks);
});
