// Writes the prices that a book pushes, like those of a poll. No poller owns a push-fed row: the push outranks every
// holder of the race, so a claim never fences it out and a poller never overwrites it.
import type { Pool } from 'pg';
import type { BookRunner, ListedRace, RaceSnapshot } from '../domain/race/feed-race';
import { numberRunners } from '../domain/race/join-runners';
import { NO_FACTS } from '../domain/race/not-reported';
import type { Instant } from '../domain/race/race';
import type { PlacedRace } from './card/card';
import { placeCard, type RefusedListing } from './card/place-card';
import type { RaceStore } from './card/races';
import type { QuoteStore } from './polls/quotes';
import { shownOn } from './reads/races/shown';

export interface PushedRace {
  readonly listing: ListedRace;
  readonly observedAt: Instant;
  readonly runners: readonly BookRunner[];
}

interface PushRefusal {
  readonly sourceRaceId: string;
  /**
   * `another_race`: the runners are not this race's. `runners_not_known`: no runner could be identified, because the
   * numbers are missing. `off_board`: the race has left the board, so its prices may be archived already.
   */
  readonly reason: RefusedListing['reason'] | 'another_race' | 'runners_not_known' | 'off_board' | 'replayed';
}

interface PushVerdict {
  readonly races: number;
  /** Runners written, priced or not. */
  readonly runners: number;
  /** Runners whose win price changed. */
  readonly changed: number;
  /** Runners that could not be identified. */
  readonly unjoined: number;
  readonly refused: readonly PushRefusal[];
}

export interface IngestStore {
  /**
   * Places the races and writes their prices. Idempotent under (book, its race id, `observedAt`): a race that is not
   * newer than the stored one changes neither prices nor the card and is refused as `replayed`. `at` is our instant.
   */
  push(bookmakerKey: string, races: readonly PushedRace[], at: Instant): Promise<PushVerdict>;
}

/** The largest integers of the columns: no workflow's epoch or attempt reaches them. */
const PUSH_FENCE = { epoch: 2_147_483_647, attempt: 2_147_483_647 } as const;

const AT_ONCE = 4;

const POLLED_AT = {
  name: 'ingest-polled-at',
  text: `SELECT source_race_id, polled_at FROM race_books
          WHERE bookmaker_key = $1 AND source_race_id = ANY ($2) AND polled_at IS NOT NULL`,
};

const OFF_BOARD = {
  name: 'ingest-off-board',
  text: `SELECT race_id FROM races r WHERE race_id = ANY ($1::uuid[]) AND NOT ${shownOn('listed', 'r', '$2')}`,
};

interface Stores {
  readonly races: RaceStore;
  readonly quotes: QuoteStore;
}

type Wrote = Pick<PushVerdict, 'runners' | 'changed' | 'unjoined'>;

export function createIngestStore(pool: Pool, stores: Stores): IngestStore {
  return {
    async push(bookmakerKey, races, at) {
      const polledAt = await polledAtOf(pool, bookmakerKey, races);
      const isNewer = ({ listing, observedAt }: PushedRace) =>
        Date.parse(observedAt) > (polledAt.get(listing.sourceRaceId) ?? Number.NEGATIVE_INFINITY);
      const newer = races.filter(isNewer);
      const { placed, refused } = await placeAll(stores.races, bookmakerKey, newer, at);
      const offBoard = await offBoardOf(pool, placed, at);
      const open = placed.filter(({ raceId }) => !offBoard.has(raceId));
      const verdicts: (Wrote | PushRefusal)[] = [];
      for (let i = 0; i < open.length; i += AT_ONCE) {
        const batch = open.slice(i, i + AT_ONCE);
        verdicts.push(...(await Promise.all(batch.map((one) => write(stores, bookmakerKey, one, newer)))));
      }
      const written = verdicts.filter((one): one is Wrote => 'changed' in one);
      const sum = (count: (one: Wrote) => number) => written.reduce((total, one) => total + count(one), 0);
      return {
        races: written.length,
        runners: sum((one) => one.runners),
        changed: sum((one) => one.changed),
        unjoined: sum((one) => one.unjoined),
        refused: [
          ...races.filter((race) => !isNewer(race)).map(({ listing }) => refusal(listing, 'replayed')),
          ...refused.map(({ listing, reason }) => refusal(listing, reason)),
          ...placed.filter(({ raceId }) => offBoard.has(raceId)).map(({ listed }) => refusal(listed, 'off_board')),
          ...verdicts.filter((one): one is PushRefusal => 'reason' in one),
        ],
      };
    },
  };
}

const refusal = ({ sourceRaceId }: Pick<ListedRace, 'sourceRaceId'>, reason: PushRefusal['reason']): PushRefusal => ({
  sourceRaceId,
  reason,
});

async function polledAtOf(pool: Pool, bookmakerKey: string, races: readonly PushedRace[]) {
  const ids = races.map(({ listing }) => listing.sourceRaceId);
  const { rows } = await pool.query<{ source_race_id: string; polled_at: Instant }>({
    ...POLLED_AT,
    values: [bookmakerKey, ids],
  });
  return new Map(rows.map((row) => [row.source_race_id, Date.parse(row.polled_at)]));
}

async function offBoardOf(pool: Pool, placed: readonly PlacedRace[], at: Instant): Promise<ReadonlySet<string>> {
  const values = [placed.map((one) => one.raceId), at];
  const { rows } = await pool.query<{ race_id: string }>({ ...OFF_BOARD, values });
  return new Set(rows.map((row) => row.race_id));
}

/**
 * One Sydney day at a time, as in discovery. A pushed list has everything that identity needs, so it may create a race
 * that no book lists yet.
 */
async function placeAll(races: RaceStore, bookmakerKey: string, pushed: readonly PushedRace[], at: Instant) {
  const placed: PlacedRace[] = [];
  const refused: RefusedListing[] = [];
  for (const day of [...new Set(pushed.map(({ listing }) => listing.meetingDate))].sort()) {
    const list = pushed.map(({ listing }) => listing).filter(({ meetingDate }) => meetingDate === day);
    const found = await placeCard(races, bookmakerKey, day, list, at);
    placed.push(...found.placed);
    refused.push(...found.refused);
  }
  return { placed, refused };
}

async function write(
  { races, quotes }: Stores,
  bookmakerKey: string,
  { raceId, listed }: PlacedRace,
  pushed: readonly PushedRace[],
): Promise<Wrote | PushRefusal> {
  const race = pushed.find(({ listing }) => listing.sourceRaceId === listed.sourceRaceId)!;
  const { anotherRace, contradicted } = await quotes.checkField(raceId, bookmakerKey, race.runners, race.observedAt);
  if (anotherRace) return refusal(listed, 'another_race');
  const own = race.runners.filter(({ number }) => number === null || !contradicted.includes(number));
  const candidates = own.some(({ number }) => number === null) ? await races.runnersOf(raceId) : [];
  const { runners } = numberRunners(own, candidates);
  const unjoined = race.runners.length - runners.length;
  if (runners.length === 0 && unjoined > 0) return refusal(listed, 'runners_not_known');
  const { changed } = await quotes.savePoll({
    raceId,
    bookmakerKey,
    fence: PUSH_FENCE,
    observedAt: race.observedAt,
    bookAt: race.observedAt,
    snapshot: { ...PRICES_ALONE, sourceRaceId: listed.sourceRaceId, runners },
    marketStateSource: false,
    startSource: false,
  });
  return { runners: runners.length, changed, unjoined };
}

/** A push reports only prices: no facts of the race, no market state, no result. */
const PRICES_ALONE: Omit<RaceSnapshot, 'sourceRaceId' | 'runners'> = {
  startTime: null,
  facts: NO_FACTS,
  marketStatus: null,
  inPlay: null,
  result: null,
  sourceUrl: null,
};
