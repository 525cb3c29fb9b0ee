// One race through its whole life on the real stack, with the world's clock running fast: simulator → Temporal → worker → store → API.

import { BOOKMAKERS } from '../../src/domain/bookmakers';
import { issueKey } from '../../src/ops/issue-key';
import { createStores } from '../../src/store/create-stores';
import { raceState, raceWorkflowId } from '../../src/workflows/contract';
import { type Service, startService, waitFor } from '../support/service';

const SPEED = 120;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ORDER = [7, 2, 5, 1];
const PANEL = BOOKMAKERS.filter((book) => book.status === 'active' && book.reach === 'polled');
/** What a customer sees of them: all but the exchange. */
const SHOWN = PANEL.filter((book) => book.kind === 'bookmaker').map((book) => book.key);

let service: Service;
let api: { url: string };
let key: string;

beforeAll(async () => {
  service = await startService(SPEED, (nowMs) => [
    {
      // On the card for 45 s of wall time: a busy machine needs most of it to start the service.
      startMs: nowMs + 3 * HOUR + 90 * MINUTE,
      venue: 'Flemington',
      runners: 10,
      order: ORDER,
      scratchings: [{ number: 9, secondsBefore: 3600 }],
      jumpDelaySeconds: 45,
      interimAfterSeconds: 240,
      finalAfterSeconds: 600,
    },
  ]);
  const { keys } = createStores(service.db.pool);
  key = await issueKey(keys, { label: 'e2e', plan: 'enterprise', role: 'customer' }, new Date().toISOString());
  api = await service.startApi();
  await service.startWorker();
}, 90_000);
afterAll(() => service?.close(), 30_000);

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came back.
async function get(path: string): Promise<any> {
  const response = await fetch(`${api.url}/v1/racing/${path}`, { headers: { 'X-API-Key': key } });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
const board = async () => (await get('next-to-go?num_races=20'))[0];
/** Until it leaves the board: next-to-go lets go of it at the jump, which may be told with the close or right after it. */
const event = async () => (await get('events?hours_ahead=24'))[0];
const result = async () => (await get('results?hours_back=24'))[0];
/** Wall time that so much racing time takes, and half a minute for the machine. */
const within = (raceMs: number): number => raceMs / SPEED + 30_000;

test('a race lives its whole life, and customers see each part of it', async () => {
  const listed = await waitFor(board, 30_000);
  const raceId: string = listed.race_id;
  const handle = service.temporal.client.workflow.getHandle(raceWorkflowId(raceId));
  expect(listed).toMatchObject({ race_number: 1, category: 'horse', country: 'AU' });

  const onCard = await waitFor(async () => pricedBy(await board(), 4), within(30 * MINUTE));
  expect(onCard.refresh_tier).toBe('card');

  const live = await waitFor(
    async () => {
      const race = await board();
      return race.refresh_tier === 'live' ? pricedBy(race, SHOWN.length) : null;
    },
    within(2 * HOUR),
  );
  expect(live.race_id).toBe(raceId);

  const closed = await waitFor(
    async () => {
      const race = await event();
      return race?.market_closed_at ? race : null;
    },
    within(4 * HOUR),
  );
  expect(closed.market_state_source).toBe('pointsbetau');
  expect(closed.scratchings.map((each: { number: number }) => each.number)).toEqual([9]);
  const jumpMs = Date.parse(closed.start_time) + 45_000;
  // Poll-observed: up to a polling pass after the event, and no sooner.
  expect(Date.parse(closed.market_closed_at)).toBeGreaterThanOrEqual(jumpMs);
  expect(Date.parse(closed.market_closed_at)).toBeLessThan(jumpMs + 5 * MINUTE);

  const interim = await waitFor(result, within(20 * MINUTE));
  expect(interim.race_id).toBe(raceId);
  expect(['interim', 'final']).toContain(interim.status);
  await waitFor(async () => (await board()) === undefined, within(20 * MINUTE));

  const final = await waitFor(async () => {
    const row = await result();
    return row.status === 'final' ? row : null;
  }, within(HOUR));
  expect(final.placings.slice(0, 3).map((each: { number: number }) => each.number)).toEqual(ORDER.slice(0, 3));
  expect(final.market_closed_at).toBe(closed.market_closed_at);
  expect(final).toMatchObject({ field_status: 'pending', field_source: 'racing_australia', runners: null });

  const state = await handle.query(raceState);
  expect(state).toMatchObject({ phase: 'final', onBoard: false, placingsKey: '1:7|2:2|3:5|4:1' });
  expect(Date.parse(state.leftBoardAt!)).toBeGreaterThanOrEqual(Date.parse(state.jumpedAt!) + 10 * MINUTE);
  expect(Date.parse(state.phaseSince)).toBeGreaterThanOrEqual(Date.parse(state.placingsSince!) + 30 * MINUTE);
}, 400_000);

test('an operator finds the race by its attributes and reads its story', async () => {
  const { client } = service.temporal;
  const query = 'RacePhase = "final" AND Venue = "Flemington" AND Category = "horse" AND FieldStatus = "pending"';
  const found = await waitFor(async () => {
    for await (const execution of client.workflow.list({ query })) return execution;
    return null;
  }, 20_000);
  const described = await client.workflow.getHandle(found.workflowId).describe();
  expect(await described.staticSummary()).toMatch(/^Flemington R1 · horse · \d\d:\d\d AE[DS]T$/);
  const { events = [] } = await client.workflow.getHandle(found.workflowId).fetchHistory();
  process.stdout.write(`  ${events!.length} events to the final result\n`);
  expect(events!.length).toBeLessThan(120);
});

test('every book is measured and no poll was lost on our side', async () => {
  const { rows } = await service.db.pool.query('SELECT connector, status, polls::int FROM connector_health ORDER BY 1');
  const measured = new Map(rows.map((row) => [row.connector, row.polls]));
  expect([...measured.keys()]).toEqual(expect.arrayContaining(PANEL.map((book) => book.key)));
  const usual = PANEL.filter((book) => book.liveInsideMinutes === null);
  expect(Math.min(...usual.map((book) => measured.get(book.key)))).toBeGreaterThan(60);
});

test('uptime is measured from outside the API', async () => {
  await waitFor(async () => (await service.db.pool.query('SELECT 1 FROM uptime_checks WHERE ok')).rowCount, 70_000);
}, 80_000);

// biome-ignore lint/suspicious/noExplicitAny: the row of an answer.
function pricedBy(race: any, books: number): any {
  const keys = new Set(
    (race?.runners ?? []).flatMap((runner: { bookmakers?: { key: string }[] }) =>
      (runner.bookmakers ?? []).map((quote) => quote.key),
    ),
  );
  return keys.size >= books ? race : null;
}
