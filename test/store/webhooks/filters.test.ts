// Which events each filter of a webhook lets through, and that the fan-out, the list of events and a replay use one
// rule.
import type { Pool } from 'pg';
import { type EventKind, eventBody, NAMED_ONLY } from '../../../src/domain/events/event';
import { createDeliveryStore, type DeliveryStore } from '../../../src/store/webhooks/deliveries';
import { readLog } from '../../../src/store/webhooks/event-log';
import { EVENT_VENUES, OWN_VENUES, wants } from '../../../src/store/webhooks/wants';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';
import { newRace, type Outbox, openOutbox } from '../../support/webhooks/outbox';

let db: TestDatabase;
let pool: Pool;
let outbox: Outbox;
let deliveries: DeliveryStore;
beforeAll(async () => {
  db = await createTestDatabase();
  pool = poolAs(db, 'racing_worker');
  outbox = openOutbox(db.pool);
  deliveries = createDeliveryStore(pool);
});
afterAll(async () => {
  await pool?.end();
  await db?.drop();
});
beforeEach(() =>
  outbox.rows('TRUNCATE events, event_sequences, webhooks, webhook_deliveries, webhook_queue, webhook_disablings'),
);

const fanOut = () =>
  deliveries.fanOut({ most: 100, plans: ['plus'], bodyOf: eventBody, now: new Date().toISOString() });
const runner = (number: number, price: number | null, before: number | null, bookmaker = 'tab') => ({
  number,
  name: `Runner ${number}`,
  best_win: price === null ? null : { price, bookmaker },
  previous_price: before,
});
const moved = (...runners: ReturnType<typeof runner>[]) => ({ facts: { runners } });

/** Labels of the events that each webhook got. */
async function sent(
  webhooks: Readonly<Record<string, object>>,
  events: Readonly<Record<string, readonly [EventKind, object]>>,
): Promise<Record<string, readonly string[]>> {
  const ids = new Map<string, string>();
  const names = new Map<string, string>();
  for (const [name, more] of Object.entries(webhooks)) names.set(await outbox.webhook({ ...more }), name);
  for (const [label, [kind, more]] of Object.entries(events)) {
    const race = /^(race|odds)\./.test(kind) ? newRace() : null;
    ids.set(await outbox.event(kind, race, { ...more }), label);
  }
  await fanOut();
  const got: Record<string, string[]> = Object.fromEntries(Object.keys(webhooks).map((name) => [name, []]));
  const rows = await outbox.rows<{ webhook_id: string; event_id: string }>(
    'SELECT webhook_id, event_id FROM webhook_deliveries ORDER BY written',
  );
  for (const { webhook_id, event_id } of rows) got[names.get(webhook_id)!]!.push(ids.get(event_id)!);
  return got;
}

test('a racing filter means racing only, unless `events` or `sports` names sports', async () => {
  const webhooks = {
    all: {},
    venue: { venues: ['Randwick'] },
    country: { countries: ['AU'] },
    book: { bookmakers: ['tab'] },
    racing: { sports: ['racing_horse'] },
    named: { venues: ['Randwick'], sports: ['racing_horse'], events: ['arb.opportunity', 'race.result'] },
    both: { venues: ['Randwick'], sports: ['racing_horse', 'afl'] },
    other: { sports: ['nrl'] },
  };
  const legs = [{ bookmaker: 'tab' }, { bookmaker: 'tab' }];
  const events = {
    result: ['race.result', {}],
    arb: ['arb.opportunity', { category: 'afl', facts: { edge_pct: 1, legs } }],
  } as const;
  expect(await sent(webhooks, events)).toEqual({
    all: ['result', 'arb'],
    venue: ['result'],
    country: ['result'],
    book: ['result'],
    racing: ['result'],
    named: ['result', 'arb'],
    both: ['result', 'arb'],
    other: [],
  });
});

test('`bookmakers` and `min_move_pct` filter each kind by its books', async () => {
  const webhooks = {
    tab: { bookmakers: ['tab'], events: ['race.odds_open', 'race.market_closed', 'odds.change', 'race.result'] },
    big: { min_move_pct: 10, events: ['odds.change', 'race.result'] },
    bigAtTab: { min_move_pct: 10, bookmakers: ['tab'], events: ['odds.change'] },
    arbs: { bookmakers: ['tab', 'sportsbet'], min_edge_pct: 1, events: ['arb.opportunity', 'arb.corrected'] },
  };
  const arbOf = (kind: EventKind, edge_pct: number, books: readonly string[]) =>
    [kind, { category: 'afl', facts: { edge_pct, legs: books.map((bookmaker) => ({ bookmaker })) } }] as const;
  const arb = (...books: string[]) => arbOf('arb.opportunity', 1, books);
  const events = {
    openTab: ['race.odds_open', { facts: { bookmakers: ['neds', 'tab'] } }],
    openNeds: ['race.odds_open', { facts: { bookmakers: ['neds'] } }],
    closedTab: ['race.market_closed', { facts: { market_state_source: 'tab' } }],
    closedNeds: ['race.market_closed', { facts: { market_state_source: 'neds' } }],
    // 10 % to the cent, though not in binary.
    ten: ['odds.change', moved(runner(1, 2.2, 2), runner(2, 3, 3, 'neds'))],
    nine: ['odds.change', moved(runner(1, 2.19, 2.4))],
    stood: ['odds.change', moved(runner(1, 2.2, 2.2), runner(2, 6, 3, 'neds'))],
    came: ['odds.change', moved(runner(1, 2.2, null))],
    went: ['odds.change', moved(runner(1, null, 2.2))],
    result: ['race.result', {}],
    bothLegs: arb('tab', 'sportsbet'),
    oneLeg: arb('tab', 'neds'),
    corrected: arbOf('arb.corrected', 1, ['tab', 'sportsbet']),
    correctedLeg: arbOf('arb.corrected', 1, ['tab', 'neds']),
    correctedThin: arbOf('arb.corrected', 0.9, ['tab', 'sportsbet']),
  } as const;
  expect(await sent(webhooks, events)).toEqual({
    tab: ['openTab', 'closedTab', 'ten', 'nine', 'came', 'result'],
    big: ['ten', 'stood', 'result'],
    bigAtTab: ['ten'],
    arbs: ['bothLegs', 'corrected'],
  });
});

test('a move is superseded only where the newer one is wanted', async () => {
  const any = await outbox.webhook({ events: ['odds.change'] });
  const big = await outbox.webhook({ events: ['odds.change'], min_move_pct: 10 });
  const race = newRace();
  const first = await outbox.event('odds.change', race, moved(runner(1, 4, 2)));
  await fanOut();
  const second = await outbox.event('odds.change', race, moved(runner(1, 4.1, 4)));
  expect(await fanOut()).toMatchObject({ made: 1, superseded: 1 });
  const rows = await outbox.rows(
    'SELECT webhook_id, event_id, status FROM webhook_deliveries ORDER BY written, status',
  );
  expect(rows).toEqual([
    { webhook_id: any, event_id: first, status: 'cancelled' },
    { webhook_id: big, event_id: first, status: 'pending' },
    { webhook_id: any, event_id: second, status: 'pending' },
  ]);
});

test('newer kinds go only to webhooks that name them, and are listed only for these', async () => {
  const webhooks = { all: {}, named: { events: ['race.result', ...NAMED_ONLY] }, other: { events: ['race.result'] } };
  const events = Object.fromEntries(NAMED_ONLY.map((kind) => [kind, [kind, {}] as const]));
  expect(await sent(webhooks, events)).toEqual({ all: [], named: [...NAMED_ONLY], other: [] });
  const listed = async (events: string) => {
    const [{ account_id: accountId } = {}] = await outbox.rows<{ account_id: string }>(
      'SELECT account_id FROM webhooks WHERE events = $1',
      events,
    );
    const after = { position: 0, sinceMs: 0 };
    return (await readLog(db.pool, {
      accountId: accountId!,
      after,
      events: [],
      webhookId: null,
      ofAccount: true,
      limit: 100,
    }))!.bodies;
  };
  expect(await listed('{}')).toEqual([]);
  expect(await listed(`{race.result,${NAMED_ONLY.join(',')}}`)).toHaveLength(NAMED_ONLY.length);
});

test('a webhook’s interest is decided without a call per pair of webhook and event', async () => {
  const own = `SELECT w.*, ${OWN_VENUES} AS own_venues FROM webhooks w`;
  const text = `EXPLAIN (VERBOSE) WITH own AS MATERIALIZED (${own})
    SELECT FROM events e, own w WHERE ${wants('w.own_venues', EVENT_VENUES)}`;
  const plan = (await outbox.rows<{ 'QUERY PLAN': string }>(text)).map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('race.track_changed');
  expect(plan).not.toContain('webhook_wants');
});
