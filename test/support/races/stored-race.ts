// One race in a fresh database: listed by its books, controlled under epoch 1, claimed by attempt 1.
import type { ListedRace, RaceSnapshot } from '../../../src/domain/race/feed-race';
import type { BookPoll } from '../../../src/store/card/book-poll';
import { createStores } from '../../../src/store/create-stores';
import type { PollVerdict } from '../../../src/store/polls/quotes';
import type { Stores } from '../../../src/store/stores';
import type { TestDatabase } from '../servers/database';
import { placedRace, raceSnapshot } from './builders';

export const FIRST_HOLDER = { epoch: 1, attempt: 1 };

export interface StoredRace {
  readonly raceId: string;
  readonly startMs: number;
  readonly stores: Stores;
  /** The instant `seconds` before (negative: after) the advertised start of the listing. */
  before(seconds: number): string;
  poll(secondsBefore: number, snapshot: Partial<RaceSnapshot> | null, over?: Partial<BookPoll>): Promise<PollVerdict>;
}

/**
 * Polls come from the first of `books`, which is also the source of the start. `id`: of a race that was stored before.
 */
export async function storeRace(
  db: TestDatabase,
  over: Partial<ListedRace> = {},
  books: readonly string[] = ['ladbrokes_au'],
  id?: string,
): Promise<StoredRace> {
  const stores = createStores(db.pool);
  const race = placedRace(over, id);
  const { raceId, listed } = race;
  const startMs = Date.parse(listed.startTime);
  const before = (seconds: number): string => new Date(startMs - seconds * 1000).toISOString();
  for (const book of books) await stores.races.saveCard(book, [race], before(86_400));
  const control = { raceId, epoch: 1, tier: 'live', advertisedStart: listed.startTime, closed: false } as const;
  await stores.control.setControl(control, before(86_400));
  await stores.control.claim(raceId, 1, 1, before(86_400));
  return {
    raceId,
    startMs,
    stores,
    before,
    poll: (secondsBefore, snapshot, more = {}) =>
      stores.quotes.savePoll({
        raceId,
        bookmakerKey: books[0]!,
        fence: FIRST_HOLDER,
        observedAt: before(secondsBefore),
        bookAt: null,
        snapshot: snapshot && raceSnapshot(snapshot),
        marketStateSource: false,
        startSource: true,
        ...more,
      }),
  };
}
