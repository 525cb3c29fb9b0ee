// Price-path rows (B 2.3), columns in the contract's order: one per captured price. Give `includeScratched` true: this table is not filtered by it.
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import { type ArchivedTable, type ArchivePage, readArchivePage, streamArchive } from './archived-page';
import { type ArchivedRow, ofRaces, RACE_COLUMNS } from './closing-lines';
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

const PRICE_PATHS: ArchivedTable = {
  what: 'path',
  text: `SELECT ${RACE_COLUMNS}, t.bookmaker_key, t.captured_at, t.secs_to_jump, t.win_price, r.venue_id, r.venue_site, u.runner_ref,
      u.scratched, t.place_price, t.top2_price, t.top3_price, t.top4_price
    FROM ${ofRaces('archived_price_paths')} AND ($3::text[] IS NULL OR t.bookmaker_key = ANY ($3)) AND NOT $4
    ORDER BY t.start_time, t.race_id, t.runner, t.bookmaker_key, t.captured_at`,
};

/** Ordered by start, race, runner number, bookmaker and instant. */
export const readPricePaths = (
  pool: Pool,
  selection: ArchiveSelection,
  page: { readonly limit: number; readonly offset: number },
): Promise<ArchivePage<PricePathRow>> => readArchivePage(pool, PRICE_PATHS, selection, page);

export const streamPricePaths = (
  pool: Pool,
  selection: ArchiveSelection,
  limit: number,
  offset: number,
): AsyncGenerator<readonly PricePathRow[]> => streamArchive(pool, PRICE_PATHS, selection, limit, offset);
