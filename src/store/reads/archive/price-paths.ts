// Price-path rows (B 2.3), columns in the contract's order: one per captured price. Pass `includeScratched` true: this
// table is not filtered by it.
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import { numbersOf } from '../prices/number-list';
import { type ArchivedRow, ofRaces, RACE_COLUMNS } from './closing-lines';
import {
  type ArchivedTable,
  type ArchivePage,
  type Beginning,
  readArchivePage,
  streamArchive,
} from './pages/archived-page';
import type { PageBounds } from './pages/page-plan';
import type { ArchiveSelection } from './selection';

export interface PricePathRow extends ArchivedRow {
  readonly bookmaker_key: string;
  readonly captured_at: Instant;
  /** Negative after the jump. */
  readonly secs_to_jump: number;
  readonly win_price: number;
  readonly scratched: boolean;
  readonly place_price: number | null;
  readonly top2_price: number | null;
  readonly top3_price: number | null;
  readonly top4_price: number | null;
}

/** The captured prices of one series, as lists: one row each would take the driver several times as long. */
interface Series extends Omit<PricePathRow, 'captured_at' | 'secs_to_jump' | 'win_price' | Leg> {
  /** Seconds before the start. */
  readonly before: string;
  readonly secs: string;
  readonly win: string;
  readonly place: string;
  readonly top2: string;
  readonly top3: string;
  readonly top4: string;
}

type Leg = 'place_price' | 'top2_price' | 'top3_price' | 'top4_price';

const inTime = (value: string, name: string): string => `array_agg(${value} ORDER BY p.captured_at)::text AS ${name}`;
/** 0: not quoted. */
const leg = (name: string): string => inTime(`COALESCE(p.${name}_price, 0)`, name);

const PRICE_PATHS: ArchivedTable<PricePathRow, Series> = {
  what: 'path',
  text: `SELECT ${RACE_COLUMNS}, t.bookmaker_key, t.before, t.secs, t.win, t.place, t.top2, t.top3, t.top4, r.venue_id, r.venue_site,
      u.runner_ref, u.scratched
    FROM ${ofRaces(`LATERAL (
      SELECT p.start_time, p.race_id, p.runner, p.bookmaker_key, ${inTime("date_part('epoch', p.start_time - p.captured_at)", 'before')},
        ${inTime('p.secs_to_jump', 'secs')}, ${inTime('p.win_price', 'win')}, ${['place', 'top2', 'top3', 'top4'].map(leg).join(', ')}
        FROM archived_price_paths p
       WHERE p.start_time = q.start_time AND p.race_id = q.race_id AND ($3::text[] IS NULL OR p.bookmaker_key = ANY ($3)) AND NOT $4
       GROUP BY p.start_time, p.race_id, p.runner, p.bookmaker_key)`)}
    ORDER BY t.start_time, t.race_id, t.runner, t.bookmaker_key`,
  rows: (found) => found.flatMap(rowsOf),
};

function rowsOf({ before, secs, win, place, top2, top3, top4, ...head }: Series): PricePathRow[] {
  const startMs = Date.parse(head.start_time);
  // Whole microseconds, because the seconds are not exact in binary; the instant is cut to the millisecond.
  const atMs = numbersOf(before).map((seconds) => startMs - Math.ceil(Math.round(seconds * 1e6) / 1000));
  const secsToJump = numbersOf(secs);
  const prices = numbersOf(win);
  const places = numbersOf(place);
  const top2s = numbersOf(top2);
  const top3s = numbersOf(top3);
  const top4s = numbersOf(top4);
  return atMs.map((ms, i) => ({
    race_id: head.race_id,
    start_time: head.start_time,
    meeting_date_aet: head.meeting_date_aet,
    venue: head.venue,
    race_number: head.race_number,
    category: head.category,
    country: head.country,
    runner_key: head.runner_key,
    runner_name: head.runner_name,
    runner_number: head.runner_number,
    bookmaker_key: head.bookmaker_key,
    captured_at: new Date(ms).toISOString(),
    secs_to_jump: secsToJump[i]!,
    win_price: prices[i]!,
    venue_id: head.venue_id,
    venue_site: head.venue_site,
    runner_ref: head.runner_ref,
    scratched: head.scratched,
    place_price: places[i]! || null,
    top2_price: top2s[i]! || null,
    top3_price: top3s[i]! || null,
    top4_price: top4s[i]! || null,
  }));
}

/** Ordered by start, race, runner number, bookmaker and instant. */
export const readPricePaths = (
  pool: Pool,
  selection: ArchiveSelection,
  page: PageBounds,
): Promise<ArchivePage<PricePathRow>> => readArchivePage(pool, PRICE_PATHS, selection, page);

export const streamPricePaths = (
  pool: Pool,
  selection: ArchiveSelection,
  limit: number,
  begin: Beginning,
): AsyncGenerator<readonly PricePathRow[]> => streamArchive(pool, PRICE_PATHS, selection, limit, begin);
