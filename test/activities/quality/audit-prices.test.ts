// Audits against the simulated books over real HTTP, with polls between the readings of the audit as pollers would make
// them.

import { pollBook } from '../../../src/activities/polling/poll-book';
import { listedBooks, pollTargets } from '../../../src/activities/polling/race-books';
import type { AuditReport } from '../../../src/activities/quality/audit-prices';
import { auditPrices } from '../../../src/activities/quality/audit-prices';
import { auditRunId } from '../../../src/domain/quality/audit';
import type { BookRunner } from '../../../src/domain/race/feed-race';
import type { RacingSport } from '../../../src/domain/race/sport';
import type { Feed, FeedCall } from '../../../src/feeds/feed';
import { createReads } from '../../../src/store/reads/reads';
import { type ActivityLab, discovered, MINUTE, NOON, openLab } from '../lab';

const RACE = { startMs: NOON + 50 * MINUTE, runners: 8, order: [4, 2, 6, 1] };
const BOOKS = ['ladbrokes_au', 'neds', 'tab', 'betfair_ex_au'];
let lab: ActivityLab;
let raceId: string;
let runs = 0;

beforeAll(async () => {
  lab = await openLab([RACE], {}, BOOKS);
  raceId = await discovered(lab, 'live');
  await pollAll();
});
afterAll(() => lab.close());

type Shown = Pick<BookRunner, 'number' | 'win'>;
/** For a poll, what its mapper makes of the book; for an audit, what the book itself shows. */
type Changed = <R extends Shown>(runner: R, call: FeedCall) => R;

interface Row extends Record<string, unknown> {
  readonly odds: Record<string, unknown>;
  readonly fixedOdds: Record<string, unknown>;
}

/** The reply as the book would send it with other win prices. */
function shownAs(text: string, change: Changed, call: FeedCall): string {
  const body = JSON.parse(text) as { data?: { runners: Row[] }; runners?: Row[] };
  const of = (odds: Record<string, unknown>, key: string, number: unknown): void => {
    const win = odds[key] === 0 ? null : (odds[key] as number);
    odds[key] = change({ number: number as number, win }, call).win ?? 0;
  };
  for (const row of body.data?.runners ?? []) of(row.odds, 'fixed_win', row.runner_number);
  for (const row of (body.data ? [] : body.runners) ?? []) of(row.fixedOdds, 'returnWin', row.runnerNumber);
  return JSON.stringify(body);
}

/** The lab's feeds, with changes to what one book shows; and who was read for an audit. */
function feedsWith(changes: Readonly<Record<string, Changed | 'down'>>) {
  const read: string[] = [];
  const feeds = new Map(
    [...lab.deps.feeds].map(([key, feed]): [string, Feed] => {
      const change = changes[key];
      const fetchRace: Feed['fetchRace'] = async (id, call = {}) => {
        if (call.unstored) read.push(key);
        const onBody = (text: string) =>
          call.onBody?.(typeof change === 'function' ? shownAs(text, change, call) : text);
        const reply = await feed.fetchRace(id, { ...call, onBody });
        if (change === 'down' && call.unstored)
          return { kind: 'failed', reason: 'blocked', detail: 'HTTP 403', retryAfterMs: null, observedAt: now() };
        if (reply.kind !== 'ok' || typeof change !== 'function') return reply;
        return { ...reply, value: { ...reply.value, runners: reply.value.runners.map((one) => change(one, call)) } };
      };
      return [key, { ...feed, fetchRace }];
    }),
  );
  return { read, deps: { ...lab.deps, feeds } };
}

const now = () => new Date(lab.clock.nowMs).toISOString();

async function pollAll(deps = lab.deps): Promise<void> {
  const targets = pollTargets(raceId, new Date(RACE.startMs).toISOString(), await listedBooks(deps, raceId));
  // Whole: the test's changes to a reply do not change its ETag.
  for (const target of targets) await pollBook(deps, target, { epoch: 1, attempt: 1 }, { whole: true });
}

/** This much time passes between two readings, and the pollers poll. */
const polling =
  (deps: ActivityLab['deps'], ms = 20_000) =>
  async () => {
    lab.clock.nowMs += ms;
    await pollAll(deps);
  };

async function audit(
  deps: ActivityLab['deps'],
  { wait = polling(deps), sportKey = 'racing_horse' as RacingSport, run = `run ${++runs}` } = {},
) {
  const runId = auditRunId(run, sportKey);
  const report: AuditReport = await auditPrices(deps, { runId, sportKey }, wait);
  const reads = createReads(lab.db.pool);
  const row = (await reads.audit(runId, now()))!;
  return { report, row, findings: await reads.findings(runId, null, BOOKS) };
}

/** Win and place of three books, and the tote of TAB. */
const ROWS = 7 * RACE.runners;
const CLEAN = { diff_rows: 0, missing_api: 0, missing_source: 0 };

test('books that show what was stored agree, prices that move between the looks included; the exchange is never read', async () => {
  const { deps, read } = feedsWith({});
  const before = await lab.query('SELECT runner_number, win_price FROM price_ticks');
  const { report, row, findings } = await audit(deps);
  expect(report).toEqual({ verdict: 'ok', faults: 0, outliers: 0 });
  expect(row).toMatchObject({
    sport_key: 'racing_horse',
    market_type: 'win',
    status: 'ok',
    ...CLEAN,
    max_delta: 0,
    books_checked: 3,
    api_rows: ROWS,
    source_rows: ROWS,
    common_rows: ROWS,
    exact_matches: ROWS,
    races_checked: 1,
    outliers: 0,
  });
  expect(findings).toEqual([]);
  expect([...new Set(read)].sort()).toEqual(['ladbrokes_au', 'neds', 'tab']);
  // Prices moved during the audit, otherwise the test would show nothing.
  expect((await lab.query('SELECT runner_number, win_price FROM price_ticks')).length).toBeGreaterThan(before.length);
});

test('exactly the prices that differ from those served are found, each with its kind', async () => {
  const changed: Changed = (runner, { unstored }) => {
    if (!unstored) return runner.number === 5 ? { ...runner, win: null } : runner;
    if (runner.number === 3) return { ...runner, win: runner.win! + 0.4 };
    return runner.number === 4 ? { ...runner, win: null } : runner;
  };
  const { deps, read } = feedsWith({ tab: changed });
  await polling(deps)();
  const { report, row, findings } = await audit(deps);
  expect(report).toMatchObject({ verdict: 'differs', faults: 3 });
  expect(row).toMatchObject({
    status: 'differs',
    diff_rows: 1,
    missing_api: 1,
    missing_source: 1,
    max_delta: 0.4,
    api_rows: ROWS - 1,
    source_rows: ROWS - 1,
    common_rows: ROWS - 2,
    exact_matches: ROWS - 3,
  });
  const of = (status: string) => findings.filter((one) => one.status === status);
  expect(findings.map((one) => [one.bookmaker_key, one.race_id, one.event_key])).toEqual(
    Array(3).fill(['tab', raceId, [expect.any(String), expect.stringMatching(/^R\d+$/), '2026-11-21']]),
  );
  const diff = of('diff')[0]!;
  const absent = of('missing_source')[0]!;
  const extra = of('missing_api')[0]!;
  expect(diff.delta).toBe(0.4);
  expect(diff.message).toMatch(/^1 win price is served differently .* Its last poll is \d+ s old\.$/);
  const [served] = diff.api;
  expect(served!.selection).toMatch(/^3\. /);
  expect(diff.source).toEqual({ [served!.selection]: expect.closeTo(served!.price! + 0.4, 6) });
  expect(absent.api).toMatchObject([{ selection: expect.stringMatching(/^4\. /), price: expect.any(Number) }]);
  expect(Object.values(absent.source)).toEqual([null]);
  expect(extra.api).toMatchObject([{ selection: expect.stringMatching(/^5\. /), price: null }]);
  expect(Object.values(extra.source)).toEqual([expect.any(Number)]);
  // Three times for what differs, and once for what agrees.
  const times = (key: string) => read.filter((one) => one === key).length;
  expect(times('tab')).toBe(3);
  expect(times('neds')).toBeLessThan(3);
});

test('a served book that is no longer polled differs; an unreadable book is reported and is not a fault', async () => {
  const { deps } = feedsWith({
    neds: (one, { unstored }) => (unstored ? { ...one, win: one.win! + 1 } : one),
    tab: 'down',
  });
  await pollAll();
  const stuck = async (): Promise<void> => {
    lab.clock.nowMs += 45_000;
  };
  const { row, findings } = await audit(deps, { wait: stuck });
  expect(row.status).toBe('differs');
  const neds = findings.find(({ bookmaker_key }) => bookmaker_key === 'neds')!;
  expect(neds).toMatchObject({ status: 'diff' });
  expect(neds.api).toHaveLength(RACE.runners);
  expect(Number(/last poll is (\d+) s old/.exec(neds.message)![1])).toBeGreaterThan(120);
  expect(findings.filter(({ bookmaker_key }) => bookmaker_key === 'tab')).toMatchObject([
    { status: 'unread', message: 'Not read: the bookmaker refused the request.', delta: null, api: [], source: {} },
  ]);
  await pollAll();
  const down = await audit(feedsWith({ tab: 'down' }).deps);
  expect(down.row).toMatchObject({ status: 'ok', books_checked: 2, api_rows: 4 * RACE.runners });
});

test('a difference needs three readings; if a book fails after the first, only agreeing prices count', async () => {
  const { deps } = feedsWith({ tab: (one) => (one.number === 1 ? { ...one, win: null } : one) });
  const feed = deps.feeds.get('tab')!;
  let readings = 0;
  const fetchRace: Feed['fetchRace'] = async (id, call = {}) => {
    if (!call.unstored || ++readings === 1) return lab.deps.feeds.get('tab')!.fetchRace(id, call);
    return { kind: 'failed', reason: 'timeout', detail: 'no answer', retryAfterMs: null, observedAt: now() };
  };
  // No price moves in a millisecond: a book that is read slowly, while others are looked at again, agrees all the same.
  const polled = polling(deps, 1);
  await polled();
  const flapping = { ...deps, feeds: new Map([...deps.feeds, ['tab', { ...feed, fetchRace }] as const]) };
  const { row, findings } = await audit(flapping, { wait: polled });
  expect(readings).toBe(3);
  expect(row).toMatchObject({ status: 'ok', ...CLEAN, api_rows: ROWS - 1, books_checked: 3 });
  expect(findings).toEqual([]);
});

test('a run is carried out once; a sport without an upcoming race has nothing to compare', async () => {
  const first = await audit(lab.deps, { run: 'again' });
  const again = await audit(lab.deps, { run: 'again' });
  expect(again.report.verdict).toBeNull();
  expect(again.row).toEqual(first.row);
  const none = await audit(lab.deps, { sportKey: 'racing_greyhound' });
  expect(none.row).toMatchObject({ status: 'empty', api_rows: 0, books_checked: 0, max_delta: null, exact_matches: 0 });
});

test('a book is called for one race after another', async () => {
  const { boardReads } = lab.deps;
  const board: typeof boardReads.board = async (query) =>
    (await boardReads.board(query)).flatMap((race) => [race, race]);
  const calls: string[] = [];
  const feeds = [...lab.deps.feeds].map(([key, feed]): [string, Feed] => {
    const fetchRace: Feed['fetchRace'] = async (id, call = {}) => {
      if (call.unstored) calls.push(`${key} begins`);
      const reply = await feed.fetchRace(id, call);
      if (call.unstored) calls.push(`${key} ends`);
      return reply;
    };
    return [key, { ...feed, fetchRace }];
  });
  const { row } = await audit({ ...lab.deps, feeds: new Map(feeds), boardReads: { ...boardReads, board } });
  expect(row).toMatchObject({ status: 'ok', api_rows: 2 * ROWS });
  const ofTab = calls.filter((call) => call.startsWith('tab'));
  expect(ofTab.length).toBeGreaterThanOrEqual(4);
  expect(ofTab).toEqual(ofTab.map((_, i) => (i % 2 === 0 ? 'tab begins' : 'tab ends')));
});

test('when a part of a run fails the others end, and nothing continues beside the next attempt', async () => {
  let waiting = (): void => undefined;
  const waited = new Promise<void>((done) => {
    waiting = done;
  });
  const looks: Promise<unknown>[] = [];
  const findRaces: typeof lab.deps.boardReads.findRaces = async (...query) => {
    if (looks.length !== 2) {
      const look = lab.deps.boardReads.findRaces(...query);
      looks.push(look);
      return look;
    }
    // The other two have read and wait.
    await Promise.all([...looks, waited]);
    looks.push(Promise.resolve());
    throw new Error('statement timeout');
  };
  let goOn = (): void => undefined;
  const wait = () => {
    waiting();
    return new Promise<void>((done) => {
      goOn = done;
    });
  };
  const deps = { ...lab.deps, boardReads: { ...lab.deps.boardReads, findRaces } };
  await expect(audit(deps, { wait })).rejects.toThrow('statement timeout');
  goOn();
  await new Promise((turn) => setImmediate(turn));
  expect(looks).toHaveLength(3);
});

test('for a race that jumps while it is read, findings of three readings stand, with the age of the last poll; the rest counts against no book', async () => {
  const other: Changed = (one, { unstored }) => (unstored ? { ...one, win: one.win! + 1 } : one);
  const { deps, read } = feedsWith({ tab: other, neds: other, ladbrokes_au: 'down' });
  await pollAll(deps);
  const nedsIsAtItsSecond = Promise.withResolvers<void>();
  const tabIsDecided = Promise.withResolvers<void>();
  const readings = (book: string): number => read.filter((key) => key === book).length;
  // From here on only tab is read: neds waits in its second call, and the third book is never read.
  let tabIsRead = false;
  let isPolledSince = false;
  const fetchOf = (book: string): Feed['fetchRace'] => deps.feeds.get(book)!.fetchRace;
  const fetchTab: Feed['fetchRace'] = async (id, call = {}) => {
    const reply = await fetchOf('tab')(id, call);
    if (!call.unstored || readings('tab') < 3) return reply;
    await nedsIsAtItsSecond.promise;
    tabIsRead = true;
    return reply;
  };
  const fetchNeds: Feed['fetchRace'] = async (id, call = {}) => {
    const reply = await fetchOf('neds')(id, call);
    if (!call.unstored || readings('neds') < 2) return reply;
    nedsIsAtItsSecond.resolve();
    await tabIsDecided.promise;
    await lab.deps.stores.races.savePhase(raceId, 'jumped', { jumpedAt: now() }, now());
    return reply;
  };
  const polled = polling(deps);
  const wait = async () => {
    const isLast = tabIsRead;
    await polled();
    isPolledSince = isLast;
  };
  const findRaces: typeof deps.boardReads.findRaces = async (...query) => {
    const isLast = isPolledSince;
    const races = await deps.boardReads.findRaces(...query);
    if (isLast) tabIsDecided.resolve();
    return races;
  };
  const feeds = new Map([
    ...deps.feeds,
    ['tab', { ...deps.feeds.get('tab')!, fetchRace: fetchTab }] as const,
    ['neds', { ...deps.feeds.get('neds')!, fetchRace: fetchNeds }] as const,
  ]);
  const jumping = { ...deps, feeds, boardReads: { ...deps.boardReads, findRaces } };
  const { row, findings } = await audit(jumping, { wait });
  expect(row).toMatchObject({ status: 'differs', ...CLEAN, diff_rows: RACE.runners, max_delta: 1, books_checked: 2 });
  const [found, ...others] = findings.filter(({ status }) => status !== 'unread');
  expect([found!.bookmaker_key, found!.status, found!.delta, others]).toEqual(['tab', 'diff', 1, []]);
  expect(found!.message).toMatch(/ Its last poll is \d+ s old\.$/);
  expect(found!.api).toHaveLength(RACE.runners);
});
