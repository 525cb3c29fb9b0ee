// The races of one page and the total of its selection, at one moment (D46, D64): archiving during the page neither
// shifts it nor falsifies its total, and the next page continues at a row, so that archiving between two pages neither
// repeats nor skips one.
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../../../domain/race/race';
import { inSnapshot } from '../../../pg/transaction';
import { racesFrom, type SelectedRace } from '../archived-batches';
import type { ArchiveRows, ArchiveSelection } from '../selection';
import { type BatchPlace, type SelectedRows, selectedRows } from './selected-rows';

/** Where a page continues after another: with the row after the first `skip` of a race. */
export interface PageMark {
  readonly startTime: Instant;
  readonly raceId: string;
  readonly skip: number;
  /** Rows of the pages before. */
  readonly before: number;
}

export interface PageBounds {
  readonly limit: number;
  /** Rows before the page. */
  readonly offset: number;
  /** Where it begins, whatever `offset` says: since the previous page, races may have been archived. */
  readonly after?: PageMark | undefined;
}

export interface PagePlan {
  /** Rows of the selection, before limit and offset. */
  readonly total: number;
  /** Those of races with a result. */
  readonly resulted: number;
  readonly offset: number;
  /** Rows of the page. */
  readonly rows: number;
  readonly races: readonly SelectedRace[];
  /** Rows of the first race that are on the previous pages. */
  readonly skip: number;
  /** Null: this page is the last. */
  readonly next: PageMark | null;
}

type PagedRaces = Pick<PagePlan, 'rows' | 'races' | 'skip' | 'next'>;

const NONE: PagedRaces = { rows: 0, races: [], skip: 0, next: null };

/** Reads counts only. */
export const planPage = (
  pool: Pool,
  what: ArchiveRows,
  selection: ArchiveSelection,
  page: PageBounds,
): Promise<PagePlan> =>
  inSnapshot(pool, async (client) => {
    const selected = await selectedRows(client, what, selection);
    const { total, resulted } = selected;
    return { total, resulted, offset: page.offset, ...(await pagedRaces(client, what, selected, page)) };
  });

async function pagedRaces(
  client: Pick<ClientBase, 'query'>,
  what: ArchiveRows,
  { total, selection, placeOf }: SelectedRows,
  page: PageBounds,
): Promise<PagedRaces> {
  const { offset, after } = page;
  const place = after ? markedPlace(after) : await placeOf(offset);
  if (place === null || total === 0) return NONE;
  const walk = walkOf(place.skip, page);
  for await (const races of racesFrom(client, what, selection, place.since))
    for (const race of races) if (walk.take(race) === 'full') return walk.page();
  return walk.page();
}

const markedPlace = ({ startTime, skip }: PageMark): BatchPlace => ({ since: startTime, skip });

/** Takes races until the page is full and the row after it is known. */
function walkOf(skipped: number, { limit, offset, after }: PageBounds) {
  const races: SelectedRace[] = [];
  let [skip, firstSkip, left] = [skipped, 0, limit];
  let next: PageMark | null = null;
  return {
    take(race: SelectedRace): 'more' | 'full' {
      if (after && isBefore(race, after)) return 'more';
      // The marked race may have left the selection.
      if (after && race.raceId !== after.raceId) skip = 0;
      if (skip >= race.rows) {
        skip -= race.rows;
        return 'more';
      }
      const taken = Math.min(left, race.rows - skip);
      if (taken > 0 && races.length === 0) firstSkip = skip;
      if (taken > 0) races.push(race);
      left -= taken;
      skip += taken;
      if (skip < race.rows) {
        next = { startTime: race.startTime, raceId: race.raceId, skip, before: offset + limit };
        return 'full';
      }
      skip = 0;
      return 'more';
    },
    page: (): PagedRaces => ({ rows: limit - left, races, skip: firstSkip, next }),
  };
}

/** Among races that start together, those up to the marked one. */
const isBefore = ({ startTime, raceId }: SelectedRace, mark: PageMark): boolean =>
  startTime === mark.startTime && raceId < mark.raceId;
