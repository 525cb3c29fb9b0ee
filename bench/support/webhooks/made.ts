// Webhooks and events for benchmarks, many in a statement.
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';

/** Each of an account of its own. `url` and `more` by number. Resolves to the accounts. */
export async function makeWebhooks(
  pool: Pool,
  count: number,
  urlOf: (n: number) => string,
  more: (n: number) => { readonly events?: readonly string[]; readonly venue?: string } = () => ({}),
): Promise<readonly string[]> {
  const accounts = Array.from({ length: count }, () => randomUUID());
  await pool.query(
    `INSERT INTO accounts (account_id, plan, created_at) SELECT id, 'plus', now() FROM unnest($1::uuid[]) id`,
    [accounts],
  );
  await pool.query(
    `INSERT INTO webhooks (webhook_id, account_id, url, events, venues, secret, created_at)
     SELECT 'wh_' || substr(md5(account::text), 1, 12), account, url, string_to_array(events, ','), string_to_array(venue, ','),
            'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', now()
       FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) n(account, url, events, venue)`,
    [
      accounts,
      accounts.map((_, n) => urlOf(n)),
      accounts.map((_, n) => (more(n).events ?? []).join()),
      accounts.map((_, n) => more(n).venue ?? ''),
    ],
  );
  return accounts;
}

/** Of today, with four spellings of each venue; `venues` in the order of the races. */
export async function makeRaces(pool: Pool, races: readonly string[], venues: readonly string[]): Promise<void> {
  await pool.query(
    `INSERT INTO races (race_id, meeting_date, category, venue, venue_id, venue_canonical, venue_site, race_number, country, start_time, first_seen_at, updated_at)
     SELECT race, current_date, 'horse', venue, venue, venue, venue, n, 'AU', now(), now(), now() FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY r(race, venue, n)`,
    [races, venues],
  );
  await pool.query(
    `INSERT INTO venue_spellings (venue_id, spelling, category, country, first_seen_at, last_seen_at)
     SELECT DISTINCT venue, venue || ending, 'horse', 'AU', now(), now() FROM unnest($1::text[]) r(venue), unnest('{"", " Park", " Gardens", " Raceway"}'::text[]) e(ending)`,
    [venues],
  );
}

export interface MadeEvent {
  readonly kind: string;
  readonly raceId: string;
  readonly venue?: string;
  /** Null: everybody's. */
  readonly accountId?: string;
}

const DEADLOCK = '40P01';
const EMPTY =
  'TRUNCATE events, event_sequences, webhooks, webhook_deliveries, webhook_queue, webhook_leases, webhook_attempts, webhook_failures';

/** With the wall time of its making in its body, and members as long as a race's. */
export async function makeEvents(pool: Pool, events: readonly MadeEvent[]): Promise<void> {
  await pool.query(
    `INSERT INTO events (kind, race_id, category, country, account_id, occurred_at, facts)
     SELECT kind, race, 'horse', 'AU', account, now(), $5::jsonb || jsonb_build_object('race_id', race, 'venue', venue, 'made_ms', $6::float8)
       FROM unnest($1::text[], $2::uuid[], $3::text[], $4::uuid[]) n(kind, race, venue, account)`,
    [
      events.map(({ kind }) => kind),
      events.map(({ raceId }) => raceId),
      events.map(({ venue }) => venue ?? 'Randwick'),
      events.map(({ accountId }) => accountId ?? null),
      FACTS,
      Date.now(),
    ],
  );
}

const RUNNERS = Array.from({ length: 11 }, (_, i) => ({
  number: i + 1,
  name: `Runner ${i + 1}`,
  best_win: { price: 2 + i, bookmaker: 'tab' },
}));
const FACTS = JSON.stringify({
  race_number: 4,
  category: 'horse',
  country: 'AU',
  start_time: '2026-11-21T03:00:00Z',
  runners: RUNNERS,
});

/** Again if a statement of a worker that runs beside was in the way. */
export async function emptied(pool: Pool): Promise<void> {
  for (;;) {
    const failed = await pool.query(EMPTY).then(
      () => null,
      (error: { readonly code?: string }) => error,
    );
    if (failed === null) return;
    if (failed.code !== DEADLOCK) throw failed;
  }
}
