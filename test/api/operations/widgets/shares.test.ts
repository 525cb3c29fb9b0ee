// What strangers can cost a widget's owner and its readers: hourly shares by network, the reserve of the usual set, the
// monthly limit, and the last prices in place of new ones. Forged requests come from three networks, the honest reader
// from a fourth.
import fc from 'fast-check';
import { mailNearMonthLimits } from '../../../../src/accounts/notices/widget-notices';
import { createStores } from '../../../../src/store/create-stores';
import { NOW } from '../../../support/api/api';
import { createWidgetWorld, SITE, type WidgetWorld } from '../../../support/api/widget-world';
import { runs } from '../../../support/property';
import { addRace } from '../../../support/races/board';
import { feedRunner } from '../../../support/races/builders';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const RACES = 24;
/** For the usual set. */
const SHOWN = 3;

let world: WidgetWorld;
/** By start. */
let races: readonly string[];

beforeAll(async () => {
  world = await createWidgetWorld();
  const added = [];
  for (let i = 0; i < RACES; i++) {
    const at = new Date(Date.parse(NOW) + 10 * HOUR_MS + i * MINUTE_MS).toISOString();
    const race = { venue: `Track ${Math.floor(i / 12)}`, raceNumber: (i % 12) + 1, startTime: at };
    added.push(await addRace(world.served.db.pool, race, { tab: { runners: [feedRunner(1, { win: 2 })] } }));
  }
  races = added.map(({ raceId }) => raceId);
});
afterAll(() => world.stop());
beforeEach(() => {
  world.clock.nowMs = Date.parse(NOW);
});

type Widget = Awaited<ReturnType<WidgetWorld['made']>>;

/** `network`: that of the readers; `host`: one of its addresses. `token`: the request comes from a page that has it. */
interface Request {
  readonly network: number;
  readonly host?: number;
  /** Null: the usual set. */
  readonly race: number | null;
  readonly token?: string;
  readonly at?: number;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  /** Of scripts. */
  readonly body: { readonly cached?: boolean; readonly delayed?: boolean; readonly age_seconds?: number };
  readonly headers: Headers;
}

const addressOf = ({ network, host = 1 }: Request) => ({ 'X-Forwarded-For': `198.51.${network}.${host}` });
const queryOf = ({ race }: Request): string => (race === null ? '' : `?race_id=${races[race]}`);

const script = (widget: Widget, request: Request): Promise<Answer> =>
  world.fill(widget, queryOf(request), request.at ?? 0, {
    Origin: SITE,
    'Sec-Fetch-Site': 'cross-site',
    ...addressOf(request),
  });
const page = async (widget: Widget, request: Request): Promise<Answer> =>
  world.pageAsks(await world.pricesPath(widget, queryOf(request)), {
    ...addressOf(request),
    ...(request.token && { 'X-Widget-Token': request.token }),
  });
const charges = async (widget: Widget): Promise<number> => (await world.charged(widget))[1];

test('200 forged requests from three networks: an honest reader sees prices, and the owner pays for the share', async () => {
  const widget = await world.made({ max_fills_per_hour: 120 });
  const forge = async (networks: readonly number[], requests: number): Promise<void> => {
    for (let sent = 0; sent < requests; sent += 25)
      await Promise.all(
        Array.from({ length: 25 }, (_, j) => {
          const i = sent + j;
          return script(widget, {
            network: networks[i % networks.length]!,
            host: i % 250,
            race: i % (RACES - 1),
            at: i % 2,
          });
        }),
      );
  };
  await forge([1, 2, 3], 200);
  // A quarter of 60 with the page's token, and half of that without it.
  expect(await charges(widget)).toBe(3 * 7);
  const honest = { network: 9, race: RACES - 1 };
  expect((await script(widget, honest)).body).toMatchObject({ cached: false, delayed: false });
  expect((await script(widget, { ...honest, race: null })).body.delayed).toBe(false);
  // From many more networks: half of the hour's single races are used, and the usual set is still filled every minute.
  for (let minute = 0; minute < 3; minute++) {
    world.clock.nowMs += MINUTE_MS;
    await forge([1, 2, 3, 4, 5, 6, 7, 8], 50);
    expect((await script(widget, { ...honest, race: null })).body).toMatchObject({ delayed: false, age_seconds: 0 });
  }
  expect(await charges(widget)).toBeLessThanOrEqual(30 + 4);
  // A page has the other half.
  const token = await world.pageToken(widget);
  expect((await page(widget, { ...honest, token })).text).not.toContain('Last prices');
});

test('a reader over the share gets the last prices with their age, and other readers are unaffected', async () => {
  const widget = await world.made({ max_fills_per_hour: 16 });
  const [first, second, third] = [10, 11, 12] as const;
  const mine = { network: 1 };
  expect((await script(widget, { ...mine, race: first })).body).toMatchObject({ cached: false, delayed: false });
  world.clock.nowMs += 2 * MINUTE_MS;
  const late = await script(widget, { ...mine, race: first, host: 7 });
  expect(late.body).toMatchObject({
    as_of: NOW,
    cached: true,
    delayed: true,
    age_seconds: 120,
    races: [{ race_id: races[first] }],
  });
  expect((await page(widget, { ...mine, race: first })).text).toContain(
    '<p class="notice">Last prices, from 2 minutes ago. New prices are not available at the moment.</p>',
  );
  // There was no fill for this one.
  const refused = await script(widget, { ...mine, race: second });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3480']);
  // The refusal applies only to this network, and is repeated for five seconds only for it.
  for (const at of [0, 1])
    expect((await script(widget, { network: 2, race: second, at })).body).toMatchObject({ delayed: false });
  world.clock.nowMs += 5000;
  expect((await script(widget, { ...mine, race: second })).body).toMatchObject({ cached: true, delayed: false });
  expect((await script(widget, { ...mine, race: first })).body).toMatchObject({ delayed: true });
  // A page in the same network has a larger share.
  const token = await world.pageToken(widget);
  expect((await page(widget, { ...mine, race: third, token })).text).not.toContain('Last prices');
  expect(await charges(widget)).toBe(3);
  // A runner that has since been scratched has no last price.
  await world.served.db.pool.query('UPDATE race_runners SET scratched = true WHERE race_id = $1', [races[first]]);
  world.clock.nowMs += MINUTE_MS;
  const [scratched] =
    (await script(widget, { ...mine, race: first })).text.match(/"scratched":true,"best_win":null/) ?? [];
  expect(scratched).toBeDefined();
  await world.served.db.pool.query('UPDATE race_runners SET scratched = false WHERE race_id = $1', [races[first]]);
});

test.each([
  ['an IPv4 /24', '203.0.113.5', '203.0.113.77', '203.0.114.5'],
  ['an IPv6 /48', '2001:db8:7:1::5', '2001:db8:7:fffe::6', '2001:db8:8:1::5'],
])('%s is one network', async (_, one, other, foreign) => {
  const widget = await world.made({ max_fills_per_hour: 16 });
  const from = (address: string, race: number) =>
    world.fill(widget, `?race_id=${races[race]}`, 0, { Origin: SITE, 'X-Forwarded-For': address });
  expect([(await from(one, 10)).status, (await from(other, 11)).status]).toEqual([200, 429]);
  expect((await from(foreign, 12)).status).toBe(200);
});

test('an open page renews its token; an expired token, or another widget’s, gives no larger share', async () => {
  const widget = await world.made();
  const token = await world.pageToken(widget);
  const renewed = async (sent: string) =>
    (await page(widget, { network: 1, race: null, token: sent })).headers.get('x-widget-token');
  world.clock.nowMs += 10 * MINUTE_MS - 1;
  const next = await renewed(token);
  expect(next).toMatch(/^[\da-z]+\.[\w-]{43}$/);
  world.clock.nowMs += 1;
  expect(await renewed(token)).toBeNull();
  expect(await renewed(next!)).toMatch(/^[\da-z]+\.[\w-]{43}$/);
  const [end, mac] = next!.split('.');
  const later = (Number.parseInt(end!, 36) + 1).toString(36);
  const forged = ['', 'x', `${later}.${mac}`, `${end}.${'a'.repeat(43)}`, await world.pageToken(await world.made())];
  for (const one of forged) expect(await renewed(one)).toBeNull();
  const { headers } = await script(widget, { network: 1, race: null });
  expect(headers.get('x-widget-token')).toBeNull();
});

const request = fc.record({
  network: fc.integer({ min: 1, max: 6 }),
  host: fc.integer({ min: 1, max: 250 }),
  race: fc.option(fc.integer({ min: 0, max: 7 }), { freq: 4 }),
  hasToken: fc.boolean(),
  at: fc.integer({ min: 0, max: 1 }),
});
const step = fc.record({
  minutes: fc.integer({ min: 0, max: 25 }),
  /** Whether another statement holds the widget's row in the meantime. */
  stalls: fc.boolean(),
  wave: fc.array(request, { minLength: 1, maxLength: 12 }),
});

/** Holds the widget's row until a request waits for it, or all have been answered. */
async function stalled<T>(widget: Widget, wave: () => Promise<T>): Promise<T> {
  const { pool } = world.served.db;
  const holder = await pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM widgets WHERE widget_id = $1 FOR UPDATE', [widget.id]);
    let isDone = false;
    const answers = wave().finally(() => {
      isDone = true;
    });
    const waits = 'SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = $1';
    while (!isDone && (await pool.query(waits, ['Lock'])).rowCount === 0);
    await holder.query('COMMIT');
    return await answers;
  } finally {
    holder.release();
  }
}

interface Fill {
  readonly atMs: number;
  readonly network: number;
  readonly race: number | null;
  readonly byPage: boolean;
}

test('no hour, network or minute has more fills than its share, and every fill is shown to everyone', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 40 }),
      fc.array(step, { minLength: 2, maxLength: 6 }),
      async (most, steps) => {
        world.clock.nowMs = Date.parse(NOW);
        const widget = await world.made({ max_fills_per_hour: most });
        const singles = most - Math.floor(most / 2);
        const fills: Fill[] = [];
        /** The charges at any time. */
        const shown = new Set<number>();
        for (const { minutes, stalls, wave } of steps) {
          // A refusal is repeated for five seconds, even to readers of sets filled in the meantime.
          world.clock.nowMs += minutes * MINUTE_MS + 5000;
          const token = await world.pageToken(widget);
          const send = () =>
            Promise.all(
              wave.map(async (one) => ({
                one,
                reply: one.hasToken ? await page(widget, { ...one, token }) : await script(widget, one),
              })),
            );
          const before = new Set(shown);
          const replies = await (stalls ? stalled(widget, send) : send());
          const { rows } = await world.served.db.pool.query(
            'SELECT reader, by_page AS "byPage", filled_at AS at FROM widget_fills WHERE widget_id = $1 AND filled_at = $2',
            [widget.id, new Date(world.clock.nowMs).toISOString()],
          );
          for (const { one, reply } of replies) {
            expect([200, 429]).toContain(reply.status);
            // The usual set, and every set that was ever filled, is shown.
            if (one.race === null || before.has(one.race)) expect(reply.status).toBe(200);
            if (reply.status === 200 && one.race !== null) shown.add(one.race);
          }
          if (wave.some(({ race }) => race === null)) for (let i = 0; i < SHOWN; i++) shown.add(i);
          for (const { reader, byPage } of rows)
            fills.push({ atMs: world.clock.nowMs, network: reader, race: reader === null ? null : 0, byPage });
          const hour = fills.filter(({ atMs }) => atMs > world.clock.nowMs - HOUR_MS);
          const single = hour.filter(({ race }) => race !== null);
          expect(hour.length).toBeLessThanOrEqual(most);
          expect(single.length).toBeLessThanOrEqual(singles);
          for (const { network } of single) {
            const own = single.filter((other) => other.network === network);
            expect(own.length).toBeLessThanOrEqual(Math.max(1, Math.floor(singles / 4)));
          }
          const tokenless = single.filter(({ byPage }) => !byPage).length;
          expect(tokenless).toBeLessThanOrEqual(Math.max(1, Math.floor(singles / 2)));
          // While the usual set has used less than its half, its readers never get old prices.
          if (hour.length - single.length < Math.floor(most / 2))
            for (const { one, reply } of replies)
              if (one.race === null && !one.hasToken) expect(reply.body.delayed).toBe(false);
          expect(await charges(widget)).toBe(fills.length);
        }
      },
    ),
    { numRuns: runs(50, 5) },
  ));

describe('with a monthly limit', () => {
  const period = '2026-11-01';

  test('single races have half of it, the usual set all, and readers then get the last prices until the month ends', async () => {
    const widget = await world.made({ max_fills_per_month: 5 });
    const token = await world.pageToken(widget);
    for (const race of [10, 11, 12]) expect((await page(widget, { network: race, race, token })).status).toBe(200);
    const full = await script(widget, { network: 4, race: 13 });
    const untilDecemberSeconds = (Date.parse('2026-12-01T00:00:00.000Z') - Date.parse(NOW)) / 1000;
    expect([full.status, full.headers.get('retry-after')]).toEqual([429, `${untilDecemberSeconds}`]);
    for (const delayed of [false, false, true, true]) {
      expect((await script(widget, { network: 4, race: null })).body).toMatchObject({ delayed });
      world.clock.nowMs += MINUTE_MS;
    }
    expect(await charges(widget)).toBe(5);
    const { body } = await world.manage(widget.key, 'GET', `/${widget.id}`);
    expect(body).toMatchObject({ max_fills_per_month: 5, fills_this_month: 5 });
    await world.manage(widget.key, 'PATCH', `/${widget.id}`, { max_fills_per_month: null });
    world.clock.nowMs += 5000;
    expect((await script(widget, { network: 4, race: null })).body).toMatchObject({ delayed: false });
  });

  test('its owner is mailed once at 80 % of it, whichever process finds it, and again after a raise', async () => {
    const widget = await world.made({ max_fills_per_month: 5 });
    const { accountId } = await world.accountOf(widget.key);
    const { pool } = world.served.db;
    await pool.query(
      `INSERT INTO account_owners (account_id, email, email_key, verified_at, terms_accepted_at)
       VALUES ($1, 'owner@example.com', 'owner@example.com', $2, $2)`,
      [accountId, NOW],
    );
    const store = createStores(pool).widgetMonths;
    const mail = () =>
      mailNearMonthLimits({ store, baseUrl: 'https://api.example.com', mailWritten: () => {} }, Date.parse(NOW));
    const mails = async () => {
      await Promise.all([mail(), mail()]);
      const { rows } = await pool.query("SELECT body FROM mails WHERE recipient = 'owner@example.com' ORDER BY body");
      return rows.map(({ body }) => body);
    };
    const fill = async (times: number): Promise<void> => {
      for (let i = 0; i < times; i++) {
        await script(widget, { network: 1, race: null });
        world.clock.nowMs += MINUTE_MS;
      }
    };
    await fill(3);
    expect(await mails()).toEqual([]);
    await fill(1);
    expect(await mails()).toEqual([expect.stringContaining(`${widget.id} was filled 4 times this month`)]);
    await fill(1);
    expect(await mails()).toHaveLength(1);
    await world.manage(widget.key, 'PATCH', `/${widget.id}`, { max_fills_per_month: 8 });
    world.clock.nowMs += 5000;
    await fill(1);
    expect(await mails()).toHaveLength(1);
    await fill(1);
    expect(await mails()).toHaveLength(2);
    expect(
      (await createStores(pool).widgetMonths.near(period)).filter(({ widgetId }) => widgetId === widget.id),
    ).toEqual([]);
  });
});
