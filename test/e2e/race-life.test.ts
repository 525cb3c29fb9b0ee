// The life of a race on the real stack, with the world's clock running fast: simulator → Temporal → worker → store →
// API. Two races prove it, one part each, so that no test waits for hours of racing: one goes from the card to the live
// tier, the other from there to its final result. Two more had run before the service started, which is in the
// afternoon of a racing day. The time-skipping server proves one race through all phases
// (`test/workflows/race-life.test.ts`).

import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { BOOKMAKERS } from '../../src/domain/bookmakers';
import { aetDay } from '../../src/domain/time/aet';
import { issueKey } from '../../src/ops/issue-key';
import { horseCodeOf } from '../../src/simulator/registry/meetings';
import { racesOf } from '../../src/simulator/world/world';
import { createStores } from '../../src/store/create-stores';
import { raceState, raceWorkflowId } from '../../src/workflows/contract';
import { openStream, type StreamClient } from '../support/api/stream-client';
import { PATIENT_MS } from '../support/patient';
import { type Service, startService } from '../support/servers/service';
import { createExplainedWait } from '../support/servers/service-state';
import { type Standstills, watchStandstills } from '../support/standstill';
import { type Receiver, startReceiver } from '../support/webhooks/receiver';

const SPEED = 45;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/**
 * A race without an observed jump is presumed to have jumped this long after its start (D24), and a result that comes
 * this long after the jump finds no market to copy (A 2.2): thirteen seconds of wall time.
 */
const ON_BOARD_MS = 10 * MINUTE;
/** After a longer standstill of the machine, neither may be observed in time. Four seconds of wall time. */
const STANDSTILL_MS = 3 * MINUTE;
const ORDER = [7, 2, 5, 1];
const CARD_VENUE = 'Randwick';
/** One race that the sweep looks for, and one that is young enough for a workflow. */
const RAN_BEFORE = { 'Eagle Farm': 3 * HOUR, Morphettville: 40 * MINUTE };
const PANEL = BOOKMAKERS.filter((book) => book.status === 'active' && book.reach === 'polled');
/** Customers see all of them except the exchange. */
const SHOWN = PANEL.filter((book) => book.kind === 'bookmaker').map((book) => book.key);

let service: Service;
let standstills: Standstills;
let api: { url: string };
let key: string;
let receiver: Receiver;
let hook: { id: string; secret: string };
/** Verified as they arrived: the library compares their timestamps with the wall clock. */
const verified: Sent[] = [];
let stream: StreamClient;
let changes: ChangesFollower;
const waitFor = createExplainedWait(
  () => service,
  () => standstills,
);

beforeAll(async () => {
  service = await startService(SPEED);
  standstills = watchStandstills(service.now);
  const { keys } = createStores(service.db.pool);
  key = await issueKey(keys, { label: 'e2e', plan: 'enterprise', role: 'customer' }, new Date().toISOString());
  api = await service.startApi();
  await service.startWorker();
  receiver = await startReceiver();
  hook = await send('webhooks', { url: `http://127.0.0.1:${receiver.port}/racing`, country: ['AU'] });
  const library = new Webhook(hook.secret);
  receiver.answer = (response, { headers, body }) => {
    try {
      verified.push(library.verify(body, headers as Record<string, string>) as Sent);
      response.end();
    } catch {
      response.writeHead(401).end();
    }
  };
  stream = await openStream(api.url, key);
  changes = followChanges();
  // Only now, so that one race is on the card and the other before its scratching, however long the service took to
  // start.
  await service.openWorld((nowMs) => [
    ...Object.entries(RAN_BEFORE).map(([venue, beforeMs]) => ({ startMs: nowMs - beforeMs, venue })),
    { startMs: nowMs + 3 * HOUR + 30 * MINUTE, venue: CARD_VENUE, runners: 8 },
    {
      startMs: nowMs + 27 * MINUTE,
      venue: 'Flemington',
      runners: 10,
      order: ORDER,
      scratchings: [{ number: 9, secondsBefore: 600 }],
      jumpDelaySeconds: 45,
      interimAfterSeconds: 240,
      finalAfterSeconds: 600,
    },
  ]);
});
afterAll(async () => {
  standstills?.close();
  await changes?.stop();
  await stream?.close();
  await receiver?.close();
  await service?.close();
});

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came back.
async function get(path: string): Promise<any> {
  // A separate connection: the other side may close a kept one while this machine stands still.
  const headers = { 'X-API-Key': key, connection: 'close' };
  const response = await fetch(`${api.url}/v1/racing/${path}`, { headers });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
// biome-ignore lint/suspicious/noExplicitAny: as above.
async function send(path: string, body: object = {}): Promise<any> {
  const headers = { 'X-API-Key': key, connection: 'close', 'content-type': 'application/json' };
  const response = await fetch(`${api.url}/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
interface ChangesFollower {
  /** Of every race that a response named. */
  readonly venues: ReadonlySet<string>;
  stop(): Promise<void>;
}

/** Continues from each response's `server_time`, as a customer does. */
function followChanges(): ChangesFollower {
  const venues = new Set<string>();
  const stopping = new AbortController();
  const follow = async (): Promise<void> => {
    let since = new Date(service.now() - MINUTE).toISOString();
    while (!stopping.signal.aborted) {
      const answer = await get(`changes?since=${since}`).catch(() => null);
      for (const { venue } of answer?.races ?? []) venues.add(venue);
      since = answer?.server_time ?? new Date(service.now() - MINUTE).toISOString();
      await delay(1000, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const following = follow();
  const stop = (): Promise<void> => {
    stopping.abort();
    return following;
  };
  return { venues, stop };
}
interface Listed {
  readonly venue: string;
}
const at = async (venue: string, path: string) => (await get(path)).find((race: Listed) => race.venue === venue);
const board = (venue = 'Flemington') => at(venue, 'next-to-go?num_races=20');
const event = () => at('Flemington', 'events?hours_ahead=24');
const result = () => at('Flemington', 'results?hours_back=24');
/** The wall time of this much race time, plus minutes for a busy machine. */
const within = (raceMs: number): number => raceMs / SPEED + 180_000;
const stateOf = (raceId: string) =>
  waitFor(
    () =>
      service.temporal.client.workflow
        .getHandle(raceWorkflowId(raceId))
        .query(raceState)
        .catch(() => null),
    within(0),
  );

let raceId: string;

test('one race goes live, another becomes final, and customers see each stage', async () => {
  await Promise.all([fromCardToLive(), fromLiveToFinal()]);
}, 1_800_000);

/** Three hours before its start. */
async function fromCardToLive(): Promise<void> {
  const listed = await waitFor(() => board(CARD_VENUE), within(0));
  expect(listed).toMatchObject({ race_number: 1, category: 'horse', country: 'AU' });
  const onCard = await waitFor(async () => pricedBy(await board(CARD_VENUE), 4), within(30 * MINUTE));
  expect(onCard.refresh_tier).toBe('card');
  const live = await waitFor(
    async () => {
      const race = await board(CARD_VENUE);
      return race?.refresh_tier === 'live' ? pricedBy(race, SHOWN.length) : null;
    },
    within(2 * HOUR),
  );
  expect(live.race_id).toBe(listed.race_id);
}

async function fromLiveToFinal(): Promise<void> {
  const listed = await waitFor(event, within(0));
  raceId = listed.race_id;

  const shortened = await waitFor(async () => {
    const race = await event();
    return race?.scratchings.length > 0 ? race : null;
  }, within(HOUR));
  expect(shortened.scratchings.map((each: { number: number }) => each.number)).toEqual([9]);

  const interim = await waitFor(result, within(2 * HOUR));
  expect(interim.race_id).toBe(raceId);
  expect(['interim', 'final']).toContain(interim.status);
  const startMs = Date.parse(interim.start_time);
  expectMarketSeen(interim, startMs + 45_000);
  await waitFor(async () => (await board()) === undefined, within(20 * MINUTE));

  const final = await waitFor(async () => {
    const row = await result();
    return row.status === 'final' ? row : null;
  }, within(HOUR));
  expect(final.placings.slice(0, 3).map((each: { number: number }) => each.number)).toEqual(ORDER.slice(0, 3));
  expect(final.market_closed_at).toBe(interim.market_closed_at ?? final.market_closed_at);
  expect(final.field_source).toBe('racing_australia');
  // The registry publishes it within the hour, and the Schedule may run immediately.
  expect(final.field_status).toBe(final.runners === null ? 'pending' : 'complete');

  const state = await stateOf(raceId);
  expect(state).toMatchObject({ phase: 'final', onBoard: false, placingsKey: '1:7|2:2|3:5|4:1' });
  expect(Date.parse(state.jumpedAt!)).toBeGreaterThanOrEqual(startMs);
  expect(Date.parse(state.leftBoardAt!)).toBeGreaterThanOrEqual(Date.parse(state.jumpedAt!) + 10 * MINUTE);
  expect(Date.parse(state.phaseSince)).toBeGreaterThanOrEqual(Date.parse(state.placingsSince!) + 30 * MINUTE);
}

interface MarketSeen {
  readonly market_state_source: string | null;
  readonly market_closed_at: string | null;
}

/** Observed by a poll: after the event, and before the presumption, unless the machine stood still just then. */
function expectMarketSeen({ market_state_source: source, market_closed_at: at }: MarketSeen, jumpMs: number): void {
  const closedMs = at === null ? Number.POSITIVE_INFINITY : Date.parse(at);
  expect(closedMs).toBeGreaterThanOrEqual(jumpMs);
  const stoodMs = standstills.within(jumpMs - ON_BOARD_MS, jumpMs + 2 * ON_BOARD_MS);
  expect(stoodMs > STANDSTILL_MS ? ['pointsbetau', null] : ['pointsbetau']).toContain(source);
  if (stoodMs > STANDSTILL_MS) return;
  expect(closedMs).toBeLessThan(jumpMs + ON_BOARD_MS);
}

/** A market whose close no poll observed has no event. */
const OF_A_RACE = ['race.odds_open', 'odds.change', 'race.scratching', 'race.result'];

test('a receiver with the Standard Webhooks library gets the events of the race in order', async () => {
  const ofRace = () => verified.filter((each) => each.race_id === raceId);
  await waitFor(async () => {
    const kinds = new Set(ofRace().map((each) => each.event));
    return OF_A_RACE.every((kind) => kinds.has(kind));
  }, within(0));
  // An event that a standstill of this machine delayed may arrive after others, and twice.
  const { rows } = await service.db.pool.query(
    `SELECT event_id FROM webhook_deliveries WHERE status = 'delivered' AND attempt_count = 1`,
  );
  const atOnce = new Set(rows.map(({ event_id }) => event_id));
  const sent = ofRace().filter(({ id }) => atOnce.has(id));
  const sequences = sent.map(({ sequence }) => sequence);
  expect(sent.length).toBeGreaterThan(0);
  expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b));
  for (const { id, event: kind, venue } of sent) {
    expect(venue).toBe('Flemington');
    expect(receiver.posts.find(({ headers }) => headers['webhook-id'] === id)!.headers).toMatchObject({
      'x-puntersedge-event': kind,
    });
  }
  const opened = ofRace().filter(({ event: kind }) => kind === 'race.odds_open');
  expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
  expect(await send(`webhooks/${hook.id}/test`)).toMatchObject({ delivered: true, status_code: 200 });
});

test('for races run before the service began, only results are received (D63)', async () => {
  const sent = () => receiver.posts.map(({ body }) => JSON.parse(body) as Sent);
  for (const venue of Object.keys(RAN_BEFORE)) {
    await waitFor(async () => sent().some((one) => one.venue === venue && one.status === 'final'), within(2 * HOUR));
    expect([venue, ...new Set(sent().flatMap((one) => (one.venue === venue ? [one.event] : [])))]).toEqual([
      venue,
      'race.result',
    ]);
    expect(stream.events.filter(({ data }) => JSON.stringify(data).includes(venue))).toEqual([]);
    expect([...changes.venues]).not.toContain(venue);
    const ran = await at(venue, 'results?hours_back=24');
    await expect(get(`consensus?race_id=${ran.race_id}`)).rejects.toThrow('race_not_on_board');
  }
  // Each of them was on: they had the upcoming races.
  expect([...changes.venues]).toContain('Flemington');
  expect(stream.events.some(({ data }) => JSON.stringify(data).includes(raceId))).toBe(true);
  const { rows } = await service.db.pool.query(
    'SELECT count(*)::int AS n FROM races WHERE left_board_at IS NOT NULL AND venue = ANY ($1)',
    [Object.keys(RAN_BEFORE)],
  );
  expect(rows).toEqual([{ n: 2 }]);
}, 600_000);

interface Sent {
  readonly status?: string;
  readonly event: string;
  readonly id: string;
  readonly race_id?: string;
  readonly venue?: string;
  readonly sequence: number;
}

test('an operator finds the race by its attributes and reads its story', async () => {
  const { client } = service.temporal;
  const found = await waitFor(async () => {
    const { field } = await stateOf(raceId);
    const query = `RacePhase = "final" AND Venue = "Flemington" AND Category = "horse" AND FieldStatus = "${field!.status}"`;
    for await (const execution of client.workflow.list({ query })) return execution;
    return null;
  }, within(0));
  expect(found.workflowId).toBe(raceWorkflowId(raceId));
  const described = await client.workflow.getHandle(found.workflowId).describe();
  expect(await described.staticSummary()).toMatch(/^Flemington R1 · horse · \d\d:\d\d AE[DS]T$/);
  const { events = [] } = await client.workflow.getHandle(found.workflowId).fetchHistory();
  process.stdout.write(`  ${events!.length} events to the final result\n`);
  expect(events!.length).toBeLessThan(120);
});

test('the form of a horse is read from its registry, through workflow, door and site', async () => {
  const { world } = service.simulator;
  const race = racesOf(world, aetDay(service.now())).find(({ meeting }) => meeting.track.name === CARD_VENUE)!;
  const runner = race.runners[0]!;
  const code = horseCodeOf(race, runner);
  // A door that is busy with results refuses for several seconds.
  const form = await waitFor(() => get(`horses/form?horse=${code}`).catch(() => null), within(0));
  expect(form).toMatchObject({ horse_name: runner.name.toUpperCase(), runner_ref: `ra:${code}` });
  expect(form.source).toMatchObject({ feed: 'racing_australia', stale: false });
  const again = await get(`horses/form?horse=${encodeURIComponent(runner.name)}`);
  expect(again.source.fetched_at).toBe(form.source.fetched_at);
});

test('every book has health figures, and no poll was lost on our side', async () => {
  const { rows } = await service.db.pool.query('SELECT connector, status, polls::int FROM connector_health ORDER BY 1');
  const measured = new Map(rows.map((row) => [row.connector, row.polls]));
  expect([...measured.keys()]).toEqual(expect.arrayContaining(PANEL.map((book) => book.key)));
  const usual = PANEL.filter((book) => book.liveInsideMinutes === null);
  expect(Math.min(...usual.map((book) => measured.get(book.key)))).toBeGreaterThan(60);
});

test('uptime is measured from outside the API', async () => {
  await waitFor(async () => (await service.db.pool.query('SELECT 1 FROM uptime_checks WHERE ok')).rowCount, PATIENT_MS);
});

// biome-ignore lint/suspicious/noExplicitAny: the row of an answer.
function pricedBy(race: any, books: number): any {
  const keys = new Set(
    (race?.runners ?? []).flatMap((runner: { bookmakers?: { key: string }[] }) =>
      (runner.bookmakers ?? []).map((quote) => quote.key),
    ),
  );
  return keys.size >= books ? race : null;
}
