// The data for closing lines; the last poll that still showed a price is not lost with the poll that removed it.
import fc from 'fast-check';
import { closingLine } from '../../../../src/domain/clv/closing-line';
import type { MarketStatus } from '../../../../src/domain/race/race';
import { createQuoteStore } from '../../../../src/store/polls/quotes';
import { captureBound } from '../../../../src/store/reads/prices/captured-prices';
import { CLOSING, readClosingPrices } from '../../../../src/store/reads/prices/closing-prices';
import { runs } from '../../../support/property';
import { addRace } from '../../../support/races/board';
import { feedField, feedRunner, raceSnapshot } from '../../../support/races/builders';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database';

const START = '2026-11-21T03:00:00.000Z';
const startMs = Date.parse(START);
/** An instant this many seconds before the start. */
const ahead = (seconds: number) => new Date(startMs - seconds * 1000).toISOString();
const from = captureBound([startMs]);

let db: TestDatabase;
let raceNumber = 0;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

type Wins = readonly (number | null)[];

/** A race that TAB quoted like this an hour before its start. */
async function race(...wins: Wins): Promise<string> {
  raceNumber++;
  const first = { at: ahead(3595), runners: feedField(...wins) };
  return (await addRace(db.pool, { startTime: START, raceNumber }, { tab: first })).raceId;
}

const poll = (raceId: string, seconds: number, wins: Wins, marketStatus: MarketStatus | null = null) =>
  createQuoteStore(db.pool).savePoll({
    raceId,
    bookmakerKey: 'tab',
    fence: { epoch: 1, attempt: 1 },
    observedAt: ahead(seconds),
    bookAt: null,
    snapshot: raceSnapshot({ runners: feedField(...wins), marketStatus }),
    marketStateSource: false,
    startSource: false,
  });

/** The book that closes at the jump closes the market this many seconds before the start: nothing more is captured. */
async function shutMarket(raceId: string, seconds: number): Promise<void> {
  const sql = `UPDATE races SET market_status = 'CLOSED', market_closed_at = $2, market_state_source = 'pointsbetau' WHERE race_id = $1`;
  await db.pool.query(sql, [raceId, ahead(seconds)]);
}

const read = (raceId: string, number = 1, bookmakers = ['tab']) =>
  readClosingPrices(db.pool, { runners: [{ raceId, number }], bookmakers, from });

/** The close of the only series: `price@seconds before the start`, with how many prices were captured. */
async function close(raceId: string, number = 1): Promise<string> {
  const [series] = await read(raceId, number);
  const line = closingLine(series!, { startMs, jumpMs: startMs })!;
  return `${line.closePrice}@${line.closeSecsToJump} of ${line.points}`;
}

test('prices in time order, each with the last poll that observed it', async () => {
  const raceId = await race(2.5, 4.2);
  await poll(raceId, 1200.5, [2.4, 4.2]);
  await poll(raceId, 30, [2.4, 4.4]);
  await poll(raceId, 22, [2.4, 4.4]);
  expect(await read(raceId)).toEqual([
    {
      raceId,
      number: 1,
      bookmaker: 'tab',
      atMs: [startMs - 3_595_000, startMs - 1_200_500],
      prices: [2.5, 2.4],
      stands: [
        { fromMs: startMs - 3_595_000, seenMs: startMs - 3_595_000 },
        { fromMs: startMs - 1_200_500, seenMs: startMs - 22_000 },
      ],
    },
  ]);
});

describe('place prices', () => {
  const runners = (win: number, place: number | null) => [feedRunner(1, { win, place }), feedRunner(2, { win: 3 })];
  const placed = async (...polls: readonly (readonly [seconds: number, win: number, place: number | null])[]) => {
    raceNumber++;
    const [[at, win, place], ...later] = polls as [(typeof polls)[number], ...typeof polls];
    const first = { at: ahead(at), runners: runners(win, place) };
    const { raceId } = await addRace(db.pool, { startTime: START, raceNumber }, { tab: first });
    for (const [seconds, nowWin, nowPlace] of later)
      await createQuoteStore(db.pool).savePoll({
        raceId,
        bookmakerKey: 'tab',
        fence: { epoch: 1, attempt: 1 },
        observedAt: ahead(seconds),
        bookAt: null,
        snapshot: raceSnapshot({ runners: runners(nowWin, nowPlace) }),
        marketStateSource: false,
        startSource: false,
      });
    const wanted = [1, 2].map((number) => ({ raceId, number }));
    const series = await readClosingPrices(db.pool, { runners: wanted, bookmakers: ['tab'], from, market: 'place' });
    return series.map((one) => {
      const line = closingLine(one, { startMs, jumpMs: startMs })!;
      return `${one.number}: ${line.closePrice}@${line.closeSecsToJump} of ${line.points}`;
    });
  };

  test('are captured with the win price; a runner without one has no series', async () => {
    expect(await placed([900, 3, 1.5], [600, 3.2, 1.6], [9, 3.2, 1.6])).toEqual(['1: 1.6@9 of 2']);
  });

  test('count as last observed before their withdrawal, and stand again when they return', async () => {
    expect(await placed([900, 3, 1.5], [412, 3, 1.5], [404, 3.2, null], [9, 3.2, null])).toEqual(['1: 1.5@412 of 1']);
    expect(await placed([900, 3, 1.5], [404, 3.2, null], [60, 3.4, 1.7], [9, 3.4, 1.7])).toEqual(['1: 1.7@9 of 2']);
    expect(await placed([900, 3, null], [404, 3.2, null])).toEqual([]);
  });

  test('are not carried to later polls if they moved alone and those polls showed another', async () => {
    expect(await placed([900, 3, 1.5], [404, 3, 1.7], [9, 3, 1.7])).toEqual(['1: 1.5@900 of 1']);
    expect(await placed([900, 3, 1.5], [404, 3, null], [9, 3, null])).toEqual(['1: 1.5@900 of 1']);
  });
});

test('an unchanged price is observed at the last poll; if polled after the jump, it was offered at the jump', async () => {
  const raceId = await race(2.5, 4.2);
  await poll(raceId, 9, [2.5, 4.2]);
  expect(await close(raceId)).toBe('2.5@9 of 1');
  await poll(raceId, -2, [2.5, 4.2]);
  expect(await close(raceId)).toBe('2.5@0 of 1');
});

test('a price that is withdrawn after the jump was last observed at the poll before', async () => {
  const raceId = await race(2.5, 4.2);
  for (const seconds of [900, 12, 4]) await poll(raceId, seconds, [2.5, 4.2]);
  await poll(raceId, -4, [null, null]);
  expect(await close(raceId)).toBe('2.5@4 of 1');
  await poll(raceId, -12, [null, null]);
  expect(await close(raceId)).toBe('2.5@4 of 1');
});

test('a price that is withdrawn long before the jump is not carried to it', async () => {
  const raceId = await race(2.5, 4.2);
  for (const seconds of [900, 412]) await poll(raceId, seconds, [2.5, 4.2]);
  for (const seconds of [404, 3]) await poll(raceId, seconds, [null, 4.2]);
  expect(await close(raceId)).toBe('2.5@412 of 1');
  expect(await close(raceId, 2)).toBe('4.2@3 of 1');
});

test('a price offered again after the jump was not observed in between', async () => {
  const raceId = await race(2.5, 4.2);
  for (const seconds of [900, 412]) await poll(raceId, seconds, [2.5, 4.2]);
  for (const seconds of [404, 3]) await poll(raceId, seconds, [null, null]);
  await poll(raceId, -60, [2.3, 4.2]);
  await poll(raceId, -68, [2.3, 4.2]);
  expect([await close(raceId), await close(raceId, 2)]).toEqual(['2.5@412 of 1', '4.2@412 of 1']);
});

test('a price withdrawn before the jump and offered again after it did not stand at the jump', async () => {
  const raceId = await race(2.5, 4.2);
  for (const seconds of [900, 412]) await poll(raceId, seconds, [2.5, 4.2]);
  for (const seconds of [404, 3]) await poll(raceId, seconds, [null, 4.2]);
  for (const seconds of [-60, -68]) await poll(raceId, seconds, [2.5, 4.2]);
  expect([await close(raceId), await close(raceId, 2)]).toEqual(['2.5@412 of 1', '4.2@0 of 1']);
  await poll(raceId, -76, [null, null], 'CLOSED');
  expect([await close(raceId), await close(raceId, 2)]).toEqual(['2.5@412 of 1', '4.2@0 of 1']);
});

test('a price offered again before the jump did stand at it, whatever follows', async () => {
  const raceId = await race(2.5, 4.2);
  await poll(raceId, 412, [2.5, 4.2]);
  for (const seconds of [404, 120]) await poll(raceId, seconds, [null, 4.2]);
  for (const seconds of [112, 6]) await poll(raceId, seconds, [2.5, 4.2]);
  await poll(raceId, -2, [null, 4.2]);
  await poll(raceId, -10, [2.5, 4.4]);
  expect([await close(raceId), await close(raceId, 2)]).toEqual(['2.5@6 of 1', '4.2@0 of 1']);
});

test('a race that jumped before breaks were stored uses the poll before the book’s last change', async () => {
  const raceId = await race(2.5, 4.2);
  for (const seconds of [900, 6]) await poll(raceId, seconds, [2.5, 4.2]);
  await poll(raceId, -2, [null, 4.2]);
  await db.pool.query('DELETE FROM price_breaks WHERE race_id = $1', [raceId]);
  expect([await close(raceId), await close(raceId, 2)]).toEqual(['2.5@6 of 1', '4.2@0 of 1']);
});

test('a closed book offers nothing: prices that it still shows are not observed', async () => {
  const raceId = await race(2.5, 4.2);
  await poll(raceId, 70, [2.5, 4.2], 'OPEN');
  await poll(raceId, 62, [2.5, 4.2], 'CLOSED');
  await poll(raceId, 5, [2.5, 4.2], 'CLOSED');
  expect(await close(raceId)).toBe('2.5@70 of 1');
  await poll(raceId, -3, [null, null], 'CLOSED');
  expect(await close(raceId)).toBe('2.5@70 of 1');
});

test('a price that moved while the race’s market was closed early is not carried to the jump', async () => {
  const raceId = await race(2.5, 4.2);
  await shutMarket(raceId, 120);
  for (const seconds of [100, 38]) await poll(raceId, seconds, [2.5, 4.2]);
  for (const seconds of [30, 3]) await poll(raceId, seconds, [2.1, 4.2]);
  expect(await close(raceId)).toBe('2.5@38 of 1');
  expect(await close(raceId, 2)).toBe('4.2@3 of 1');
});

test('a suspended book still shows its price', async () => {
  const raceId = await race(2.5, 4.2);
  await poll(raceId, 6, [2.5, 4.2], 'SUSPENDED');
  expect(await close(raceId)).toBe('2.5@6 of 1');
});

test('a move after the jump ends the price before it', async () => {
  const raceId = await race(2.5, 4.2);
  await poll(raceId, 5, [2.5, 4.2]);
  await poll(raceId, -3, [2.2, 4.2]);
  expect(await close(raceId)).toBe('2.5@5 of 1');
  expect(await close(raceId, 2)).toBe('4.2@0 of 1');
});

test('the price at the jump was observed before it, however often the book moves after it', async () => {
  const raceId = await race(2.5, 4.2, 8);
  await poll(raceId, 13, [2.5, 4.2, 7.5]);
  await poll(raceId, 5, [2.5, 4.2, 7.5]);
  await poll(raceId, -3, [2.2, 4.2, 7.5]);
  expect([await close(raceId), await close(raceId, 2)]).toEqual(['2.5@5 of 1', '4.2@0 of 1']);
  await poll(raceId, -11, [2.2, 4.4, 7.5]);
  await poll(raceId, -19, [2.2, 4.4, 7.5], 'CLOSED');
  expect([await close(raceId), await close(raceId, 2)]).toEqual(['2.5@5 of 1', '4.2@0 of 1']);
});

test('a withdrawn price was observed until then, even if other prices move after it', async () => {
  const raceId = await race(2.5, 4.2);
  for (const seconds of [900, 420]) await poll(raceId, seconds, [2.5, 4.2]);
  await poll(raceId, 120, [2.5, 4.3]);
  await poll(raceId, 112, [null, 4.3]);
  expect(await close(raceId)).toBe('2.5@120 of 1');
  await poll(raceId, 40, [null, 4.4]);
  await poll(raceId, 5, [null, 4.5]);
  expect(await close(raceId)).toBe('2.5@120 of 1');
});

test('when another runner takes over a number, its prices start anew', async () => {
  const raceId = await race(3, 5);
  await createQuoteStore(db.pool).savePoll({
    raceId,
    bookmakerKey: 'tab',
    fence: { epoch: 1, attempt: 1 },
    observedAt: ahead(300),
    bookAt: null,
    snapshot: raceSnapshot({ runners: [feedRunner(1, { win: 3 }), feedRunner(2, { win: 9, name: 'Late Entry' })] }),
    marketStateSource: false,
    startSource: false,
  });
  expect(await close(raceId, 2)).toBe('9@300 of 1');
  expect(await close(raceId, 1)).toBe('3@300 of 1');
});

test('one query reads several races, for the given runners and books only; runners without captured prices are left out', async () => {
  const one = await race(2, 3, 4);
  const other = await race(5, 6, null);
  const runners = [
    { raceId: one, number: 1 },
    { raceId: one, number: 3 },
    { raceId: one, number: 3 },
    { raceId: other, number: 2 },
    { raceId: other, number: 3 },
    { raceId: other, number: 9 },
  ];
  const found = await readClosingPrices(db.pool, { runners, bookmakers: ['tab', 'neds'], from });
  expect(found.map(({ raceId, number, prices }) => `${raceId} ${number} ${prices}`).sort()).toEqual(
    [`${one} 1 2`, `${one} 3 4`, `${other} 2 6`].sort(),
  );
  expect(await read(one, 1, ['neds'])).toEqual([]);
  expect(await readClosingPrices(db.pool, { runners: [], bookmakers: ['tab'], from })).toEqual([]);
});

test('a price from before the race’s own bound is left out, whatever older race is read with it', async () => {
  const postponed = await race(2);
  const other = await race(4);
  const later = new Date(startMs + 8 * 3_600_000).toISOString();
  await db.pool.query('UPDATE races SET start_time = $2 WHERE race_id = $1', [postponed, later]);
  const runners = [postponed, other].map((raceId) => ({ raceId, number: 1 }));
  const found = await readClosingPrices(db.pool, { runners, bookmakers: ['tab'], from });
  expect(found.map(({ raceId }) => raceId)).toEqual([other]);
});

test('the query uses the primary key, of only those chunks that can contain such prices', async () => {
  const raceId = await race(2, 3);
  const client = await db.pool.connect();
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO price_ticks (captured_at, race_id, bookmaker_key, runner_number, runner_key, secs_to_jump, win_price)
     SELECT $1::timestamptz - d * interval '1 day' - n * interval '1 second', gen_random_uuid(), 'tab', 1, 'x', 0, 2
     FROM generate_series(1, 3) d, generate_series(1, 400) n`,
    [START],
  );
  await client.query('SET LOCAL plan_cache_mode = force_generic_plan');
  await client.query('ANALYZE');
  await client.query('SET LOCAL enable_seqscan = off');
  await client.query(`PREPARE closing AS ${CLOSING.text}`);
  const { rows } = await client.query(
    `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF)
     EXECUTE closing ('{${raceId}}', '{1}', '{tab}', '${from}', ${Date.parse(from) / 1000})`,
  );
  await client.query('ROLLBACK');
  client.release();
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  // The bound lies seven hours before the start, which is yesterday: of four days' ticks two are opened, and the one
  // chunk of breaks.
  expect(new Set(plan.match(/on _hyper_\d+_\d+_chunk/g)).size).toBe(3);
  expect(new Set(plan.match(/"\d+_\d+_price_(ticks|breaks)_pkey"/g)).size).toBe(3);
  expect(plan).not.toContain('Seq Scan on _hyper');
});

test('the closing prices equal what all polls together show, for any polls, closes and jump', async () => {
  const aPoll = fc.record({
    secs: fc.integer({ min: -120, max: 700 }),
    win: fc.constantFrom(null, 2, 2.5, 3),
    status: fc.constantFrom(null, null, null, 'SUSPENDED' as const, 'CLOSED' as const),
    /** A 304: unchanged. */
    same: fc.boolean(),
  });
  const polls = fc.uniqueArray(aPoll, { minLength: 2, maxLength: 14, selector: ({ secs }) => secs });
  await fc.assert(
    fc.asyncProperty(polls, fc.integer({ min: -60, max: 60 }), async (any, jumpSecs) => {
      const inTime = any.sort((a, b) => b.secs - a.secs);
      const raceId = await race(9, 4);
      const seen = [{ secs: 3595, win: 9 as number | null }];
      let last: { win: number | null; status: MarketStatus | null } = { win: 9, status: null };
      for (const one of inTime) {
        if (!one.same) last = one;
        await poll(raceId, one.secs, [last.win, 4], last.status);
        seen.push({ secs: one.secs, win: last.status === 'CLOSED' ? null : last.win });
      }
      const [series] = await read(raceId);
      const line = closingLine(series!, { startMs, jumpMs: startMs - jumpSecs * 1000 })!;
      expect([line.closePrice, line.closeSecsToJump]).toEqual(closeOfAll(seen, jumpSecs));
    }),
    { numRuns: runs(60) },
  );
});

/**
 * The plain reading of every poll, in time order, for one runner: the close and the seconds to its last observation.
 */
function closeOfAll(seen: readonly { secs: number; win: number | null }[], jumpSecs: number): [number, number] {
  const upTo = seen.filter(({ secs }) => secs >= jumpSecs);
  const shown = upTo.filter(({ win }) => win !== null);
  const { win, secs } = shown.at(-1)!;
  const shownAfter = seen[upTo.length]?.win === win && upTo.at(-1)!.win === win;
  return [win!, shownAfter ? 0 : secs - jumpSecs];
}
