// Faults of transport. Whatever the fault, the stored prices must stay and age, exactly one failure must be counted
// with its reason, and no other book may be affected.
import { at, BOOKS, type FaultLab, MINUTE, NOON, openFaultLab, quotesOf, SECOND } from './lab';

const RACE = { startMs: NOON + 20 * MINUTE, venue: 'Flemington', runners: 9 };
const OTHERS = BOOKS.filter((key) => key !== 'tab');

let lab: FaultLab;
afterEach(() => lab.close());

/** Runs `work` while TAB fails; a fault that times out gets a short timeout. */
const withFault = <T>(reason: string, work: () => Promise<T>): Promise<T> =>
  reason === 'timeout' ? lab.briefly('tab', work) : work();

const FAULTS = [
  ['blocked', 'blocked'],
  ['server_error', 'http_error'],
  ['hanging', 'timeout'],
  ['slow_loris', 'timeout'],
  ['connection_reset', 'network'],
  ['truncated_json', 'malformed'],
  ['html_with_200', 'blocked'],
  ['wrong_content_type', 'wrong_content_type'],
  ['gzip_bomb', 'too_large'],
  ['rate_limited', 'rate_limited'],
] as const;

test.each(FAULTS)(
  '%s of a list and of a race: nothing is written, the failure is counted as %s, and the other books continue',
  async (fault, reason) => {
    lab = await openFaultLab([RACE]);
    await lab.discover();
    const races = await lab.query('SELECT * FROM races');
    const links = await lab.query('SELECT race_id, bookmaker_key, source_race_id FROM race_books ORDER BY 2');
    await lab.on(fault, { book: 'tab' });
    expect(await withFault(reason, () => lab.discover())).toMatchObject({
      listed: OTHERS.length,
      created: 0,
      failedLists: 1,
    });
    // No race is lost or created.
    expect(await lab.query('SELECT * FROM races')).toEqual(races);
    expect(await lab.query('SELECT race_id, bookmaker_key, source_race_id FROM race_books ORDER BY 2')).toEqual(links);
    expect(await lab.counts('tab')).toEqual({ [`failed ${reason}`]: 1 });
    await lab.off(fault);

    const raceId = await lab.raceId('flemington', 1);
    lab.clock.nowMs += 30 * SECOND;
    const okMs = lab.clock.nowMs;
    await lab.poll(raceId, ...BOOKS);
    const before = await quotesOf(lab, raceId, 'tab');
    const ticks = 'SELECT count(*)::int AS n FROM price_ticks WHERE bookmaker_key = $1';
    const [ticksBefore] = await lab.query(ticks, ['tab']);

    await lab.on(fault, { book: 'tab' });
    lab.clock.nowMs += 30 * SECOND;
    const reports = await withFault(reason, () => lab.poll(raceId, ...BOOKS));
    expect(reports.map((report) => report.kind)).toEqual(BOOKS.map((key) => (key === 'tab' ? 'failed' : 'answered')));

    expect(await quotesOf(lab, raceId, 'tab')).toEqual(before);
    expect(await lab.query(ticks, ['tab'])).toEqual([ticksBefore]);
    expect(await lab.counts('tab')).toEqual({ [`failed ${reason}`]: 2 });
    const [health] = await lab.query(
      "SELECT status, last_ok_at, last_poll_at FROM connector_health WHERE connector = 'tab'",
    );
    expect(health).toEqual({ status: reason, last_ok_at: at(okMs), last_poll_at: at(lab.clock.nowMs) });
    for (const key of OTHERS) {
      expect((await quotesOf(lab, raceId, key)).polled_at).toBe(at(lab.clock.nowMs));
      expect(await lab.counts(key)).toEqual({});
    }

    await lab.off(fault);
    lab.clock.nowMs += 30 * SECOND;
    await lab.poll(raceId, 'tab');
    expect((await quotesOf(lab, raceId, 'tab')).polled_at).toBe(at(lab.clock.nowMs));
  },
);

test('rate_limited: the book is not polled again before its Retry-After is over, and the others keep their cadence', async () => {
  lab = await openFaultLab([{ ...RACE, startMs: NOON + 8 * MINUTE }]);
  await lab.discover();
  const raceId = await lab.raceId('flemington', 1);
  await lab.on('rate_limited', { book: 'tab', seconds: '40' });
  const { progress } = await lab.live(raceId, 59 * SECOND);
  // Polled at 0 s and 30 s, both with a Retry-After of 30 s; the limit ends at 40 s, but the next poll is due at 60 s.
  expect(await lab.counts('tab')).toEqual({ 'failed rate_limited': 2 });
  const tab = progress.books.find((book) => book.bookmakerKey === 'tab')!;
  expect(tab.notBeforeMs).toBeGreaterThanOrEqual(NOON + 60 * SECOND);
  expect(tab.notBeforeMs).toBeLessThan(NOON + 62 * SECOND);
  // The list, then every 15 s inside ten minutes (D21): at 0, 15, 30 and 45 s.
  const polls = await lab.query('SELECT connector, polls::int FROM connector_health ORDER BY connector');
  expect(polls).toEqual(BOOKS.map((connector) => ({ connector, polls: connector === 'tab' ? 1 + 2 : 1 + 4 })));
});

test.each(['hanging', 'slow_loris'])('%s: the other books are polled while one hangs', async (fault) => {
  lab = await openFaultLab([{ ...RACE, startMs: NOON + 8 * MINUTE }]);
  await lab.discover();
  const raceId = await lab.raceId('flemington', 1);
  await lab.on(fault, { book: 'tab' });
  await lab.live(raceId, 59 * SECOND, { hanging: 'tab' });
  const polls = await lab.query('SELECT connector, polls::int FROM connector_health ORDER BY connector');
  expect(polls).toEqual(BOOKS.map((connector) => ({ connector, polls: connector === 'tab' ? 1 : 1 + 4 })));
});
