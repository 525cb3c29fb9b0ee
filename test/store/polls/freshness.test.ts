// The freshness rule (`freshness_verdict`) against a plain model, and that every statement compares it again under the
// row lock.
import fc from 'fast-check';
import { runs } from '../../support/property';
import { feedField } from '../../support/races/builders';
import { storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { untilBlocked } from '../../support/servers/lock-waiters';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const MINUTE = 60;
/** Race time in seconds; 0 is the advertised start. */
interface Case {
  readonly stored: {
    readonly epoch: number;
    readonly attempt: number;
    readonly at: number | null;
    readonly bookAt: number | null;
    readonly hash: string | null;
    readonly captured: boolean;
    readonly status: string | null;
  };
  readonly race: { readonly status: string | null; readonly closedAt: number | null };
  readonly report: {
    readonly epoch: number;
    readonly attempt: number;
    readonly at: number;
    readonly bookAt: number | null;
    readonly hash: string | null;
    readonly whole: boolean;
  };
}

/** The same rule in the plainest code. */
function model({ stored, race, report }: Case): string {
  const newer = stored.epoch === report.epoch ? stored.attempt > report.attempt : stored.epoch > report.epoch;
  if (newer) return 'fenced';
  if (stored.bookAt !== null && report.bookAt !== null) {
    const behind = stored.bookAt - report.bookAt;
    if (behind > 0 && behind < 5 * MINUTE) return 'older';
  }
  if (stored.at !== null && report.at <= stored.at) return 'late';
  if (report.whole) return 'write';
  if (report.hash !== null && report.hash !== stored.hash) return 'resend';
  const marketOpen = race.status !== 'CLOSED' || (race.closedAt !== null && report.at < race.closedAt);
  const capturable = report.at >= -60 * MINUTE && stored.status !== 'CLOSED' && marketOpen;
  return capturable && !stored.captured ? 'write' : 'same';
}

const seconds = fc.constantFrom(-3900, -3601, -3600, -3599, -3301, -3300, -3299, -60, 0, 60);
const status = fc.constantFrom(null, 'OPEN', 'SUSPENDED', 'CLOSED');
const holder = { epoch: fc.constantFrom(1, 2), attempt: fc.constantFrom(1, 2) };
const hash = fc.constantFrom(null, 'a', 'b');
const aCase: fc.Arbitrary<Case> = fc.record({
  stored: fc.record({
    ...holder,
    at: fc.option(seconds),
    bookAt: fc.option(seconds),
    hash,
    captured: fc.boolean(),
    status,
  }),
  race: fc.record({ status, closedAt: fc.option(seconds) }),
  report: fc.record({ ...holder, at: seconds, bookAt: fc.option(seconds), hash, whole: fc.boolean() }),
});

const START_MS = Date.parse('2026-11-21T03:00:00.000Z');
const instant = (secs: number | null): string | null =>
  secs === null ? null : new Date(START_MS + secs * 1000).toISOString();

async function verdicts(cases: readonly Case[]): Promise<string[]> {
  const flat = cases.map(({ stored, race, report }) => ({
    se: stored.epoch,
    sa: stored.attempt,
    st: instant(stored.at),
    sb: instant(stored.bookAt),
    sh: stored.hash,
    sc: stored.captured,
    ss: stored.status,
    rs: race.status,
    rc: instant(race.closedAt),
    pe: report.epoch,
    pa: report.attempt,
    pt: instant(report.at),
    pb: instant(report.bookAt),
    ph: report.hash,
    pw: report.whole,
  }));
  const { rows } = await db.pool.query(
    `SELECT freshness_verdict(se, sa, st, sb, sh, sc, ss, $2, rs, rc, pe, pa, pt, pb, ph, pw) AS verdict
       FROM ROWS FROM (jsonb_to_recordset($1) AS (se int, sa int, st timestamptz, sb timestamptz, sh text, sc boolean, ss text,
                       rs text, rc timestamptz, pe int, pa int, pt timestamptz, pb timestamptz, ph text, pw boolean))
              WITH ORDINALITY AS c ORDER BY ordinality`,
    [JSON.stringify(flat), instant(0)],
  );
  return rows.map((row) => row.verdict);
}

test('every case has the verdict of the plain model', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(aCase, { minLength: 100, maxLength: 100 }), async (cases) => {
      const wanted = cases.map(model);
      for (const verdict of wanted) seen.add(verdict);
      expect(await verdicts(cases)).toEqual(wanted);
    }),
    { numRuns: runs(40) },
  );
  expect([...seen].sort()).toEqual(['fenced', 'late', 'older', 'resend', 'same', 'write']);
});

const planOf = async (statement: string, values: unknown[]): Promise<string> => {
  const { rows } = await db.pool.query(`EXPLAIN (VERBOSE) ${statement}`, values);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
};
const RULES = /freshness_verdict|captures_prices|capture_window/;

/** A statement of a function, read from the database, with parameters in place of the arguments. */
async function statementOf(name: string, statement: RegExp, types: Readonly<Record<string, string>>): Promise<string> {
  const { rows } = await db.pool.query('SELECT prosrc FROM pg_proc WHERE proname = $1', [name]);
  const text = statement.exec(rows[0].prosrc)![0].replace('INTO stored', '');
  return Object.entries(types).reduce(
    (all, [argument, type], i) => all.replace(new RegExp(`\\b${argument}\\b`, 'g'), `$${i + 1}::${type}`),
    text,
  );
}

const readOfWritePoll = (): Promise<string> =>
  statementOf('write_poll', /SELECT b\.xmin[\s\S]*?p_book;/, {
    p_race: 'uuid',
    p_book: 'text',
    p_epoch: 'integer',
    p_attempt: 'integer',
    p_at: 'timestamptz',
    p_book_at: 'timestamptz',
    p_reply_hash: 'text',
    p_reply: 'text',
  });

const updateOfStampPolls = (): Promise<string> =>
  statementOf('stamp_polls', /UPDATE race_books[\s\S]*?;/, {
    p_races: 'uuid[]',
    p_books: 'text[]',
    p_epochs: 'integer[]',
    p_attempts: 'integer[]',
    p_ats: 'timestamptz[]',
    p_book_ats: 'timestamptz[]',
    p_hashes: 'text[]',
  });

test('the rule is inlined into the batch and into the read of a single poll: no call is left', async () => {
  const uuid = '00000000-0000-0000-0000-000000000000';
  const at = instant(0);
  const batch = await planOf(await updateOfStampPolls(), [[uuid], ['tab'], [1], [1], [at], [at], ['a']]);
  const single = await planOf(await readOfWritePoll(), [uuid, 'tab', 1, 1, at, at, 'a', '()']);
  for (const plan of [batch, single]) {
    expect(plan).toMatch(/CASE WHEN \(ROW\(b\.epoch, b\.attempt\) >/);
    expect(plan).not.toMatch(RULES);
  }
});

test('the test of inlining detects a remaining call', async () => {
  await db.pool.query('CREATE FUNCTION not_inlined(text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN $1; END $$');
  try {
    expect(await planOf('SELECT not_inlined(market_status) FROM races', [])).toMatch(/not_inlined/);
  } finally {
    await db.pool.query('DROP FUNCTION not_inlined(text)');
  }
});

test.each([
  ['an equal reply', { runners: feedField(2) }],
  ['a changed reply', { runners: feedField(9) }],
])('%s that waits for the row is compared with what the other writer wrote', async (_what, snapshot) => {
  const { raceId, before, poll } = await storeRace(db, { venue: `Waiting ${snapshot.runners[0]!.win}` });
  await poll(1800, { runners: feedField(2) }, { bookAt: before(1801) });
  const writer = await db.pool.connect();
  try {
    await writer.query('BEGIN');
    await writer.query('UPDATE race_books SET book_at = $2 WHERE race_id = $1', [raceId, before(1700)]);
    const verdict = poll(1690, snapshot, { bookAt: before(1750) });
    await untilBlocked(db.pool, writer);
    await writer.query('COMMIT');
    expect(await verdict).toMatchObject({ outOfOrder: true, changed: 0, startVersion: 1 });
  } finally {
    writer.release();
  }
  const { rows } = await db.pool.query('SELECT polled_at, win FROM race_books WHERE race_id = $1', [raceId]);
  expect(rows).toEqual([{ polled_at: before(1800), win: [2] }]);
});

test('a fenced poller’s verdict is fenced, even if its reply is also older', async () => {
  const { raceId, before, poll, stores } = await storeRace(db, { venue: 'Fenced' });
  await poll(1800, { runners: feedField(2) }, { bookAt: before(1801) });
  await stores.control.claim(raceId, 1, 2, before(1790));
  const verdict = await poll(1780, { runners: feedField(3) }, { bookAt: before(1850) });
  expect(verdict).toMatchObject({ fenced: true, outOfOrder: false });
});

test('a market that closed at an unknown instant captures nothing, and its other books may still be polled', async () => {
  const { raceId, poll } = await storeRace(db, { venue: 'Closed' });
  await db.pool.query(`UPDATE races SET market_status = 'CLOSED', market_closed_at = NULL WHERE race_id = $1`, [
    raceId,
  ]);
  expect(await poll(1800, { runners: feedField(2) })).toMatchObject({ changed: 1, ticks: 0 });
});
