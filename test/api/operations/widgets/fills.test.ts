// What sites that embed a widget of races get from it (A 4.13).
import { createHash } from 'node:crypto';
import { NOW } from '../../../support/api/api';
import { EXCHANGE_PRICES, seedEverything } from '../../../support/api/served';
import { createWidgetWorld, SITE, type WidgetWorld } from '../../../support/api/widget-world';
import { addRace } from '../../../support/races/board';
import { feedRunner } from '../../../support/races/builders';
import { untilBlocked } from '../../../support/servers/lock-waiters';

const FROM_SITE = { Origin: SITE, 'Sec-Fetch-Site': 'cross-site' };
const MINUTE_MS = 60_000;

let world: WidgetWorld;
let served: WidgetWorld['served'];
let seeded: Awaited<ReturnType<typeof seedEverything>>;

beforeAll(async () => {
  world = await createWidgetWorld();
  served = world.served;
  seeded = await seedEverything(served.db);
});
afterAll(() => world.stop());
beforeEach(() => {
  world.clock.nowMs = Date.parse(NOW);
});

test('a fill has the best prices of the next races, each with its bookmaker, its time and the owner’s link', async () => {
  const template = 'https://go.example.com/l?race={race_id}&n={runner_number}&who={runner_name}&at={venue}';
  const widget = await world.made({ country: ['AU'], link_templates: { ladbrokes_au: template } });
  const { status, body, headers } = await world.fill(widget);
  expect(status).toBe(200);
  expect(body).toMatchObject({ as_of: NOW, cached: false, next_fill_in_seconds: 60 });
  // The race of unknown country is not shown.
  expect(body.races.map(({ race_id: id }: { race_id: string }) => id)).toEqual([seeded.next]);
  const [race] = body.races;
  expect(race).toMatchObject({
    race_number: 1,
    category: 'horse',
    country: 'AU',
    start_time: '2026-11-21T03:10:00.000Z',
  });
  const url = `https://go.example.com/l?race=${seeded.next}&n=1&who=Gold%20Trip%20(FR)&at=${encodeURIComponent(race.venue)}`;
  const tab = {
    bookmaker: 'tab',
    bookmaker_name: 'TAB',
    last_update: '2026-11-21T02:59:50.000Z',
    stale: false,
    url: null,
  };
  expect(race.runners).toEqual([
    {
      number: 1,
      name: 'Gold Trip (FR)',
      scratched: false,
      best_win: { ...tab, price: 6 },
      best_place: { ...tab, price: 2.1, bookmaker: 'ladbrokes_au', bookmaker_name: 'Ladbrokes', url },
    },
    { number: 2, name: 'Plain Sailing', scratched: false, best_win: { ...tab, price: 2.9 }, best_place: null },
    { number: 3, name: 'Late Mail', scratched: true, best_win: null, best_place: null },
  ]);
  for (const price of EXCHANGE_PRICES) expect(JSON.stringify(body)).not.toContain(String(price));
  expect(Object.fromEntries(headers)).toMatchObject({
    'access-control-allow-origin': SITE,
    'cache-control': 'no-store',
    vary: 'Accept-Encoding, Origin',
    'cross-origin-resource-policy': 'cross-origin',
  });
  expect(await world.charged(widget)).toEqual([2, 1]);
  const { body: shown } = await world.manage(widget.key, 'GET', `/${widget.id}`);
  expect(shown).toMatchObject({ fills_last_hour: 1, last_filled_at: NOW });
  const { body: usage } = await served.api.get('/v1/usage', widget.key);
  expect(usage).toMatchObject({
    credits_used: 2,
    usage_by_endpoint_period: [{ endpoint: 'widget_fill', calls: 1, credits: 2 }],
  });
});

test('filters of bookmakers, codes and countries decide what is read', async () => {
  const ladbrokes = await world.fill(await world.made({ bookmakers: ['ladbrokes_au'], num_races: 1, country: ['AU'] }));
  expect(ladbrokes.body.races[0].runners[0].best_win).toMatchObject({ price: 5.5, bookmaker: 'ladbrokes_au' });
  const dogs = await world.fill(await world.made({ categories: ['greyhound'] }));
  expect([dogs.status, dogs.body]).toMatchObject([200, { races: [], cached: false, next_fill_in_seconds: 60 }]);
  // They also apply to a race that a reader requests.
  const race = `?race_id=${seeded.next}`;
  for (const only of [{ categories: ['greyhound'] }, { country: ['NZ'] }]) {
    const widget = await world.made(only);
    await world.refused(404, 'race_not_on_board', world.fill(widget, race));
    await world.manage(widget.key, 'PATCH', `/${widget.id}`, { categories: ['horse'], country: ['NZ', 'AU'] });
    expect((await world.fill(widget, race)).body.races).toMatchObject([{ race_id: seeded.next }]);
  }
  const { rows } = await served.db.pool.query("SELECT race_id FROM races WHERE country IS NULL AND status = 'open'");
  await world.refused(404, 'race_not_on_board', world.fill(await world.made(), `?race_id=${rows[0].race_id}`));
});

test('all readers of both processes share a fill for 60 seconds, and the next one is charged once', async () => {
  const widget = await world.made();
  const wave = async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => world.fill(widget, '', i % 2)));
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(replies.map(({ body }) => body.as_of)).size).toBe(1);
    return replies.filter(({ body }) => !body.cached).length;
  };
  expect([await wave(), await world.charged(widget)]).toEqual([1, [2, 1]]);
  world.clock.nowMs += 59_999;
  expect([await wave(), await world.charged(widget)]).toEqual([0, [2, 1]]);
  world.clock.nowMs += 1;
  expect([await wave(), await world.charged(widget)]).toEqual([1, [4, 2]]);
  // A single race is another parameter set, whose prices were already charged this minute.
  for (const id of [seeded.next, seeded.next.toUpperCase()])
    expect((await world.fill(widget, `?race_id=${id}`)).body).toMatchObject({ cached: true, races: [{}] });
  world.clock.nowMs += MINUTE_MS;
  expect((await world.fill(widget, `?race_id=${seeded.next}`, 1)).body).toMatchObject({ cached: false, races: [{}] });
  expect((await world.fill(widget, `?race_id=${seeded.next.toUpperCase()}`)).body).toMatchObject({ cached: true });
  world.clock.nowMs += MINUTE_MS;
  expect((await world.fill(widget)).body).toMatchObject({ cached: false });
  await world.manage(widget.key, 'PATCH', `/${widget.id}`, {
    title: 'Odds',
    link_templates: { tab: 'https://t.example/' },
  });
  const relinked = await world.fill(widget);
  expect(relinked.body.cached).toBe(true);
  expect(relinked.body.races[0].runners[0].best_win.url).toBe('https://t.example/');
  // Another choice of races has the prices of this minute; other bookmakers have different ones.
  await world.manage(widget.key, 'PATCH', `/${widget.id}`, { num_races: 1 });
  expect((await world.fill(widget)).body).toMatchObject({ cached: true, races: [{}] });
  await world.manage(widget.key, 'PATCH', `/${widget.id}`, { bookmakers: ['tab'] });
  expect((await world.fill(widget)).body).toMatchObject({ cached: false, races: [{}] });
  expect(await world.charged(widget)).toEqual([10, 5]);
});

// As named by release 08f48647: both releases share a minute while one replaces the other.
test('a fill is stored under a digest that is the same in every release', async () => {
  const widget = await world.made({ country: ['AU'] });
  await world.fill(widget);
  world.clock.nowMs += MINUTE_MS;
  await world.fill(widget, `?race_id=${seeded.next}`);
  const digests = [`"races":3`, `"raceId":"${seeded.next}"`].map((one) =>
    createHash('sha256').update(`{"bookmakers":[],"categories":[],"countries":["AU"],${one}}`).digest('base64url'),
  );
  const { rows } = await served.db.pool.query('SELECT parameters FROM widget_fills WHERE widget_id = $1', [widget.id]);
  expect(rows.map(({ parameters }) => parameters).sort()).toEqual(digests.sort());
});

test('without Redis the database still charges a minute once', async () => {
  const away = [await world.startAway(), await world.startAway()];
  const widget = await world.made();
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, i) => away[i % 2]!.get(`/widgets/${widget.embedId}/fill`, undefined, FROM_SITE)),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(await world.charged(widget)).toEqual([2, 1]);
});

describe('is refused, free of charge,', () => {
  test.each<readonly [string, Record<string, string>]>([
    ['to a site that is not listed', { Origin: 'https://evil.example' }],
    ['to a site whose name only begins alike', { Origin: `${SITE}.evil.example` }],
    ['to another scheme', { Origin: 'http://www.example.com' }],
    ['to another port', { Origin: `${SITE}:8443` }],
    ['to a sandboxed page', { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }],
    ['to what no browser sends', {}],
    ['to a header of the widget’s page from another site', { 'Sec-Fetch-Site': 'cross-site', 'X-Widget': '1' }],
    ['to an image of another site', { 'Sec-Fetch-Site': 'cross-site', Referer: `${SITE}/` }],
  ])('%s', async (_, headers) => {
    const widget = await world.made();
    for (const path of ['fill', 'prices']) {
      const reply = await served.api.get(`/widgets/${widget.embedId}/${path}`, undefined, headers);
      expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([403, null]);
      expect(reply.text).not.toContain('Gold Trip');
    }
    await world.refused(403, 'origin_not_allowed', world.fill(widget, '', 0, headers));
    expect(await world.charged(widget)).toEqual([0, 0]);
  });

  test('when the plan no longer includes it, the key was revoked or it is paused, cached or not', async () => {
    const widget = await world.made();
    expect((await world.fill(widget)).status).toBe(200);
    const { accountId } = await world.accountOf(widget.key);
    const setPlan = (plan: string) =>
      served.db.pool.query('UPDATE accounts SET plan = $2 WHERE account_id = $1', [accountId, plan]);
    await setPlan('business');
    for (const at of [0, 1]) {
      const { headers } = await world.refused(403, 'plan_required', world.fill(widget, '', at));
      expect(headers.get('access-control-allow-origin')).toBe(SITE);
    }
    await setPlan('scale');
    expect((await world.fill(widget)).body).toMatchObject({ cached: true });
    await world.manage(widget.key, 'PATCH', `/${widget.id}`, { paused: true });
    await world.refused(404, 'not_found', world.fill(widget, '', 1));
    await world.manage(widget.key, 'PATCH', `/${widget.id}`, { paused: false });
    expect(await world.charged(widget)).toEqual([2, 1]);
    await served.db.pool.query('UPDATE api_keys SET revoked_at = $2 WHERE account_id = $1', [accountId, NOW]);
    await world.refused(403, 'plan_required', world.fill(widget));
  });

  test('when the owner’s credits are used up; overage continues', async () => {
    const widget = await world.made();
    const { accountId } = await world.accountOf(widget.key);
    await served.db.pool.query(
      `INSERT INTO credit_balances (account_id, period, used) VALUES ($1, '2026-11-01', 1499997)`,
      [accountId],
    );
    expect((await world.fill(widget)).status).toBe(200);
    const race = `?race_id=${seeded.next}`;
    // The race was charged together with the others.
    expect((await world.fill(widget, race)).body).toMatchObject({ cached: true });
    world.clock.nowMs += MINUTE_MS;
    const { headers } = await world.refused(402, 'payment_required', world.fill(widget, race));
    expect(headers.get('access-control-allow-origin')).toBe(SITE);
    const page = await world.pageAsks(await world.pricesPath(widget, race));
    expect([page.status, page.text]).toEqual([402, '<p class="notice">Odds are not available at the moment.</p>']);
    // The refused fill does not count towards the hour.
    expect((await world.manage(widget.key, 'GET', `/${widget.id}`)).body.fills_last_hour).toBe(1);
    await served.db.pool.query('UPDATE accounts SET overage = true WHERE account_id = $1', [accountId]);
    await world.refused(402, 'payment_required', world.fill(widget, race));
    world.clock.nowMs += 5000;
    expect((await world.fill(widget, race)).status).toBe(200);
    const { rows } = await served.db.pool.query('SELECT used, overage FROM credit_balances WHERE account_id = $1', [
      accountId,
    ]);
    expect(rows).toEqual([{ used: 1_500_001, overage: 1 }]);
  });

  test('for a race that is not open, an invalid parameter and an unknown id', async () => {
    const widget = await world.made();
    for (const raceId of [seeded.final, '00000000-0000-4000-8000-000000000000'])
      await world.refused(404, 'race_not_on_board', world.fill(widget, `?race_id=${raceId}`));
    const race = { venue: 'Sale', raceNumber: 1, startTime: '2026-11-21T10:00:00.000Z' };
    const { raceId } = await addRace(served.db.pool, race, { tab: { runners: [feedRunner(1, { win: 2 })] } });
    const setStatus = (status: string) =>
      served.db.pool.query('UPDATE races SET status = $2 WHERE race_id = $1', [raceId, status]);
    await setStatus('abandoned');
    // The other process repeats it for five seconds.
    for (const at of [0, 1]) {
      await world.refused(404, 'race_not_on_board', world.fill(widget, `?race_id=${raceId}`, at));
      await setStatus('open');
    }
    for (const [query, detail] of [
      ['?race_id=7', 'race_id must be one UUID.'],
      [`?race_id=${seeded.next}&race_id=${seeded.next}`, 'race_id must be one UUID.'],
      ['?country=AU', 'country is not a known parameter; known are race_id and event_id.'],
    ])
      for (const { body, headers } of [await world.refused(422, 'validation', world.fill(widget, query))])
        expect([body.detail, headers.get('access-control-allow-origin')]).toEqual([detail, '*']);
    for (const embedId of [widget.id, 'we_aaaaaaaaaaaaaaaaaaaaaaaaaa', '%00', 'x']) {
      const { headers } = await world.refused(404, 'not_found', world.fill({ embedId }));
      expect(headers.get('access-control-allow-origin')).toBe('*');
    }
    expect(await world.charged(widget)).toEqual([0, 0]);
    world.clock.nowMs += 5000;
    expect((await world.fill(widget, `?race_id=${raceId}`)).status).toBe(200);
  });

  test('to HEAD, which gets the headers of the page and no price', async () => {
    const widget = await world.made();
    for (const path of ['', '/fill', '/prices'])
      expect((await served.api.send('HEAD', `/widgets/${widget.embedId}${path}`, { headers: FROM_SITE })).status).toBe(
        200,
      );
    expect(await world.charged(widget)).toEqual([0, 0]);
  });
});

test('a widget paused while its fill waits charges nothing', async () => {
  const widget = await world.made();
  const owner = await served.db.pool.connect();
  try {
    await owner.query('BEGIN');
    await owner.query('UPDATE widgets SET paused = true WHERE widget_id = $1', [widget.id]);
    const waiting = world.fill(widget);
    await untilBlocked(served.db.pool, owner);
    await owner.query('COMMIT');
    await world.refused(404, 'not_found', waiting);
  } finally {
    owner.release();
  }
  expect(await world.charged(widget)).toEqual([0, 0]);
});

test('deleting a widget, or replacing its public id, takes effect at once in every process', async () => {
  const widget = await world.made();
  for (const at of [0, 1]) expect((await world.fill(widget, '', at)).status).toBe(200);
  const { body } = await world.manage(widget.key, 'PATCH', `/${widget.id}`, { replace_embed_id: widget.embedId });
  for (const at of [0, 1]) await world.refused(404, 'not_found', world.fill(widget, '', at));
  expect((await served.api.get(`/widgets/${widget.embedId}`)).status).toBe(404);
  const replaced = { ...widget, embedId: body.embed_id };
  // The prices are those of the previous fill.
  for (const at of [0, 1]) expect((await world.fill(replaced, '', at)).body).toMatchObject({ cached: true });
  await world.manage(widget.key, 'DELETE', `/${widget.id}`);
  for (const at of [0, 1]) await world.refused(404, 'not_found', world.fill(replaced, '', at));
  expect(await world.charged(widget)).toEqual([2, 1]);
});

test('its page has no prices and may be framed by the listed sites only', async () => {
  const widget = await world.made({
    allowed_origins: [SITE, 'http://localhost:3000'],
    title: '<b>Odds</b> & more',
    accent: '#A1B2C3',
    theme: 'dark',
  });
  const { status, headers, text } = await served.api.get(`/widgets/${widget.embedId}?race_id=${seeded.next}`);
  expect([status, headers.get('x-frame-options')]).toEqual([200, null]);
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'self' 'sha256-[\w+/]{43}='; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors https:\/\/www\.example\.com http:\/\/localhost:3000$/,
  );
  expect(text).toContain('<h1>&lt;b&gt;Odds&lt;/b&gt; &amp; more</h1>');
  expect(text).toMatch(/ data-prices="\/widgets\/we_\w{26}\/prices\?v=[\w-]{16}&amp;race_id=[\da-f-]{36}"/);
  expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=/);
  expect(text).not.toContain('Gold Trip');
  expect(await world.charged(widget)).toEqual([0, 0]);
  // Everything else of the service stays out of frames.
  for (const path of ['/terms', '/widgets/x', '/v1/uptime']) {
    const other = await served.api.get(path);
    expect(other.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  }
});

test('an open page gets no more prices after its sites or its appearance changed, until it is loaded again', async () => {
  const widget = await world.made();
  const change = (to: object) => world.manage(widget.key, 'PATCH', `/${widget.id}`, to);
  for (const to of [{ allowed_origins: ['https://new.example'] }, { title: 'Odds' }, { theme: 'dark' }]) {
    const open = await world.pricesPath(widget);
    expect((await world.pageAsks(open)).status).toBe(200);
    await change(to);
    world.clock.nowMs += MINUTE_MS;
    const late = await world.pageAsks(open);
    expect([late.status, late.text]).toEqual([409, '<p class="notice">Odds are not available at the moment.</p>']);
    expect(late.headers.get('x-next-fill-seconds')).toBe('60');
  }
  expect(await world.charged(widget)).toEqual([6, 3]);
  // The page of the previous release requests another address.
  const before = await world.pageAsks(`/widgets/${widget.embedId}/races?v=0123456789abcdef&race_id=${seeded.next}`);
  expect([before.status, before.headers.get('x-next-fill-seconds')]).toEqual([409, '60']);
  // A browser that does not send Sec-Fetch-Site.
  expect((await served.api.get(await world.pricesPath(widget), undefined, { 'X-Widget': '1' })).status).toBe(200);
  // The content of each fill needs no other page.
  const open = await world.pricesPath(widget);
  await change({ link_templates: { tab: 'https://t.example/' }, max_fills_per_hour: 9 });
  expect((await world.pageAsks(open)).text).toContain('href="https://t.example/"');
});

test('an answer without prices is free, and all processes share one reading for five seconds', async () => {
  const race = { venue: 'Moe', raceNumber: 1, country: 'FR', startTime: '2026-11-21T08:00:00.000Z' };
  const { raceId } = await addRace(served.db.pool, race, { tab: { runners: [feedRunner(1, { win: null })] } });
  const widget = await world.made({ country: ['FR'], bookmakers: ['tab', 'realbookie'], max_fills_per_hour: 2 });
  const both = (query: string) => Promise.all([0, 1].map((at) => world.fill(widget, query, at)));
  const next = await both('');
  const one = await both(`?race_id=${raceId}`);
  for (const { body } of next) expect(body.races).toEqual([]);
  for (const { body } of one) expect(body.races[0].runners).toMatchObject([{ best_win: null, best_place: null }]);
  expect([...next, ...one].map(({ body }) => body.cached).sort()).toEqual([false, false, true, true]);
  expect(await world.charged(widget)).toEqual([0, 0]);
  // The first price is seen five seconds later, and charged.
  await served.db.pool.query("UPDATE race_books SET win = '{2.5}', numbers = '{1}' WHERE race_id = $1", [raceId]);
  world.clock.nowMs += 4999;
  for (const { body } of await both('')) expect(body).toMatchObject({ races: [], cached: true });
  world.clock.nowMs += 1;
  for (const { body } of await both('')) expect(body.races).toMatchObject([{ race_id: raceId }]);
  expect(await world.charged(widget)).toEqual([2, 1]);
});
