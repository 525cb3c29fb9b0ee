// Writes the event `odds.change` (D56): one process at a time compares the races that `changes` would list with the
// last announced prices. The place in the feed, the announced prices and the events are one transaction: an interrupted
// pass is repeated, and nothing is announced twice. Takes no lock that a poll waits for.
import type { ClientBase, Pool } from 'pg';
import { BOOKMAKERS, isCompared, visibleToCustomers } from '../../domain/bookmakers';
import {
  type AnnouncedPrice,
  BETWEEN_CHANGES_MS,
  hasMoved,
  mayAnnounce,
  type PricedRace,
  type RunnerPrice,
  runnerPrices,
} from '../../domain/events/odds-change';
import type { Instant } from '../../domain/race/race';
import { inTransaction } from '../pg/transaction';
import { readSettled, since } from '../reads/races/changes';
import type { RaceName } from '../reads/races/race-window';
import { millis } from '../reads/races/runners';
import { shownOn } from '../reads/races/shown';

export interface FollowPrices {
  readonly pool: Pool;
  /** Race time. */
  readonly now: () => Instant;
  /** Plans whose accounts receive events: nothing is written while none of them wants this one. */
  readonly entitledPlans: readonly string[];
}

/** One pass. Resolves to the number of events written; 0 while another process makes one. */
export function follow({ pool, now, entitledPlans }: FollowPrices): Promise<number> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<Place>({ ...PLACE, values: [entitledPlans] });
    if (!rows[0]?.wanted) return 0;
    const { settledMs } = await readSettled(client);
    const at = now();
    const races = await touchedRaces(client, rows[0].since, at);
    const written = await announce(client, races, at);
    await client.query({ ...MOVE, values: [new Date(settledMs).toISOString()] });
    return written;
  });
}

/** Every `since` of the feed is at most this old; from an older place, and without one, the whole board is compared. */
const PLACE = {
  name: 'follow-place',
  text: `
  SELECT CASE WHEN f.settled BETWEEN statement_timestamp() - interval '30 minutes' AND statement_timestamp() THEN f.settled END AS since,
      EXISTS (SELECT FROM webhooks w JOIN accounts a USING (account_id)
               WHERE w.deleted_at IS NULL AND w.disabled_at IS NULL AND NOT w.paused AND (w.events = '{}' OR 'odds.change' = ANY (w.events))
                 AND a.plan = ANY ($1)) AS wanted
    FROM price_follower f FOR UPDATE OF f SKIP LOCKED`,
};

interface Place {
  readonly since: Instant | null;
  readonly wanted: boolean;
}

const MOVE = { name: 'follow-move', text: 'UPDATE price_follower SET settled = $1' };

const COMPARED = BOOKMAKERS.map(({ key }) => key).filter((key) => visibleToCustomers(key) && isCompared(key));

const ALL = 'SELECT r.race_id FROM races r WHERE r.left_board_at IS NULL AND $1::timestamptz IS NULL';
const TOUCHED = `
  SELECT r.race_id FROM races r WHERE r.left_board_at IS NULL AND ${since('r.written_at')}
  UNION SELECT b.race_id FROM race_books b WHERE ${since('b.moved_written_at')} AND b.bookmaker_key = ANY ($2)`;

/** As in the board's own read, except for its horizon. Race by race, each by its key (OFFSET 0 keeps it so). */
const racesOf = (ids: string): string => `
  SELECT r.race_id, r.venue, r.race_number, r.category, r.country, r.start_time, a.runners AS announced,
      ${millis('a.announced_at')}::float8 AS "announcedMs", a.due,
      (SELECT json_agg(json_build_object('number', u.number, 'name', u.name) ORDER BY u.number)
         FROM race_runners u WHERE u.race_id = r.race_id AND NOT u.scratched) AS runners,
      (SELECT json_agg(json_build_object('bookmaker', b.bookmaker_key, 'polledAtMs', ${millis('b.polled_at')},
                                         'numbers', b.numbers, 'win', b.win))
         FROM race_books b WHERE b.race_id = r.race_id AND b.bookmaker_key = ANY ($2) AND b.polled_at IS NOT NULL) AS books
    FROM (${ids}
          UNION SELECT p.race_id FROM announced_prices p
                 WHERE p.due AND (p.announced_at > $3 OR p.announced_at <= $3::timestamptz - $4 * interval '1 millisecond')) t
    CROSS JOIN LATERAL (SELECT * FROM races r WHERE r.race_id = t.race_id OFFSET 0) r
    LEFT JOIN announced_prices a ON a.race_id = r.race_id
   WHERE ${shownOn('pricesAnnounced', 'r', '$3')} AND r.country IS NOT NULL
   ORDER BY r.start_time, r.race_id`;

const READ = {
  touched: { name: 'follow-touched', text: racesOf(TOUCHED) },
  all: { name: 'follow-all', text: racesOf(ALL) },
};

interface FollowedRace extends RaceName {
  readonly announced: readonly AnnouncedPrice[] | null;
  readonly announcedMs: number | null;
  readonly due: boolean | null;
  readonly runners: PricedRace['runners'] | null;
  readonly books: PricedRace['books'] | null;
}

async function touchedRaces(client: ClientBase, from: Instant | null, at: Instant): Promise<readonly FollowedRace[]> {
  const statement = from === null ? READ.all : READ.touched;
  return (await client.query<FollowedRace>({ ...statement, values: [from, COMPARED, at, BETWEEN_CHANGES_MS] })).rows;
}

/** Events in the order of the rows. */
const WRITE = {
  name: 'follow-write',
  text: `
  WITH changed AS (
    SELECT * FROM jsonb_to_recordset($2) AS c (place integer, race_id uuid, category text, country text, facts jsonb, runners jsonb)),
  announced AS (
    INSERT INTO announced_prices (race_id, runners, announced_at, due) SELECT race_id, runners, $1, false FROM changed
    ON CONFLICT (race_id) DO UPDATE SET runners = EXCLUDED.runners, announced_at = EXCLUDED.announced_at, due = false)
  INSERT INTO events (kind, race_id, category, country, occurred_at, facts)
  SELECT 'odds.change', race_id, category, country, $1, facts FROM changed ORDER BY place`,
};

const SET_DUE = { name: 'follow-due', text: 'UPDATE announced_prices SET due = NOT due WHERE race_id = ANY ($1)' };

async function announce(client: ClientBase, races: readonly FollowedRace[], at: Instant): Promise<number> {
  const events: object[] = [];
  const turned: string[] = [];
  for (const race of races) {
    const announced = race.announced ?? [];
    const prices = runnerPrices({ runners: race.runners ?? [], books: race.books ?? [] }, announced);
    const moved = hasMoved(prices, announced);
    const isNow = moved && mayAnnounce(race.announcedMs, Date.parse(at));
    if (isNow) events.push({ place: events.length, ...eventOf(race, prices) });
    else if (moved !== (race.due ?? false)) turned.push(race.race_id);
  }
  if (events.length > 0) await client.query({ ...WRITE, values: [at, JSON.stringify(events)] });
  if (turned.length > 0) await client.query({ ...SET_DUE, values: [turned] });
  return events.length;
}

function eventOf(race: FollowedRace, prices: readonly RunnerPrice[]) {
  const { race_id, venue, race_number, category, country, start_time } = race;
  const facts = { race_id, venue, race_number, category, country, start_time, runners: prices };
  const runners = prices.flatMap(({ number, name, best_win }) =>
    best_win === null ? [] : [{ number, name, price: best_win.price }],
  );
  return { race_id, category, country, facts, runners };
}
