// After any pushes the current prices are each book's last list before the start: although a push writes only changed
// prices, starts move, pushes roll back, and an operator joins and separates matches between the pushes. A process that
// caches its reads shows the same, including movements, even if the database's answer arrives late or never. And a
// closing line was last seen when its book last listed it.
import fc from 'fast-check';
import type { Pool } from 'pg';
import type { OfferedMarket } from '../../../src/domain/sports/sports';
import { sportOf } from '../../../src/domain/sports/sports';
import { createStores } from '../../../src/store/create-stores';
import { readClosedMatches } from '../../../src/store/reads/sports/closing';
import { createKeptMovements } from '../../../src/store/reads/sports/kept-movements';
import { readMatches } from '../../../src/store/reads/sports/matches';
import { readSportMovements } from '../../../src/store/reads/sports/movements';
import { createSportIdentityStore } from '../../../src/store/sports/identity/identity';
import { createSportIngestStore } from '../../../src/store/sports/push';
import type { PushedEvent } from '../../../src/store/sports/pushed-event';
import { runs } from '../../support/property';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { createBoardProcess, type LateRead } from '../../support/sports/board-process';
import { priced } from '../../support/sports/matches';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const FIRST_MS = Date.parse('2026-11-21T00:00:00Z');
const at = (minutes: number): string => new Date(FIRST_MS + minutes * 60_000).toISOString();
const BOOKS = ['tab', 'sportsbet'];
const HOMES = ['Otago', 'Waikato'];
const AWAYS = ['Taranaki', 'Wellington'];

/** A few, so that most prices stay and some come back. */
const price = fc.constantFrom(1.9, 1.9, 1.9, 1.95);
const listed = fc.record({
  start: fc.constantFrom(60, 60, 60, 65, 100),
  h2h: fc.option(price, { freq: 8 }),
  totals: fc.option(price),
  alternate: fc.option(price),
  stamp: fc.constantFrom(null, null, null, 1),
});
const push = fc.record({
  kind: fc.constant('push' as const),
  minutes: fc.constantFrom(1, 1, 1, 3, 40),
  matches: fc.tuple(fc.option(listed, { freq: 8 }), fc.option(listed)),
  /** Its transaction rolls back after the last write. */
  fails: fc.constantFrom(false, false, false, true),
});
/** For a match that both books list: separated if it is one, otherwise joined. */
const ruling = fc.record({ kind: fc.constant('rule' as const), home: fc.constantFrom(...HOMES) });

/** By one of two processes: the database's answer arrives after the next step, or never. */
const unusualRead = fc.record({
  kind: fc.constant('read' as const),
  isLost: fc.boolean(),
  process: fc.nat(1),
  sportKey: fc.constantFrom('nrl', null),
  alternates: fc.boolean(),
});

type Listed = typeof listed extends fc.Arbitrary<infer T> ? T : never;

const eventOf = ({ start, h2h, totals, alternate, stamp }: Listed, i: number, from: number): PushedEvent => {
  const sourceUpdatedAt = stamp === null ? null : at(from + stamp);
  const point = { homePoint: 40.5, awayPoint: 40.5 };
  return {
    sport: sportOf('nrl')!,
    sourceId: `m${i}`,
    homeTeam: HOMES[i]!,
    awayTeam: AWAYS[i]!,
    competition: null,
    commenceTime: at(from + start),
    markets: [
      ...(h2h === null
        ? []
        : [{ market: 'h2h' as const, prices: priced('h2h', { home: h2h, away: 2 }), sourceUpdatedAt }]),
      ...(totals === null
        ? []
        : [
            {
              market: 'totals' as const,
              prices: priced('totals', { home: totals, away: 1.9, ...point }),
              sourceUpdatedAt,
            },
          ]),
      ...(alternate === null
        ? []
        : [
            {
              market: 'alternate_totals' as const,
              prices: { home: alternate, draw: null, away: 1.9, homePoint: 44.5, awayPoint: 44.5 },
              sourceUpdatedAt,
            },
          ]),
    ],
  };
};

test('only the last list of each book counts', async () => {
  const { sportIngest } = createStores(db.pool);
  const failing = createSportIngestStore(failingAtCommit(db.pool));
  const rulings = createSportIdentityStore(db.pool);
  const processes = [createBoardProcess(db.pool), createBoardProcess(db.pool)];
  const kept = createKeptMovements(db.pool);
  let from = 0;
  let rulingsMade = 0;
  let lateReads = 0;
  let movementsRead = 0;
  const property = fc.asyncProperty(
    fc.array(
      fc.oneof({ weight: 6, arbitrary: push }, { weight: 2, arbitrary: ruling }, { weight: 1, arbitrary: unusualRead }),
      { minLength: 6, maxLength: 14 },
    ),
    async (list) => {
      await db.pool.query('TRUNCATE sport_events, sport_pushes, sport_decisions, sport_ticks CASCADE');
      from += 600;
      let now = from;
      let pushes = 0;
      /** By book, then side. */
      const standing = new Map<string, Readonly<Partial<Record<OfferedMarket, number>>>>();
      const lastListed = new Map<string, string>();
      let late: { readonly of: LateRead; readonly expected: unknown } | null = null;
      for (const step of list) {
        if (step.kind === 'read') {
          const query = { sportKey: step.sportKey, after: at(now), alternates: step.alternates };
          const process = processes[step.process]!;
          if (step.isLost) await expect(process.lose(query)).rejects.toThrow('lost');
          else if (late === null) late = { expected: await readMatches(db.pool, query), of: await process.late(query) };
          continue;
        }
        if (step.kind === 'rule') {
          await rule(step.home, at(now));
          expect(await shown(at(now))).toEqual(await ahead(standing, at(now)));
          continue;
        }
        now += step.minutes;
        const book = BOOKS[pushes++ % BOOKS.length]!;
        const listedAt = step.matches.flatMap((one, i) => (one === null ? [] : [{ one, i }]));
        const events = listedAt.map(({ one, i }) => eventOf(one, i, from));
        if (step.fails) {
          await expect(failing.push({ bookmakerKey: book, observedAt: at(now), events }, at(now))).rejects.toThrow(
            'away',
          );
          expect(await shown(at(now))).toEqual(await ahead(standing, at(now)));
          continue;
        }
        const { refused } = await sportIngest.push({ bookmakerKey: book, observedAt: at(now), events }, at(now));
        for (const home of HOMES) standing.delete(`${book} ${home}`);
        for (const [place, { one, i }] of listedAt.entries()) {
          if (refused.some((row) => row.at === place)) continue;
          const prices = { ...(one.h2h && { h2h: one.h2h }), ...(one.totals && { totals: one.totals }) };
          const alternates = one.h2h || one.totals ? one.alternate && { alternate_totals: one.alternate } : null;
          standing.set(`${book} ${HOMES[i]}`, { ...prices, ...alternates });
          for (const market of Object.keys(prices)) lastListed.set(`${book} ${HOMES[i]} ${market}`, at(now));
        }
        expect(await shown(at(now))).toEqual(await ahead(standing, at(now)));
        if (late === null) continue;
        late.of.arrive();
        expect(await late.of.read).toEqual(late.expected);
        late = null;
        lateReads++;
        expect(await shown(at(now))).toEqual(await ahead(standing, at(now)));
      }
      late?.of.arrive();
      await late?.of.read;
      expect(await lastSeen(from, lastListed)).toEqual([]);
    },
  );
  await fc.assert(property, { numRuns: runs(60) });
  expect(Math.min(rulingsMade, lateReads, movementsRead)).toBeGreaterThan(0);

  /** What customers see of upcoming matches: the same in every process. */
  async function shown(after: string) {
    const matches = await readMatches(db.pool, { sportKey: null, after, alternates: true });
    const mains = await readMatches(db.pool, { sportKey: 'nrl', after });
    for (const { read } of processes) {
      expect(await read({ sportKey: null, after, alternates: true })).toEqual(matches);
      expect(await read({ sportKey: 'nrl', after })).toEqual(mains);
    }
    await expectMovements(after);
    const rows = matches.flatMap((match) =>
      match.books.map((book): [string, object] => [
        `${book.bookmaker} ${book.homeName}`,
        Object.fromEntries(book.markets.map(({ market, home }) => [market, home])),
      ]),
    );
    return Object.fromEntries(rows);
  }

  /** From the last minutes, whatever was read before. */
  async function expectMovements(now: string): Promise<void> {
    const nowMs = Date.parse(now);
    const from = new Date(nowMs - 30 * 60_000).toISOString();
    const query = { sportKey: 'nrl', market: 'h2h' as const, bookmakers: BOOKS, minDelta: 0, from };
    for (const until of [now, new Date(nowMs + 1).toISOString()]) {
      const read = await readSportMovements(db.pool, { ...query, until });
      expect(await kept({ ...query, until })).toEqual(read);
      movementsRead += read.length;
    }
  }

  /** What the pushes listed, of those matches. */
  async function ahead(standing: ReadonlyMap<string, object>, after: string) {
    const { rows } = await db.pool.query<{ row: string }>(
      `SELECT b.bookmaker_key || ' ' || b.home_name AS row FROM sport_event_books b JOIN sport_events e USING (event_id) WHERE e.commence_time > $1`,
      [after],
    );
    const isAhead = new Set(rows.map(({ row }) => row));
    return Object.fromEntries(
      [...standing].filter(([row, prices]) => isAhead.has(row) && Object.keys(prices).length > 0),
    );
  }

  /** The closing lines last seen at another time than that of their book's last list before the start. */
  async function lastSeen(since: number, lastListed: ReadonlyMap<string, string>) {
    const span = { from: at(since), until: at(since + 600), offset: 0 };
    const closed = await readClosedMatches(db.pool, { sportKey: 'nrl', bookmakers: BOOKS, ...span });
    return closed.flatMap((match) =>
      match.quotes.flatMap(({ bookmaker, market, lastSeenAt }) => {
        const expected = lastListed.get(`${bookmaker} ${match.homeTeam} ${market}`)!;
        const isClosing = Date.parse(expected) < Date.parse(match.commenceTime);
        return isClosing && Date.parse(lastSeenAt) !== Date.parse(expected)
          ? [{ bookmaker, market, lastSeenAt, expected }]
          : [];
      }),
    );
  }

  async function rule(home: string, now: string): Promise<void> {
    const { rows } = await db.pool.query<{ ids: string[] | null; books: string[] }>(
      'SELECT array_agg(DISTINCT event_id::text) AS ids, array_agg(bookmaker_key) AS books FROM sport_event_books WHERE home_name = $1',
      [home],
    );
    const { ids, books } = rows[0]!;
    if (ids === null || books.length < BOOKS.length) return;
    const ruled = ids[1]
      ? await rulings.join(ids[0]!, ids[1], false, now)
      : await rulings.part(ids[0]!, [books[0]!], now);
    if (ruled.kind === 'joined' || ruled.kind === 'parted') rulingsMade++;
  }
});

/** Commits nothing. */
function failingAtCommit(pool: Pool): Pool {
  const connect = async () => {
    const client = await pool.connect();
    const query = (text: unknown, values?: unknown[]) =>
      text === 'COMMIT' ? Promise.reject(new Error('the database is away')) : client.query(text as string, values);
    return { query, release: (error?: Error) => client.release(error), on: () => {}, off: () => {} };
  };
  return { connect } as unknown as Pool;
}
