// Movements of a sport, cached: a query reads the levels of the books in the sport, and the captures only if one of
// them changed, or if the query begins earlier. A capture is written only together with a row of its book, so under the
// same levels there is no unread one. Always equal to what `readSportMovements` reads.
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import { MOST_MOVEMENTS, type MovementsQuery, readSportMovements, type StoredMovement } from './movements';

/** Including captures that a fast clock dated ahead. */
const EVER = 'infinity';
/** Cached answers, most recently used last: each has at most `MOST_MOVEMENTS`, some 0.5 MB. */
const MOST_KEPT = 24;

const LEVELS = {
  name: 'levels-of-sport',
  text: `SELECT string_agg(bookmaker_key || ' ' || level, ' ' ORDER BY bookmaker_key) AS levels FROM sport_levels
    WHERE sport_key = $1 AND bookmaker_key = ANY ($2)`,
};

/** The newest from an instant on. */
interface Kept {
  /**
   * As they were before the movements were read: a write in between changes them, and is read again. Null: none has
   * one.
   */
  readonly levels: string | null;
  readonly fromMs: number;
  readonly movements: readonly StoredMovement[];
}

export function createKeptMovements(pool: Pool): (query: MovementsQuery) => Promise<readonly StoredMovement[]> {
  /** By everything in a query except its span. */
  const keptOf = new LRUCache<string, Kept>({ max: MOST_KEPT });

  return async (query) => {
    const { sportKey, market, bookmakers, minDelta, from, until } = query;
    const key = JSON.stringify([sportKey, market, minDelta, bookmakers]);
    const { rows } = await pool.query<Pick<Kept, 'levels'>>({ ...LEVELS, values: [sportKey, bookmakers] });
    const { levels } = rows[0]!;
    const before = keptOf.get(key);
    const isKnown = before !== undefined && before.levels === levels && before.fromMs <= Date.parse(from);
    const kept = isKnown ? before : await readKept(pool, query, levels);
    if (!isKnown) keptOf.set(key, kept);
    return within(kept.movements, from, until) ?? readSportMovements(pool, query);
  };
}

async function readKept(pool: Pool, query: MovementsQuery, levels: string | null): Promise<Kept> {
  const movements = await readSportMovements(pool, { ...query, until: EVER });
  return { levels, fromMs: Date.parse(query.from), movements };
}

/** Instants are whole milliseconds. Null: there may be others in the span, in the place of the later ones. */
function within(movements: readonly StoredMovement[], from: Instant, until: Instant): readonly StoredMovement[] | null {
  const [first, end] = [from, until].map((one) => new Date(one).toISOString());
  const earlier = movements.filter(({ to_recorded_at: at }) => at < end!);
  if (earlier.length < movements.length && movements.length === MOST_MOVEMENTS) return null;
  return earlier.filter(({ to_recorded_at: at }) => at >= first!);
}
