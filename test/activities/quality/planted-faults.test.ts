// A mapper that reads its book wrongly does so in every poll. Each of these faults is planted in the mappers of all
// thirteen polled books at once, with the simulated books over real HTTP, and one audit finds it at every book; without
// a fault, an audit of the same books finds nothing.
import { pollBook } from '../../../src/activities/polling/poll-book';
import { listedBooks, pollTargets } from '../../../src/activities/polling/race-books';
import { auditPrices } from '../../../src/activities/quality/audit-prices';
import { auditRunId } from '../../../src/domain/quality/audit';
import { BOOK_TABLES } from '../../../src/domain/quality/second-reader/tables';
import type { BookRunner } from '../../../src/domain/race/feed-race';
import type { Feed } from '../../../src/feeds/feed';
import { createReads } from '../../../src/store/reads/reads';
import { type ActivityLab, discovered, MINUTE, NOON, openLab } from '../lab';

const BOOKS = Object.keys(BOOK_TABLES);
/** PlayUp is live only inside six minutes (D21), and both it and the others must be read. */
const RACE = { startMs: NOON + 50 * MINUTE, runners: 10, order: [4, 2, 6, 1] };
let lab: ActivityLab;
let raceId: string;

beforeAll(async () => {
  lab = await openLab([RACE], {}, BOOKS);
  raceId = await discovered(lab, 'live');
});
afterAll(() => lab.close());

type Fault = (runner: BookRunner) => BookRunner;

const FAULTS: Readonly<Record<string, Fault>> = {
  'a tenth of a price': (one) => {
    const tenth = one.win === null ? null : one.win / 10;
    return { ...one, win: tenth !== null && tenth > 1 ? tenth : null };
  },
  'place read as win': (one) => ({ ...one, win: one.place ?? one.win }),
  'prices of the next runner': (one) => one,
};

/** As if the book's mapper did this, in polls and audits alike. */
const withFault = (feed: Feed, fault: Fault, turned: boolean): Feed => ({
  ...feed,
  async fetchRace(id, call) {
    const reply = await feed.fetchRace(id, call);
    if (reply.kind !== 'ok') return reply;
    const { runners } = reply.value;
    const next = (i: number) => runners[(i + 1) % runners.length]!;
    const read = runners.map((one, i) => fault(turned ? { ...one, win: next(i).win } : one));
    return { ...reply, value: { ...reply.value, runners: read } };
  },
});

async function auditWith(name: string | null) {
  const fault: Fault = name === null ? (one) => one : FAULTS[name]!;
  const isTurned = name === 'prices of the next runner';
  const feeds = [...lab.deps.feeds].map(([key, feed]) => [key, withFault(feed, fault, isTurned)] as const);
  const deps = { ...lab.deps, feeds: new Map(feeds) };
  const poll = async (): Promise<void> => {
    const targets = pollTargets(raceId, new Date(RACE.startMs).toISOString(), await listedBooks(deps, raceId));
    for (const target of targets) await pollBook(deps, target, { epoch: 1, attempt: 1 }, { whole: true });
  };
  const wait = async (): Promise<void> => {
    lab.clock.nowMs += 20_000;
    await poll();
  };
  await wait();
  const runId = auditRunId(`${name}`, 'racing_horse');
  const report = await auditPrices(deps, { runId, sportKey: 'racing_horse' }, wait);
  const findings = await createReads(lab.db.pool).findings(runId, null, BOOKS);
  return { report, findings: findings.filter(({ status }) => status !== 'outlier') };
}

/** The books whose place prices the second reader has. */
const PLACED = ['sportsbet', 'tab', 'ladbrokes_au', 'neds', 'betr_au', 'betright', 'playup', 'dabble_au'];

test.each([
  ['a tenth of a price', 'win', BOOKS],
  // TABtouch's mapper joins its place prices to its runners by their win prices.
  ['place read as win', 'win', [...PLACED, 'tabtouch']],
  ['prices of the next runner', 'win', BOOKS],
])('%s is found at every book that has such prices', async (name, market, books) => {
  const { report, findings } = await auditWith(name);
  expect(report.verdict).toBe('differs');
  const found = findings.filter((one) => one.market === market && one.status !== 'unread');
  expect([...new Set(found.map(({ bookmaker_key }) => bookmaker_key))].sort()).toEqual([...books].sort());
});

test('without a fault an audit reads all thirteen and finds nothing', async () => {
  const { report, findings } = await auditWith(null);
  expect(findings).toEqual([]);
  expect(report).toMatchObject({ verdict: 'ok', faults: 0 });
  const [run] = await lab.query<{ books_checked: number }>(
    'SELECT books_checked FROM quality_audits ORDER BY started_at DESC LIMIT 1',
  );
  expect(run!.books_checked).toBe(13);
});
