// Pushes of sports as an operator sends them, and their stored rows.
import type { PoolClient } from 'pg';
import { type Served, serve } from '../../../support/api/served';
import { type Push, pusherOf } from '../../../support/sports/push';

/** The last digit is the second. */
export const at = (second: number): string => `2026-11-21T02:59:0${second}.000Z`;

/** Call it once; every test has its own teams. */
export function pushedSports() {
  const lab = {} as { served: Served; operator: string };
  beforeAll(async () => {
    lab.served = await serve();
    lab.operator = await lab.served.addKey({ role: 'internal', plan: 'enterprise' });
  });
  afterAll(() => lab.served.stop());

  const holders = new Set<PoolClient>();
  /** Until `letGo`, pushes wait for this session, at most to the end of the test: one that fails stops no other. */
  async function hold(): Promise<PoolClient> {
    const holder = await lab.served.db.pool.connect();
    holders.add(holder);
    await holder.query('SELECT pg_advisory_lock(77)');
    return holder;
  }
  const letGo = (holder: PoolClient) => holder.query('SELECT pg_advisory_unlock(77)');
  afterEach(() => {
    for (const holder of holders) holder.release(true);
    holders.clear();
  });

  const push: Push = (...of) => pusherOf(lab.served, lab.operator)(...of);
  /** Whatever the reply is. */
  const send = (body: unknown, { book = 'tab', key = lab.operator } = {}) =>
    lab.served.api.send('POST', `/v1/ingest/sports/${book}`, {
      key,
      headers: { 'Content-Type': 'application/json', Connection: 'close' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const rows = async (text: string, values: unknown[] = []) => (await lab.served.db.pool.query(text, values)).rows;
  const ticksOf = (home: string) =>
    rows(
      `SELECT to_char(t.captured_at, 'SS')::int AS at, t.bookmaker_key AS book, t.market, t.home_price AS home, t.away_price AS away, t.home_point AS point
         FROM sport_ticks t JOIN sport_events e USING (event_id) WHERE e.home_team = $1 ORDER BY t.captured_at, book, market`,
      [home],
    );
  const eventsOf = (home: string) =>
    rows('SELECT canonical_event_id, commence_time, competition FROM sport_events WHERE home_team = $1 ORDER BY 1', [
      home,
    ]);

  return Object.assign(lab, { push, send, rows, ticksOf, eventsOf, hold, letGo });
}
