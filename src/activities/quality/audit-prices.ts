// Audits prices (A 4.13): reads the bookmakers of the races about to run a second time, and compares with what the API serves of them.
import { bookmaker } from '../../domain/bookmakers';
import type { AuditOrder, Verdict } from '../../domain/quality/audit';
import { allAgree, type Cell } from '../../domain/quality/comparison';
import { figuresOf, findingsOf, type RaceReadings } from '../../domain/quality/findings';
import { categoryOf } from '../../domain/race/sport';
import { aetDay } from '../../domain/time/aet';
import { tierAt } from '../../domain/time/cadence';
import type { BoardRace } from '../../store/reads/races/board';
import { instantNow } from '../deps';
import type { ListedBook } from '../polling/due-books';
import { listedBooks } from '../polling/race-books';
import { type AuditDeps, type AuditRun, withinRun } from './audit-run';
import { readBook } from './read-book';
import { SERVED_BOOKS } from './served-race';
import { type WatchedRace, watchRace } from './watch-race';

export interface AuditReport {
  /** Null: the run had ended before. */
  readonly verdict: Verdict | null;
  /** Prices that differ, or that one side lacks. */
  readonly faults: number;
  readonly outliers: number;
}

/** From the nearest that is not about to jump while it is read. Race time. */
const NEAREST_MS = 3 * 60_000;
const FURTHEST_MS = 60 * 60_000;
const MOST_RACES = 5;
const READINGS = 3;

/** `wait`: between two looks at what is served. */
export async function auditPrices(
  deps: AuditDeps,
  order: AuditOrder,
  wait: () => Promise<unknown>,
): Promise<AuditReport> {
  if (!(await deps.stores.audits.begin(order, instantNow(deps)))) return { verdict: null, faults: 0, outliers: 0 };
  const races = await racesToAudit(deps, order);
  const readings = await withinRun(deps, wait, (run) => Promise.all(races.map((race) => auditRace(run, race))));
  const figures = figuresOf(readings);
  const faults = figures.diffRows + figures.missingApi + figures.missingSource;
  const empty = figures.apiRows + figures.sourceRows === 0;
  const verdict = empty ? 'empty' : faults > 0 ? 'differs' : 'ok';
  await deps.stores.audits.end(order.runId, { verdict, figures, findings: findingsOf(readings) }, instantNow(deps));
  return { verdict, faults, outliers: figures.outliers };
}

const racesToAudit = ({ boardReads, now }: AuditDeps, { sportKey }: AuditOrder): Promise<readonly BoardRace[]> =>
  boardReads.board({
    at: new Date(now()).toISOString(),
    from: new Date(now() + NEAREST_MS).toISOString(),
    until: new Date(now() + FURTHEST_MS).toISOString(),
    categories: [categoryOf(sportKey)],
    includeUnresolved: true,
    bookmakers: SERVED_BOOKS,
    limit: MOST_RACES,
  });

interface Followed {
  readonly book: ListedBook;
  readonly cells: readonly Cell[];
  /** Null: a reading succeeded. */
  readonly failure: string | null;
}

async function auditRace(run: AuditRun, race: BoardRace): Promise<RaceReadings> {
  const raceId = race.race_id;
  const watched = watchRace(run, raceId);
  const books = await booksToRead(run.deps, race);
  const followed = await Promise.all(books.map((book) => followBook(run, watched, book)));
  // A race that has left the board since: what is found of it is about what was served of it last.
  const served = (await watched.look()) ?? watched.lastServed();
  return {
    race: { raceId, venue: race.venue, raceNumber: race.race_number, day: aetDay(race.startMs) },
    runners: served?.runners ?? [],
    served: [...(served?.books.values() ?? [])],
    read: followed.flatMap((one) => (one ? [{ ...one, bookmakerKey: one.book.bookmakerKey }] : [])),
  };
}

/** Those that are polled as live on the race (D21): the prices of others may be a quarter of an hour old by right. */
async function booksToRead(deps: AuditDeps, { race_id, startMs }: BoardRace): Promise<readonly ListedBook[]> {
  const seconds = (startMs - deps.now()) / 1000;
  const isLive = (key: string): boolean => tierAt(seconds, bookmaker(key)) === 'live';
  const books = await listedBooks(deps, race_id);
  return books.filter(({ bookmakerKey }) => SERVED_BOOKS.includes(bookmakerKey) && isLive(bookmakerKey));
}

/**
 * Reads until all prices agree, three times at most. What is undecided after fewer readings, because the race left the board or the book failed,
 * is left out. Null: the race left the board before it was read.
 */
async function followBook(run: AuditRun, race: WatchedRace, book: ListedBook): Promise<Followed | null> {
  let cells: readonly Cell[] = [];
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
  if (compared === 0) return failure === null ? null : { book, cells, failure };
  return { book, cells: compared < READINGS ? cells.filter(({ agrees }) => agrees) : cells, failure: null };
}
