// Addresses of the whole application, API and pages: no link leads to a missing page, a wrong address gives a person a
// page and a program a problem, and retired addresses answer 410. No database.

import { openApiDocument } from '../../src/api/openapi/document';
import { ENDPOINTS } from '../../src/api/operations';
import { PROBLEMS, slugOf } from '../../src/errors';
import { PROBLEM_TEXTS } from '../../src/web/plain/problem-texts';
import { BASE_URL, memoryKeys, type TestApi } from '../support/api/api';
import { startWholeService } from '../support/pages/whole-service';

const BASE = BASE_URL;
const PERSON = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const keys = memoryKeys();
const key = keys.add();
const CONTACT = 'mailto:security@odds.example';
let api: TestApi;

beforeAll(async () => {
  api = await startWholeService({ keys, securityContact: CONTACT });
});
afterAll(() => api.close());

test('every problem has its page at the address of its type, with what to do', async () => {
  const index = (await api.get('/errors', undefined, PERSON)).text;
  const statuses = [...index.matchAll(/<td>(\d{3})<\/td>/g)].map(([, status]) => Number(status));
  expect(statuses).toEqual(
    Object.values(PROBLEMS)
      .map(({ status }) => status)
      .sort((x, y) => x - y),
  );
  for (const code of Object.keys(PROBLEMS) as (keyof typeof PROBLEMS)[]) {
    const { status, headers, text } = await api.get(`/errors/${slugOf(code)}`, undefined, PERSON);
    expect([code, status, headers.get('content-type')]).toEqual([code, 200, 'text/html; charset=utf-8']);
    expect(text).toContain(`<code>${code}</code>`);
    expect(text).toContain(PROBLEM_TEXTS[code].remedy.slice(0, 20));
    expect(text).not.toContain('data-refresh');
  }
});

test('no page, response or document links to a missing page', async () => {
  const document = JSON.stringify(openApiDocument(ENDPOINTS, BASE));
  const links = [...document.matchAll(/https:\/\/api\.example\.com(\/[^"\\\s)`]*)/g)].map((match) => match[1]!);
  expect(links).toContain('/errors/validation');
  expect(links).toContain('/signup');
  for (const path of ['/v1', '/llms.txt', '/sitemap-core.xml']) {
    const { text } = await api.get(path);
    const found = [...text.matchAll(/https:\/\/api\.example\.com(\/[^"\s)<`]*)/g)].map((match) => match[1]!);
    expect(found).toContain('/signup');
    // Reports and the sandbox need a database.
    links.push(...found.filter((one) => !/\/v1\/|(?<!openapi|changelog)\.json/.test(one)));
  }
  for (const path of [
    '/',
    '/live',
    '/past',
    '/data-quality',
    '/contract',
    '/changelog',
    '/errors',
    '/errors/gone',
    '/signup',
    '/login',
    '/forgot',
    '/terms',
    '/privacy',
    '/docs',
    '/nope',
    '/race/x',
  ]) {
    const { text } = await api.get(path, undefined, PERSON);
    const found = [...text.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map((match) => match[1]!.replaceAll('&amp;', '&'));
    expect(found).toEqual(expect.arrayContaining(['/about', '/pricing', '/status', '/price-quality']));
    links.push(...found);
  }
  expect(links).toContain('/mcp');
  const dead: string[] = [];
  for (const path of new Set(links)) if ((await api.get(path, key)).status === 404) dead.push(path);
  expect(dead).toEqual([]);
});

test.each(['/nope', '/results/x', '/race/', '/errors/nope', '/race/x/y', '/race/x'])(
  'at %s a person gets a page, a program a problem',
  async (path) => {
    const page = await api.get(path, undefined, PERSON);
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.headers.get('vary')).toMatch(/Accept(?!-)/);
    expect(page.text).toContain(`<title>${path === '/race/x' ? 'Race' : 'Page'} not found</title>`);
    for (const accept of ['*/*', 'application/json', 'application/problem+json, text/html;q=0.5']) {
      const problem = await api.get(path, undefined, { Accept: accept });
      expect([accept, problem.status, problem.headers.get('content-type')]).toEqual([
        accept,
        404,
        'application/problem+json',
      ]);
    }
  },
);

test('the home page is for visitors without a session: others go on to the board, and no cache mixes them', async () => {
  const open = (headers: Record<string, string>) =>
    fetch(`${api.url}/`, { headers: { ...PERSON, ...headers }, redirect: 'manual' });
  const visitor = await open({});
  expect([visitor.status, visitor.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
  const page = await visitor.text();
  expect(page).toMatch(/<h1[^>]*>Fixed odds of \d+ Australian bookmakers/);
  expect(page).toContain('href="/signup"');
  const owner = await open({ Cookie: '__Host-session=yes' });
  expect([owner.status, owner.headers.get('location'), owner.headers.get('cache-control')]).toEqual([
    302,
    '/live',
    'no-store',
  ]);
  expect(await owner.text()).toBe('');
  for (const { headers } of [visitor, owner]) expect(headers.get('vary')).toMatch(/\bCookie\b/);
});

test('the address of an operation is a problem for everyone', async () => {
  const { status, body } = await api.get('/v1/racing/nexttogo', key, PERSON);
  expect([status, body.code]).toEqual([404, 'not_found']);
  expect(body.detail).toBe('There is no resource at /v1/racing/nexttogo. Did you mean /v1/racing/next-to-go?');
});

test('a name in a wrong address is shown as text', async () => {
  const { text } = await api.get('/<img src=x>', undefined, PERSON);
  expect(text).not.toContain('<img src=x>');
});

test.each(['/v1/value', '/v1/value/promos?book=tab', '/v1/arb/racing', '/sitemap-blog.xml', '/sitemap-results.xml'])(
  '%s is retired: 410 without a key, by every method (A 4.13)',
  async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, body, headers } = await api.send(method, path, { headers: PERSON });
      expect([method, status, body.code]).toEqual([method, 410, 'gone']);
      expect(headers.get('x-credits-cost')).toBeNull();
    }
  },
);

test('an address that only begins like a retired one is unknown', async () => {
  expect((await api.get('/v1/values')).status).toBe(404);
  expect((await api.get('/v1/arb/racing/x')).status).toBe(404);
});

describe('did you mean', () => {
  const detail = async (query: string) => (await api.get(`/v1/racing/${query}`, key)).body.detail as string;

  test.each([
    ['next-to-go?num_race=3', 'num_race is not a parameter', 'Did you mean num_races?'],
    ['next-to-go?bookmakers=sportbet', "'sportbet'", 'Did you mean sportsbet?'],
    ['next-to-go?categories=hors', "you sent 'hors'", 'Did you mean horse?'],
    ['next-to-go?country=Australia', "you sent 'Australia'", ''],
    ['consensus?race_id=foo', 'race_id must be a UUID', ''],
    ['changes', 'since is required', ''],
  ])('%s', async (query, part, question) => {
    const text = await detail(query);
    expect(text).toContain(part);
    expect(text.endsWith(question === '' ? '.' : question)).toBe(true);
  });

  test('a race without a name is one problem, not three', async () => {
    const { body } = await api.get('/v1/racing/consensus', key);
    expect(body.errors).toHaveLength(1);
    expect(body.detail).toBe('Select the race by race_id, or by venue, meeting_date and race_number together.');
  });

  test('an unknown name without a near match gets no suggestion, and many unknown names cost nothing', async () => {
    expect(await detail('next-to-go?zzzzzz=1')).not.toContain('Did you mean');
    const many = Array.from({ length: 200 }, (_, i) => `num_race${i}=1`).join('&');
    expect(await detail(`next-to-go?${many}`)).not.toContain('Did you mean');
  });
});

test('security.txt names the configured contact and an expiry within a year (RFC 9116)', async () => {
  const { status, headers, text } = await api.get('/.well-known/security.txt');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(text).toBe(`Contact: ${CONTACT}
Expires: 2027-05-20T00:00:00.000Z
Canonical: https://api.example.com/.well-known/security.txt
`);
});
