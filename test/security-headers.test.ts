// The security headers of every response, by what the response is to a browser: each route has its class here, and each
// class all of its headers. Headers that no class names are not sent. No database.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { FREE_METER } from '../src/api/kernel/endpoint/meter';
import { AppError } from '../src/errors';
import { GUIDES, guidePath, NOTEBOOK } from '../src/web/guides/guides';
import { BASE_URL, memoryKeys, type TestApi, UNCOUNTED } from './support/api/api';
import { raw } from './support/api/raw';
import { startWholeService } from './support/pages/whole-service';

const OFF =
  'accelerometer=(), autoplay=(), camera=(), clipboard-read=(), clipboard-write=(), display-capture=(), encrypted-media=(), fullscreen=(), geolocation=(), gyroscope=(), hid=(), idle-detection=(), local-fonts=(), magnetometer=(), microphone=(), midi=(), payment=(), picture-in-picture=(), publickey-credentials-create=(), publickey-credentials-get=(), screen-wake-lock=(), serial=(), storage-access=(), usb=(), xr-spatial-tracking=()';
const NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const PAGE_LOADS =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'";
const ACCENT_HASH = "'sha256-GlnvT3K6OUyFVBsEB9UD0MVDX0q9A2hLwiPn7X+6za0='";

const DATA = {
  'content-security-policy': NOTHING,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': OFF,
  'referrer-policy': 'strict-origin-when-cross-origin',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
const DOCUMENT = { ...DATA, 'cross-origin-embedder-policy': 'require-corp', 'origin-agent-cluster': '?1' };
const ACCOUNT = {
  ...DOCUMENT,
  'content-security-policy': `${PAGE_LOADS}; form-action 'self'; frame-ancestors 'none'`,
  'permissions-policy': OFF.replace(/(clipboard-write|publickey-credentials-\w+)=\(\)/g, '$1=(self)'),
};
const { 'x-frame-options': _, ...FRAMED } = DOCUMENT;

/** Of pages that a browser may install. */
const INSTALLABLE = PAGE_LOADS.replace('; base', "; manifest-src 'self'; base");

const { 'permissions-policy': __, ...PAGE_FILE } = DATA;

const CLASSES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  data: DATA,
  'page file': PAGE_FILE,
  open: { ...DATA, 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' },
  'widget data': { ...DATA, 'cross-origin-resource-policy': 'cross-origin' },
  // Other sites show it where a page is shared.
  picture: { ...DATA, 'cross-origin-resource-policy': 'cross-origin' },
  // A script of another site reads it; for a known widget, only the allowed sites.
  'widget fill': { ...DATA, 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' },
  page: {
    ...DOCUMENT,
    'content-security-policy': `${INSTALLABLE}; form-action 'none'; frame-ancestors 'none'`,
  },
  form: {
    ...DOCUMENT,
    'content-security-policy': `${INSTALLABLE}; form-action 'self'; frame-ancestors 'none'`,
  },
  docs: {
    ...DOCUMENT,
    'content-security-policy': `${INSTALLABLE}; form-action 'self'; frame-ancestors 'none'`,
    'permissions-policy': OFF.replace('clipboard-write=()', 'clipboard-write=(self)'),
  },
  account: ACCOUNT,
  token: { ...ACCOUNT, 'referrer-policy': 'no-referrer' },
  reference: {
    ...DOCUMENT,
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  },
  widget: {
    ...FRAMED,
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self' ${ACCENT_HASH}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors https://www.example.com`,
  },
};

/** About the content or the call, not about security. */
const OF_CONTENT =
  /^(?:access-control-expose-headers|allow|cache-control|connection|content-(?:disposition|encoding|length|type)|date|etag|keep-alive|link|location|retry-after|set-cookie|speculation-rules|transfer-encoding|vary|www-authenticate|x-(?:credits|ratelimit|next-fill|upgrade|accel|race-now|request-id).*|ratelimit.*)$/;

/** Every route outside `/v1/`, with the class of its successful response. */
const ROUTES: Readonly<Record<string, string>> = {
  ...each('open', '/v1 /coverage-report.json /platform-facts.json /openapi.json /openapi.yaml /changelog.json'),
  ...each('open', '/changelog.xml /data-quality.json /mcp'),
  ...each('reference', '/docs/try'),
  ...each('data', '/docs/start.js /docs/swagger-ui.css /docs/swagger-ui-bundle.js'),
  ...each('page file', '/assets/:name /favicon.ico'),
  ...each('data', NOTEBOOK.path),
  ...each('data', '/robots.txt /llms.txt /llms-full.txt /.well-known/security.txt /healthz /webhooks/stripe'),
  ...each('data', '/sitemap.xml /sitemap-core.xml /sitemap-tools.xml /sitemap-api.xml /sitemap-legal.xml'),
  ...each(
    'data',
    '/sitemap-sports.xml /board/fragment /board/stream /board/home /race/:race_id/stream /race/:race_id/prices',
  ),
  ...each('data', '/board/home/stream'),
  ...each('picture', '/cards/home.png /cards/docs.png /cards/board.png /race/:race_id/card.png'),
  ...each('data', '/race/:race_id/fragment /race/:race_id/past/prices'),
  ...each('page', '/ /live /race/:race_id /past /past/:day /race/:race_id/past /data-quality /errors /errors/:slug'),
  ...each('docs', '/docs /docs/:operation /docs/events/:event'),
  ...each('docs', GUIDES.map(guidePath).join(' ')),
  ...each('page', '/movers /today /tomorrow /races/:day /results /results/:day /venue/:venue_id /meeting/:day/:key'),
  ...each('page', '/price-quality /price-quality/:period /about /pricing /status'),
  ...each('data', '/price-quality/:period.csv /manifest.webmanifest'),
  ...each('page', '/contract /changelog /terms /privacy /coverage-report /horse/:key /greyhound/:key'),
  ...each('page', '/sports /sports/arbs /sports/:sport /sports/match/:event_id /sports/match/:event_id/lines'),
  ...each('data', '/sports/fragment /sports/arbs/fragment /sports/:sport/fragment /sports/match/:event_id/fragment'),
  ...each('data', '/sports/match/:event_id/lines/fragment'),
  ...each('page', '/jockey/:key /trainer/:key'),
  ...each('data', '/movers/fragment /races/:day/fragment /results/:day/fragment /race/:race_id/start'),
  ...each('form', '/search'),
  ...each('data', '/search/suggestions'),
  ...each('account', '/signup /signup/sent /login /login/request /login/sent /forgot /account /account/key/rotate'),
  ...each('account', '/account/key/reveal /account/addresses /account/team /account/team/:key_id'),
  ...each('account', '/account/team/:key_id/rotate /account/backfill /account/backfill/:job_id/cancel'),
  ...each('account', '/account/backfill/:job_id/results /account/files /account/files/:dataset/:period'),
  ...each('account', '/account/team/:key_id/delete /account/password /account/marketing /account/billing/upgrade'),
  ...each(
    'account',
    '/account/calls /account/webhooks /account/webhooks/:webhook_id /account/webhooks/:webhook_id/test',
  ),
  ...each('account', '/account/webhooks/:webhook_id/replay/:delivery_id /account/webhooks/:webhook_id/pause'),
  ...each('account', '/account/webhooks/:webhook_id/resume /account/webhooks/:webhook_id/rotate'),
  ...each('account', '/account/webhooks/:webhook_id/delete /account/credit-mails /account/credits /account/statement'),
  ...each('account', '/account/statement/heads'),
  ...each('account', '/account/billing/portal /account/billing/cancel /account/billing/overage /account/referral'),
  ...each(
    'account',
    '/account/export /account/close /account/email /account/email/sent /confirm-address /undo-address',
  ),
  ...each('account', '/account/alerts /account/alerts/stop /account/alerts/:alert_id/delete /account/alerts/mails'),
  ...each('account', '/login/passkey /login/passkey/finish /account/passkeys /account/passkeys/new'),
  ...each('account', '/account/passkeys/:passkey_id/rename /account/passkeys/:passkey_id/remove'),
  ...each('account', '/logout /account/sign-out-everywhere /login/link /replace-key /reset'),
  ...each('data', '/account/bookmakers /account/alerts/news'),
  ...each('page', '/go/:race_id/:number/:book/:market'),
  // Links are in memory: one to verify is open, others lead to a page without a token's form.
  ...each('token', '/verify /alerts/stop /credit-mails/stop'),
  ...each('widget', '/widgets/:embed_id'),
  ...each('widget data', '/widgets/:embed_id/prices /widgets/:embed_id/races'),
  ...each('widget fill', '/widgets/:embed_id/fill'),
};

function each(name: string, paths: string): Record<string, string> {
  return Object.fromEntries(paths.split(' ').map((path) => [path, name]));
}

const PERSON = { Accept: 'text/html', Origin: BASE_URL, Cookie: '__Host-session=yes' };
const GIVEN: Readonly<Record<string, string>> = {
  name: 'icon.svg',
  embed_id: `we_${'a'.repeat(26)}`,
  slug: 'gone',
  operation: 'next-to-go',
  event: 'race-result',
  day: '2026-11-21',
  period: '2026-11',
};
const keys = memoryKeys();
const key = keys.add();
const limited = keys.add({ label: 'limited' });
const meter: typeof FREE_METER = {
  ...FREE_METER,
  admit: async ({ label }) => {
    if (label === 'limited') throw new AppError('rate_limit', 'Too many.', { retry_after_seconds: 1 });
  },
};
let api: TestApi;
beforeAll(async () => {
  const streams = { moves: { watch: () => () => {} }, networkOf: () => '', stopping: AbortSignal.abort() };
  const deps = {
    keys,
    meter,
    addressBudget: UNCOUNTED,
    keylessPerMinute: 10_000,
    securityContact: 'mailto:a@b.example',
  };
  api = await startWholeService(deps, {
    streams,
    runners: { runner: async () => null },
    people: { person: async () => null },
  });
});
afterAll(() => api.close());

interface Sent {
  readonly status: number;
  readonly type: string;
  readonly security: Readonly<Record<string, string>>;
}

interface Init {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Reads only the head: some responses never end. */
async function send(method: string, path: string, { headers = {}, body }: Init = {}, to = api.url): Promise<Sent> {
  const sending = request(to + path, { method, headers, agent: false });
  sending.end(body);
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  response.destroy();
  const { statusCode: status = 0, headers: all } = response;
  expect(all.vary).toMatch(/^Accept-Encoding\b/);
  const security = Object.entries(all).filter(([name]) => !OF_CONTENT.test(name));
  const type = all['content-type'] ?? '';
  return { status, type, security: Object.fromEntries(security.map(([name, value]) => [name, String(value)])) };
}

/** A problem and a redirect are data at every address, as open as the address is. */
const isDocument = ({ status, type }: Sent): boolean =>
  ![204, 302, 303].includes(status) && !type.includes('problem+json');
const asData = (name: string): string =>
  name === 'open' ? 'open' : name.startsWith('widget') ? 'widget data' : 'data';

test('each route has the headers of its class, and those of data when it refuses', async () => {
  const seen = new Set<string>();
  for (const { path, methods } of api.routes) {
    const known = path.startsWith('/v1/') ? 'open' : ROUTES[path]!;
    const address = path.replace(/:(\w+)/g, (_, parameter: string) => GIVEN[parameter] ?? 'x');
    for (const method of methods) {
      const name = known === 'token' && method === 'POST' ? 'account' : known;
      const sent = await send(method, `${address}${known === 'token' ? '?token=x' : ''}`, { headers: PERSON });
      const expected = CLASSES[isDocument(sent) ? name : asData(name)];
      expect([method, path, sent.security]).toEqual([method, path, expected]);
      if (isDocument(sent)) seen.add(name);
    }
  }
  // Every class has a successful response, not only refusals.
  expect([...seen].sort()).toEqual(Object.keys(CLASSES).sort());
  const gone = Object.keys(ROUTES).filter((path) => !api.routes.some((route) => route.path === path));
  expect(gone).toEqual([]);
});

const json = { 'Content-Type': 'application/json' };
const question = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'GET' };

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const REFUSALS: readonly (readonly [status: number, name: string, method: string, path: string, init?: Init])[] = [
  [404, 'open', 'GET', '/v1/nothing'],
  [404, 'data', 'GET', '/nothing'],
  [404, 'page', 'GET', '/nothing', { headers: PERSON }],
  [404, 'widget data', 'GET', '/widgets/nothing/at/all'],
  [401, 'open', 'GET', '/v1/racing/venues'],
  [405, 'open', 'PUT', '/v1/racing/clv'],
  [405, 'data', 'POST', '/'],
  [405, 'data', 'OPTIONS', '/', { headers: { ...PERSON, 'Access-Control-Request-Method': 'GET' } }],
  [405, 'widget data', 'OPTIONS', `/widgets/${GIVEN.embed_id}/fill`],
  [410, 'open', 'GET', '/v1/arb/racing'],
  [413, 'open', 'POST', '/v1/racing/clv', { headers: { ...json, 'X-API-Key': key }, body: ' '.repeat(3_000_000) }],
  [422, 'account', 'POST', '/signup', { headers: { ...PERSON, ...FORM }, body: '' }],
  [429, 'open', 'GET', '/v1/racing/venues', { headers: { 'X-API-Key': limited } }],
  [429, 'data', 'GET', '/board/stream', { headers: PERSON }],
  [500, 'open', 'GET', '/v1/racing/venues', { headers: { 'X-API-Key': key } }],
  [503, 'page', 'GET', '/coverage-report', { headers: PERSON }],
];

test('a refusal has the headers of data, or of the page that explains it', async () => {
  for (const [status, name, method, path, init] of REFUSALS) {
    const sent = await send(method, path, init);
    expect([method, path, sent.status, sent.security]).toEqual([method, path, status, CLASSES[name]]);
  }
});

test('a preflight has the headers of open data, and what it allows', async () => {
  const { status, security } = await send('OPTIONS', '/v1/racing/clv', { headers: question });
  const { 'access-control-allow-methods': methods, 'access-control-allow-headers': names, ...rest } = security;
  const { 'access-control-max-age': age, ...usual } = rest;
  expect([status, methods, age, usual]).toEqual([204, 'POST', '86400', CLASSES.open]);
  expect(names).toContain('X-API-Key');
});

test.each(['GET / HTTP/1.1\r\nno header\r\n\r\n', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'])(
  'a refusal outside the application is open data: %j',
  async (bytes) => {
    const { head } = await raw(api.url, bytes);
    const lines = head.split('\r\n').slice(1);
    const pairs = lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.replace(/^[^:]*: /, '')]);
    expect(Object.fromEntries(pairs.filter(([name]) => !OF_CONTENT.test(name!)))).toEqual(CLASSES.open);
  },
);

test('only a service that is public by https requires https', async () => {
  const plain = await startWholeService({ keys, endpoints: [], baseUrl: 'http://odds.example' });
  for (const [path, name] of Object.entries({
    '/live': 'page',
    '/login': 'account',
    '/v1': 'open',
    '/healthz': 'data',
  })) {
    const { 'strict-transport-security': _, ...rest } = CLASSES[name]!;
    expect([path, (await send('GET', path, {}, plain.url)).security]).toEqual([path, rest]);
  }
  const { head } = await raw(plain.url, 'GET / HTTP/1.1\r\nno header\r\n\r\n');
  expect(head).toContain('X-Frame-Options');
  expect(head).not.toContain('Strict-Transport');
  await plain.close();
});
