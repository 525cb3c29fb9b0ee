// Audits prices (A 4.13): reads the bookmakers of the races about to run a second time, and compares with what the API
// serves; and for one later race, with what the mappers make of the same responses.
import { bookmaker } from '../../domain/bookmakers';
import type { AuditFigures, AuditOrder, Finding, Verdict } from '../../domain/quality/audit';
import type { BookLevel } from '../../domain/quality/book-level';
import { allAgree, type ComparedPrice } from '../../domain/quality/comparison';
import { figuresOf, findingsOf, type RaceReadings, together } from '../../domain/quality/findings';
import { categoryOf, type RacingSport } from '../../domain/race/sport';
import { aetDay } from '../../domain/time/aet';
import { tierAt } from '../../domain/time/cadence';
import type { BoardRace } from '../../store/reads/races/board';
import { instantNow } from '../deps';
import type { ListedBook } from '../polling/due-books';
import { listedBooks } from '../polling/race-books';
import { auditMatches } from './audit-matches';
import { type AuditDeps, type AuditRun, withinRun } from './audit-run';
import { crossChecked } from './cross-checked';
import { readBook, readBookOnce } from './read-book';
import { SERVED_BOOKS } from './served-race';
import { type WatchedRace, watchRace } from './watch-race';

export interface AuditReport {
  /** Null: the run had ended before. */
  readonly verdict: Verdict | null;
  /** Prices that differ, or that one side lacks. */
  readonly faults: number;
  readonly outliers: number;
}

/** From the nearest one that will not jump while it is read. Race time. */
const NEAREST_MS = 3 * 60_000;
const FURTHEST_MS = 60 * 60_000;
const MOST_RACES = 5;
const READINGS = 3;
/** The later race is drawn from the rest of the day. */
const FURTHER_MS = 24 * 3_600_000;

/** `wait`: between two checks of the served prices. */
export async function auditPrices(
  deps: AuditDeps,
  order: AuditOrder,
  wait: () => Promise<unknown>,
): Promise<AuditReport> {
  if (!(await deps.stores.audits.begin(order, instantNow(deps)))) return { verdict: null, faults: 0, outliers: 0 };
  const { sportKey, runId } = order;
  const pushed = await deps.stores.audits.pushChecks(sportKey);
  const own = sportKey === 'sports' ? await auditMatches(deps) : await auditRaces(deps, { runId, sportKey }, wait);
  const figures = [own, ...pushed].map((one) => one.figures).reduce(together);
  const findings = [own, ...pushed].flatMap((one) => one.findings);
  const faults = figures.diffRows + figures.missingApi + figures.missingSource;
  const empty = figures.apiRows + figures.sourceRows === 0;
  const verdict = empty ? 'empty' : faults > 0 ? 'differs' : 'ok';
  await deps.stores.audits.end(order, { verdict, figures, findings, levels: own.levels }, instantNow(deps));
  return { verdict, faults, outliers: figures.outliers };
}

interface Audited {
  readonly figures: AuditFigures;
  readonly findings: readonly Finding[];
  readonly levels: ReadonlyMap<string, BookLevel>;
}

interface RaceOrder {
  readonly runId: string;
  readonly sportKey: RacingSport;
}

async function auditRaces(deps: AuditDeps, order: RaceOrder, wait: () => Promise<unknown>): Promise<Audited> {
  const [races, further] = await Promise.all([racesToAudit(deps, order), furtherRace(deps, order)]);
  const readings = await withinRun(deps, wait, (run) =>
    Promise.all([
      ...races.map((race) => auditRace(run, race, true)),
      ...further.map((race) => auditRace(run, race, false)),
    ]),
  );
  const crossed = await crossChecked(deps, order.sportKey);
  return {
    figures: figuresOf(readings, crossed.findings.length),
    findings: [...findingsOf(readings), ...crossed.findings],
    levels: crossed.levels,
  };
}

const racesToAudit = (deps: AuditDeps, order: RaceOrder): Promise<readonly BoardRace[]> =>
  boardOf(deps, order, { fromMs: deps.now() + NEAREST_MS, untilMs: deps.now() + FURTHEST_MS, limit: MOST_RACES });

/** One race, drawn by the run: every attempt draws the same instant. Empty where no race starts after it. */
function furtherRace(deps: AuditDeps, order: RaceOrder): Promise<readonly BoardRace[]> {
  const drawn = Number.parseInt(order.runId.slice(0, 8), 16) / 2 ** 32;
  const fromMs = deps.now() + FURTHEST_MS + Math.floor(drawn * (FURTHER_MS - FURTHEST_MS));
  return boardOf(deps, order, { fromMs, untilMs: deps.now() + FURTHER_MS, limit: 1 });
}

const boardOf = (
  { boardReads, now }: AuditDeps,
  { sportKey }: RaceOrder,
  { fromMs, untilMs, limit }: { readonly fromMs: number; readonly untilMs: number; readonly limit: number },
): Promise<readonly BoardRace[]> =>
  boardReads.board({
    at: new Date(now()).toISOString(),
    from: new Date(fromMs).toISOString(),
    until: new Date(untilMs).toISOString(),
    categories: [categoryOf(sportKey)],
    includeUnresolved: true,
    bookmakers: SERVED_BOOKS,
    limit,
  });

/**
 * Books polled as live are followed; the prices of others may rightly be a quarter of an hour old, and each is read
 * once.
 */
async function auditRace(run: AuditRun, race: BoardRace, near: boolean): Promise<RaceReadings> {
  const watched = watchRace(run, race);
  const seconds = (race.startMs - run.deps.now()) / 1000;
  const books = (await listedBooks(run.deps, race.race_id)).filter(({ bookmakerKey }) =>
    SERVED_BOOKS.includes(bookmakerKey),
  );
  const isLive = ({ bookmakerKey }: ListedBook): boolean => tierAt(seconds, bookmaker(bookmakerKey)) === 'live';
  const followed = await Promise.all(
    books.map((book) => (near && isLive(book) ? followBook(run, watched, book) : readOnce(run, watched, book))),
  );
  // A race that has left the board since: findings concern what was last served of it.
  const served = (await watched.look()) ?? watched.lastServed();
  return {
    near,
    race: { raceId: race.race_id, venue: race.venue, raceNumber: race.race_number, day: aetDay(race.startMs) },
    runners: served?.runners ?? [],
    served: [...(served?.books.values() ?? [])],
    read: followed.flatMap((one) => one ?? []),
  };
}

type Followed = RaceReadings['read'][number];

/** Null: the race left the board before it was read. */
async function readOnce(run: AuditRun, race: WatchedRace, book: ListedBook): Promise<Followed | null> {
  const reading = await readBookOnce(run, race, book);
  if (reading.kind === 'race_gone') return null;
  const { bookmakerKey } = book;
  return reading.kind === 'unread'
    ? { bookmakerKey, against: 'mapped', cells: [], failure: reading.failure }
    : { bookmakerKey, against: 'mapped', cells: reading.cells, failure: null };
}

/**
 * Reads until all prices agree, at most three times. Prices undecided after fewer readings, because the race left the
 * board or the book failed, are left out. Null: the race left the board before it was read.
 */
async function followBook(run: AuditRun, race: WatchedRace, book: ListedBook): Promise<Followed | null> {
  let cells: readonly ComparedPrice[] = [];
  let compared = 0;
  let failure: string | null = null;
  for (let tried = 0; tried < READINGS; tried++) {
    const read = await readBook(run, race, book, cells);
    if (read.kind === 'race_gone') break;
    if (read.kind === 'unread') failure = read.failure;
    else {
      cells = read.cells;
      compared += 1;
      if (allAgree(cells)) break;
    }
  }
  const of = { bookmakerKey: book.bookmakerKey, against: 'served' } as const;
  if (compared === 0) return failure === null ? null : { ...of, cells, failure };
  return { ...of, cells: compared < READINGS ? cells.filter(({ agrees }) => agrees) : cells, failure: null };
}
