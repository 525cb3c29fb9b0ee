// A 4.13 over real HTTP: what an owner creates, changes and deletes.

import { NOW } from '../../../support/api/api';
import { expectConforms, expectProblemConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';

const PATH = '/v1/widgets';
const SITE = 'https://www.example.com';
const LEAST = { name: 'Home page', allowed_origins: [SITE] };

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.stop());

const send = (key: string, method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
  const json = body && { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
  return served.api.send(method, path, { key, headers, ...json });
};
const ok = async (operation: string, reply: ReturnType<typeof send>) => {
  const { status, body, headers } = await reply;
  expect([status, body]).toEqual([200, body]);
  expectConforms(operation, body);
  expect(headers.get('cache-control')).toBe('no-store');
  return body;
};
const refused = async (status: number, reply: ReturnType<typeof send>) => {
  const { status: sent, body } = await reply;
  expect([sent, body]).toEqual([status, body]);
  expectProblemConforms(body);
  return body;
};
const create = (key: string, more: object = {}, headers: Record<string, string> = {}) =>
  ok('create_widget', send(key, 'POST', PATH, { ...LEAST, ...more }, headers));
const list = async (key: string) => (await ok('list_widgets', send(key, 'GET', PATH))).widgets;
const change = (key: string, id: string, body: object) => send(key, 'PATCH', `${PATH}/${id}`, body);
const platform = () => served.addKey({ plan: 'platform' });

test('has a name, its sites, its own public id, and markup that frames it', async () => {
  const key = await platform();
  const made = await create(key);
  expect(made).toMatchObject({
    id: expect.stringMatching(/^wg_[a-z2-7]{26}$/),
    embed_id: expect.stringMatching(/^we_[a-z2-7]{26}$/),
    type: 'racing',
    name: 'Home page',
    allowed_origins: [SITE],
    max_fills_per_hour: 120,
    link_templates: {},
    bookmakers: [],
    categories: [],
    country: [],
    num_races: 3,
    title: null,
    accent: '#12694a',
    theme: 'auto',
    sport_key: null,
    market: null,
    num_matches: null,
    paused: false,
    is_active: true,
    fill_entitled: true,
    fills_last_hour: 0,
    last_filled_at: null,
    created_at: NOW,
    changed_at: NOW,
  });
  expect(made.embed_id.slice(3)).not.toBe(made.id.slice(3));
  expect(made.embed_url).toBe(`https://api.example.com/widgets/${made.embed_id}`);
  expect([made.embed_html, made.fill_url]).toEqual([
    expect.stringContaining(`<iframe src="${made.embed_url}"`),
    `${made.embed_url}/fill`,
  ]);
  expect(JSON.stringify([made.embed_html, made.fill_url])).not.toContain(made.id);
  expect(await list(key)).toEqual([made]);
  expect(await ok('get_widget', send(key, 'GET', `${PATH}/${made.id}`))).toEqual(made);
});

test('is changed member by member, and each member as a whole', async () => {
  const key = await platform();
  const tab = 'https://go.example.com/tab/{race_id}?r={runner_number}';
  const { id } = await create(key, { link_templates: { sportsbet: 'https://go.example.com/s', tab }, title: 'Odds' });
  const changed = await ok(
    'update_widget',
    change(key, id, {
      link_templates: { tab },
      country: ['NZ', 'AU', 'NZ'],
      accent: '#AABBCC',
      theme: 'dark',
      num_races: 10,
      allowed_origins: [SITE, 'https://example.com', SITE, 'http://localhost:3000'],
      bookmakers: ['tab'],
    }),
  );
  expect(changed).toMatchObject({
    link_templates: { tab },
    country: ['NZ', 'AU'],
    accent: '#aabbcc',
    theme: 'dark',
    num_races: 10,
    allowed_origins: [SITE, 'https://example.com', 'http://localhost:3000'],
    bookmakers: ['tab'],
    title: 'Odds',
  });
  expect(await ok('update_widget', change(key, id, { title: null, paused: true }))).toEqual({
    ...changed,
    title: null,
    paused: true,
    is_active: false,
  });
});

test('of a sports market has one sport, and its own settings', async () => {
  const key = await platform();
  const tab = 'https://go.example.com/tab/{event_id}?s={selection}&p={point}';
  const made = await create(key, { type: 'sports', sport_key: 'nrl', link_templates: { tab } });
  expect(made).toMatchObject({
    type: 'sports',
    sport_key: 'nrl',
    market: 'h2h',
    num_matches: 3,
    link_templates: { tab },
    categories: [],
    country: [],
    num_races: null,
  });
  expect(made.embed_html).toContain(' title="NRL odds" ');
  const changed = await ok(
    'update_widget',
    change(key, made.id, { sport_key: 'afl', market: 'totals', num_matches: 1 }),
  );
  expect(changed).toEqual({
    ...made,
    sport_key: 'afl',
    market: 'totals',
    num_matches: 1,
    embed_html: changed.embed_html,
  });
  expect(await list(key)).toEqual([changed]);
  const racing = await create(key);
  for (const [id, body, detail] of [
    [made.id, { num_races: 3 }, '/num_races is not allowed: it is a setting of widgets of type racing.'],
    [racing.id, { market: 'h2h' }, '/market is not allowed: it is a setting of widgets of type sports.'],
    [made.id, { type: 'racing' }, '/type is not a known property'],
    [made.id, { sport_key: 'chess' }, '/sport_key must be one of afl'],
    [
      made.id,
      { link_templates: { tab: 'https://go.example.com/{race_id}' } },
      '/link_templates/tab is not allowed: {race_id} is no placeholder; valid ones are {event_id}, {sport_key}',
    ],
  ] as const)
    expect((await refused(422, change(key, id, body))).detail).toContain(detail);
});

test('gets another public id once, however often the request is sent', async () => {
  const key = await platform();
  const { id, embed_id: first } = await create(key);
  const replies = await Promise.all([1, 2, 3].map(() => change(key, id, { replace_embed_id: first })));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const { embed_id: second } = await ok('get_widget', send(key, 'GET', `${PATH}/${id}`));
  expect(replies.find(({ status }) => status === 200)!.body.embed_id).toBe(second);
  expect(second).not.toBe(first);
});

test('is created once under an Idempotency-Key, and again after it was deleted', async () => {
  const key = await platform();
  const once = { 'Idempotency-Key': 'home-page' };
  const made = await Promise.all([1, 2, 3].map(() => create(key, {}, once)));
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  await refused(409, send(key, 'POST', PATH, { ...LEAST, name: 'Another' }, once));
  // The idempotency key belongs to the account.
  const other = await platform();
  expect((await create(other, {}, once)).id).not.toBe(made[0].id);
  const { id } = made[0];
  expect(await ok('delete_widget', send(key, 'DELETE', `${PATH}/${id}`))).toEqual({ id, deleted: true });
  await refused(404, send(key, 'DELETE', `${PATH}/${id}`));
  expect((await create(key, {}, once)).id).not.toBe(id);
});

// As stored by release 08f48647, so that a request repeated after an upgrade finds its widget.
test.each([
  [{}, '798c496a65ddde8c6ca5b5149b7c35dfc160d65eae6a60ce060ea57224a2af3b'],
  [
    {
      country: ['AU', 'NZ', 'AU'],
      categories: ['horse'],
      num_races: 5,
      accent: '#AABBCC',
      title: 'Odds',
      link_templates: { tab: 'https://go.example.com/tab/{race_id}' },
    },
    '5bd269c44cd11d3231d7b390da623d768032f2682262abf0709a8c9fe5c71582',
  ],
])('a request under an Idempotency-Key keeps its hash: %j', async (more, hash) => {
  const { id } = await create(await platform(), more, { 'Idempotency-Key': 'home-page' });
  const { rows } = await served.db.pool.query('SELECT request FROM widgets WHERE widget_id = $1', [id]);
  expect(rows).toEqual([{ request: hash }]);
});

test('an account has ten, however many are created simultaneously', async () => {
  const key = await platform();
  const replies = await Promise.all(Array.from({ length: 12 }, () => send(key, 'POST', PATH, LEAST)));
  expect(replies.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 409, 409]);
  expect(await list(key)).toHaveLength(10);
});

describe('is refused with the reason', () => {
  const detailOf = async (more: object) =>
    (await refused(422, send(await platform(), 'POST', PATH, { ...LEAST, ...more }))).detail;

  test.each([
    ['http://www.example.com', 'it must begin with https://; http:// is for localhost alone'],
    ['https://*.example.com', 'wildcards are not supported, list each origin'],
    ['https://www.example.com/page', 'write it as https://www.example.com'],
    ['https://WWW.example.com:443', 'write it as https://www.example.com'],
    ["https://a.example;script-src'", 'its host must be a name, without special characters'],
    ['example.com', 'it is no origin, such as https://www.example.com'],
    ...['com', 'com.au', 'a', '..', '-', 'a.com.', '-a.example.com'].map((host) => [
      `https://${host}`,
      'its host is no name of a site, such as www.example.com',
    ]),
    ['javascript:alert(1)', 'it must begin with https://; http:// is for localhost alone'],
  ])('an origin %s', async (origin, reason) => {
    expect(await detailOf({ allowed_origins: [SITE, origin] })).toBe(`/allowed_origins/1 is not allowed: ${reason}.`);
  });

  test.each([
    ['http://go.example.com/', 'it must begin with https://'],
    ['javascript:alert(1)', 'it must begin with https://'],
    ['https://{venue}.example.com/', 'its host may have no placeholder'],
    ['https://go.example.com\\@evil.example/', 'it may have visible ASCII characters and no backslash'],
    ['https://jo:secret@go.example.com/', 'it may have no user name or password'],
    ['https://go.example.com/{stake}', '{stake} is no placeholder; valid ones are {race_id}, {race_number}'],
    ['https://go.example.com/{race_id', 'every { needs a }'],
    ['https:///{venue}', 'it has no host'],
    ['https://a b', 'it may have visible ASCII characters'],
    ['https://a:b', 'it is no URL'],
  ])('a template %s', async (template, reason) => {
    const detail = await detailOf({ link_templates: { tab: template } });
    expect(detail).toContain(`/link_templates/tab is not allowed: ${reason}`);
  });

  test('another type, unknown or withheld bookmakers, and figures out of range', async () => {
    expect(await detailOf({ type: 'audits' })).toBe('/type must be one of racing, sports.');
    expect(await detailOf({ type: 'sports', country: [] })).toBe(
      '/country is not allowed: it is a setting of widgets of type racing. ' +
        '/sport_key is required: send the sport that the widget shows, as GET /v1/sports lists it.',
    );
    expect(await detailOf({ link_templates: { betfair_ex_au: 'https://go.example.com/' } })).toContain(
      '/link_templates/betfair_ex_au is not a known property',
    );
    expect(await detailOf({ bookmakers: ['betfair_ex_au'] })).toContain('/bookmakers/0 must be one of');
    expect(await detailOf({ bookmakers: ['realbookie', 'dafabet'] })).toContain(
      '/bookmakers is not allowed: the prices',
    );
    expect(await detailOf({ max_fills_per_hour: 3601 })).toContain('/max_fills_per_hour must be at most 3600');
    expect(await detailOf({ allowed_origins: [] })).toContain('/allowed_origins must have at least 1 item');
    expect(await detailOf({ accent: 'red;}' })).toBe(
      '/accent must be a colour of six hexadecimal digits, such as #12694a.',
    );
    expect(await detailOf({ country: ['Australia'] })).toContain('/country/0');
  });
});

describe('rights', () => {
  test('another account’s widget is not found', async () => {
    const owner = await platform();
    const other = await platform();
    const { id, embed_id: embedId } = await create(owner);
    for (const name of [id, embedId, 'wg_'])
      for (const [method, body] of [['GET'], ['PATCH', { paused: true }], ['DELETE']] as const) {
        const { detail } = await refused(404, send(other, method, `${PATH}/${name}`, body));
        expect(detail).toBe('Your account has no widget with this widget_id.');
      }
    expect(await list(other)).toEqual([]);
    // The public id manages nothing, not even for its owner.
    await refused(404, send(owner, 'DELETE', `${PATH}/${embedId}`));
    expect(await list(owner)).toMatchObject([{ id, paused: false }]);
  });

  test('Platform and above, by the primary key only', async () => {
    const business = await served.addKey({ plan: 'business' });
    for (const [method, path, body] of [
      ['GET', PATH],
      ['POST', PATH, LEAST],
      ['GET', `${PATH}/wg_x`],
      ['PATCH', `${PATH}/wg_x`, { paused: true }],
      ['DELETE', `${PATH}/wg_x`],
    ] as const) {
      const problem = await refused(403, send(business, method, path, body));
      expect(problem).toMatchObject({ code: 'plan_required', required_plan: 'platform' });
    }
    const owner = await platform();
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ label: 'team' }) };
    const { body: team } = await served.api.send('POST', '/v1/keys/team', { key: owner, ...json });
    const { detail } = await refused(403, send(team.key, 'GET', PATH));
    expect(detail).toBe('Only the primary key of the account may call this operation.');
    for (const plan of ['scale', 'enterprise']) expect(await list(await served.addKey({ plan }))).toEqual([]);
  });
});
