// What sites that embed a widget of a sports market get from it (A 4.13).
import { NOW } from '../../../support/api/api';
import { createWidgetWorld, SITE, type WidgetWorld } from '../../../support/api/widget-world';
import { h2h, match, type Push, pusherOf, spreads, totals } from '../../../support/sports/push';

let world: WidgetWorld;
let push: Push;

/** After the pushes. */
const START = '2026-11-21T03:00:31.000Z';
/** By default longer than rows of matches are shared. */
const later = (seconds = 31) => {
  world.clock.nowMs += seconds * 1000;
};
const minutesAgo = (minutes: number): string => new Date(world.clock.nowMs - minutes * 60_000).toISOString();

const BRONCOS = ['Broncos', 'Storm'] as const;
const markets = (h: readonly [number, number], line: number, l: readonly [number, number], total: number) => [
  h2h(...BRONCOS, h),
  spreads(...BRONCOS, line, l),
  totals(total, [1.9, 1.92]),
];
const EELS = { home_team: 'Parramatta', away_team: 'Penrith', competition: 'NRL' };
const NASTY = { home_team: '<b>Bulls</b>', away_team: 'Jazz "& co' };

beforeAll(async () => {
  world = await createWidgetWorld();
  push = pusherOf(world.served, await world.served.addKey({ role: 'internal', plan: 'enterprise' }));
  const early = { ...EELS, commence_time: '2026-11-21T03:05:00.000Z' };
  await push('tab', [
    match([], { markets: markets([1.8, 2.1], -2.5, [1.95, 1.9], 40.5) }),
    match([2.5, 2.5], early),
    match([1.9, 1.95], { ...NASTY, sport_key: 'nba' }),
    match([], { sport_key: 'aflw', markets: [totals(90.5, [1.9, null])] }),
    match([2.4, 3.4, 3.1], { sport_key: 'soccer_epl', home_team: 'Man City', away_team: 'Arsenal' }),
  ]);
  await push('sportsbet', [
    match([], { markets: markets([1.85, 2.05], -2.5, [1.9, 1.95], 41.5) }),
    match([2.1, 1.75], early),
  ]);
  await push('neds', [match([], { markets: markets([1.83, 2.05], -3.5, [2.1, 1.75], 40.5) })]);
});
afterAll(() => world.stop());
beforeEach(() => {
  world.clock.nowMs = Date.parse(START);
});

const nrl = (more: object = {}) => world.made({ type: 'sports', sport_key: 'nrl', ...more });
const filled = async (of: Parameters<WidgetWorld['fill']>[0], query = '', at = 0) => {
  const { status, body } = await world.fill(of, query, at);
  expect([status, body.detail]).toEqual([200, undefined]);
  return body;
};
interface Selection {
  readonly name: string;
  readonly point: number | null;
  readonly best: { readonly price: number; readonly bookmaker: string } | null;
}
/** Of the credits of its account's month. */
const uses = async ({ key }: { readonly key: string }, credits: number) => {
  const { accountId } = await world.accountOf(key);
  await world.served.db.pool.query(
    `INSERT INTO credit_balances (account_id, period, used) VALUES ($1, '2026-11-01', $2)
     ON CONFLICT (account_id, period) DO UPDATE SET used = $2`,
    [accountId, credits],
  );
};
const rowsOf = ({ selections }: { selections: readonly Selection[] }) =>
  selections.map(({ name, point, best }) => [name, point, best?.price ?? null, best?.bookmaker ?? null]);

test('a fill has the best price of each selection of the next matches, and costs 1 credit in 60 seconds', async () => {
  const template =
    'https://go.example.com/?m={event_id}&s={selection}&p={point}&k={market}&on={sport_key}&v={home_team}';
  const widget = await nrl({ num_matches: 2, link_templates: { sportsbet: template } });
  const body = await filled(widget);
  expect(body).toMatchObject({
    as_of: START,
    cached: false,
    next_fill_in_seconds: 60,
    sport_key: 'nrl',
    market: 'h2h',
  });
  const [, broncos] = body.matches;
  expect(broncos).toEqual({
    event_id: expect.any(String),
    home_team: 'Brisbane Broncos',
    away_team: 'Melbourne Storm',
    competition: null,
    commence_time: '2026-11-21T09:00:00.000Z',
    selections: [
      {
        name: 'Brisbane Broncos',
        point: null,
        best: {
          price: 1.85,
          bookmaker: 'sportsbet',
          bookmaker_name: 'Sportsbet',
          last_update: NOW,
          stale: false,
          url: `https://go.example.com/?m=${broncos.event_id}&s=Brisbane%20Broncos&p=&k=h2h&on=nrl&v=Brisbane%20Broncos`,
          suspect: false,
        },
      },
      {
        name: 'Melbourne Storm',
        point: null,
        best: expect.objectContaining({ price: 2.1, bookmaker: 'tab', url: null, last_update: NOW }),
      },
    ],
  });
  // Prices that sum to less than 100 % are best only if there are no others.
  expect(rowsOf(body.matches[0])).toEqual([
    ['Parramatta Eels', null, 2.1, 'sportsbet'],
    ['Penrith Panthers', null, 1.75, 'sportsbet'],
  ]);
  const wave = await Promise.all(Array.from({ length: 10 }, (_, i) => filled(widget, '', i % 2)));
  for (const one of wave) expect(one).toEqual({ ...body, cached: true });
  expect(await world.charged(widget)).toEqual([1, 1]);
  later(60);
  expect(await filled(widget)).toMatchObject({ cached: false });
  expect(await world.charged(widget)).toEqual([2, 2]);
});

test('lines are those that most books offer, each with its own best prices; a draw is a selection', async () => {
  const widget = await nrl({ market: 'spreads' });
  const [broncos] = (await filled(widget)).matches;
  expect(rowsOf(broncos)).toEqual([
    ['Brisbane Broncos', -2.5, 1.95, 'tab'],
    ['Melbourne Storm', 2.5, 1.95, 'sportsbet'],
    ['Brisbane Broncos', -3.5, 2.1, 'neds'],
    ['Melbourne Storm', 3.5, 1.75, 'neds'],
  ]);
  // Another market is another reading, and so is another book.
  await world.manage(widget.key, 'PATCH', `/${widget.id}`, { market: 'totals', bookmakers: ['sportsbet'] });
  expect(rowsOf((await filled(widget)).matches[0])).toEqual([
    ['Over', 41.5, 1.9, 'sportsbet'],
    ['Under', 41.5, 1.92, 'sportsbet'],
  ]);
  await world.manage(widget.key, 'PATCH', `/${widget.id}`, { market: 'h2h', sport_key: 'soccer_epl', bookmakers: [] });
  expect(rowsOf((await filled(widget)).matches[0])).toEqual([
    ['Manchester City', null, 2.4, 'tab'],
    ['Arsenal', null, 3.4, 'tab'],
    ['Draw', null, 3.1, 'tab'],
  ]);
  expect(await world.charged(widget)).toEqual([3, 3]);
});

test('a side that no book prices is listed without a price', async () => {
  const widget = await world.made({ type: 'sports', sport_key: 'aflw', market: 'totals' });
  expect((await filled(widget)).matches[0].selections).toEqual([
    { name: 'Over', point: 90.5, best: expect.objectContaining({ price: 1.9, bookmaker: 'tab' }) },
    { name: 'Under', point: 90.5, best: null },
  ]);
  const { text } = await world.pageAsks(await world.pricesPath(widget));
  expect(text).toContain(' · Total</p>');
  expect(text).toMatch(/<th scope="row">Under 90\.5<\/th><td>[^<]*<span class="vh"> no price<\/span>/);
  expect(await world.charged(widget)).toEqual([1, 1]);
});

const FIRST_START_MS = Date.parse('2026-11-21T03:05:00.000Z');

test('a requested match is refused from its start, also within the minute of its fill', async () => {
  const widget = await nrl();
  world.clock.nowMs = FIRST_START_MS - 1000;
  const query = `?event_id=${(await filled(widget)).matches[0].event_id}`;
  const path = await world.pricesPath(widget, query);
  expect((await filled(widget, query)).matches).toMatchObject([{ home_team: 'Parramatta Eels' }]);
  later(1);
  for (const at of [0, 1]) await world.refused(404, 'match_not_open', world.fill(widget, query, at));
  const { status, text } = await world.pageAsks(path);
  expect([status, text]).toEqual([404, '<p class="notice">This match is not open for betting.</p>']);
  expect(await world.charged(widget)).toEqual([1, 1]);
});

test('a reading whose matches have all started shows nothing, and is free', async () => {
  const widget = await nrl({ num_matches: 1 });
  await uses(widget, 1_500_000);
  world.clock.nowMs = FIRST_START_MS - 1000;
  await world.refused(402, 'payment_required', world.fill(widget));
  await uses(widget, 0);
  later(1);
  // The other process uses the reading of a second ago.
  expect(await filled(widget, '', 1)).toMatchObject({ matches: [] });
  expect(await world.charged(widget)).toEqual([0, 0]);
});

test('one match is a parameter set of its own; a match off the widget’s board is refused', async () => {
  const widget = await nrl();
  const basketball = await world.made({ type: 'sports', sport_key: 'nba' });
  const { matches } = await filled(widget);
  const query = `?event_id=${matches[1].event_id.toUpperCase()}`;
  expect((await filled(widget, query)).matches).toEqual([matches[1]]);
  // It was charged together with the others.
  expect(await world.charged(widget)).toEqual([1, 1]);
  later(60);
  expect(await filled(widget, query)).toMatchObject({ cached: false });
  expect(await filled(widget, query, 1)).toMatchObject({ cached: true });
  expect(await world.charged(widget)).toEqual([2, 2]);
  const { body } = await world.refused(404, 'match_not_open', world.fill(basketball, query));
  expect(body.detail).toBe('This match is not open for betting.');
  for (const [made, wrong, detail] of [
    [widget, `?race_id=${matches[1].event_id}`, 'race_id is not for this widget, which shows matches; send event_id.'],
    [await world.made(), query, 'event_id is not for this widget, which shows races; send race_id.'],
    [widget, `${query}&race_id=${matches[1].event_id}`, 'Send race_id or event_id, not both.'],
    [widget, '?event_id=7', 'event_id must be one UUID.'],
  ] as const)
    expect((await world.refused(422, 'validation', world.fill(made, wrong))).body.detail).toBe(detail);
  expect(await world.charged(basketball)).toEqual([0, 0]);
});

test('every fill is counted by how it was served, every refusal by its reason', async () => {
  const widget = await nrl();
  const racing = await world.made();
  const none = await world.made({ type: 'sports', sport_key: 'mlb' });
  world.recorded.splice(0);
  for (const at of [0, 1, 0]) await filled(widget, '', at);
  await filled(none);
  await filled(racing);
  await world.fill(widget, '?race_id=00000000-0000-4000-8000-000000000000');
  await world.fill(widget, '', 0, { Origin: 'https://evil.example' });
  expect(world.recorded).toEqual([
    { type: 'sports', outcome: 'charged' },
    { type: 'sports', outcome: 'cached' },
    { type: 'sports', outcome: 'cached' },
    { type: 'sports', outcome: 'free' },
    { type: 'racing', outcome: 'free' },
    { reason: 'parameter' },
    { reason: 'origin' },
  ]);
});

test('refusals for credits and for the hourly share are those of racing', async () => {
  const widget = await nrl({ max_fills_per_hour: 1, num_matches: 1 });
  const { matches } = await filled(await nrl());
  await uses(widget, 1_500_000);
  await world.refused(402, 'payment_required', world.fill(widget));
  await uses(widget, 1_499_999);
  later(5);
  const { matches: shown } = await filled(widget);
  const { headers } = await world.refused(429, 'rate_limit', world.fill(widget, `?event_id=${matches[1].event_id}`));
  expect([headers.get('retry-after'), headers.get('access-control-allow-origin')]).toEqual(['3600', SITE]);
  // The earlier fill is shown, with its age.
  later(60);
  for (const query of ['', `?event_id=${matches[0].event_id}`]) {
    const last = { cached: true, delayed: true, age_seconds: 60, as_of: START };
    expect(await filled(widget, query)).toEqual(expect.objectContaining({ ...last, matches: shown }));
  }
  expect(await world.charged(widget)).toEqual([1, 1]);
});

test('its page names what it shows, escapes every name, and marks old or probably wrong prices', async () => {
  const untitled = await world.made({ type: 'sports', sport_key: 'nba', theme: 'dark' });
  const { text } = await world.served.api.get(`/widgets/${untitled.embedId}`);
  expect(text).toContain('<h1 class="vh">NBA odds</h1>');
  const { text: bulls } = await world.pageAsks(await world.pricesPath(untitled));
  expect(bulls).toContain('&lt;b&gt;Bulls&lt;/b&gt; v Jazz &quot;&amp; co</h2>');
  expect(bulls).toMatch(/NBA · Head to head<\/p>.*<th scope="row">&lt;b&gt;Bulls/s);
  expect(bulls).toContain(`Best prices as of <time datetime="${START}">`);
  expect(bulls).not.toMatch(/<b>Bulls|old|wrong/);

  const tab = await nrl({ bookmakers: ['tab'], market: 'spreads' });
  const { text: lines } = await world.pageAsks(await world.pricesPath(tab));
  expect(lines).toMatch(/Brisbane Broncos −2\.5<.*Melbourne Storm \+2\.5</s);
  await world.manage(tab.key, 'PATCH', `/${tab.id}`, { market: 'h2h' });
  const path = await world.pricesPath(tab);
  expect((await world.pageAsks(path)).text).toMatch(/Parramatta Eels<.*<span class="doubt">probably wrong<\/span>/s);
  expect((await filled(tab)).matches[0].selections[0].best).toMatchObject({ price: 2.5, suspect: true, stale: false });
  // A match leaves at its start, even within the minute of a fill, and a price that was not confirmed for half an hour
  // is stale.
  world.clock.nowMs = Date.parse('2026-11-21T03:05:00.000Z') - 1000;
  expect((await filled(tab)).matches).toHaveLength(2);
  later(1);
  expect(await filled(tab)).toMatchObject({ cached: true, matches: [{ home_team: 'Brisbane Broncos' }] });
  later(1800);
  expect((await filled(tab)).matches[0].selections[1].best).toMatchObject({ price: 2.1, stale: true });
  expect((await world.pageAsks(path)).text).toMatch(/>35 minutes ago<\/time>, old</);
});

test('a fill without prices is free; a price that no book confirmed for six hours does not count', async () => {
  const widget = await world.made({ type: 'sports', sport_key: 'nfl' });
  expect(await filled(widget)).toMatchObject({ matches: [], cached: false, next_fill_in_seconds: 60 });
  const { text } = await world.pageAsks(await world.pricesPath(widget));
  expect(text).toContain('No match is open for betting.');
  await push(
    'unibet',
    [
      match([1.9, 1.9], {
        sport_key: 'nfl',
        home_team: 'Chiefs',
        away_team: 'Bills',
        commence_time: '2026-11-23T09:00:00.000Z',
      }),
    ],
    minutesAgo(1),
  );
  later();
  const { matches } = await filled(widget);
  expect(matches).toHaveLength(1);
  const neds = await world.made({ type: 'sports', sport_key: 'nfl', bookmakers: ['neds'] });
  expect((await filled(neds, `?event_id=${matches[0].event_id}`)).matches).toMatchObject([{ selections: [] }]);
  later(6 * 3600);
  expect((await filled(widget)).matches).toEqual([]);
  expect([await world.charged(widget), await world.charged(neds)]).toEqual([
    [1, 1],
    [0, 0],
  ]);
});
