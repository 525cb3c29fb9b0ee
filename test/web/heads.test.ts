// What pages say of themselves to search engines and to those who share their address, over every route of the whole
// application. No database.
import { GUIDES, guidePath } from '../../src/web/guides/guides';
import { BASE_URL, memoryKeys, type TestApi } from '../support/api/api';
import { startWholeService } from '../support/pages/whole-service';

const PERSON = { Accept: 'text/html' };
const GIVEN: Readonly<Record<string, string>> = {
  slug: 'gone',
  operation: 'next-to-go',
  event: 'race-result',
  day: '2026-11-21',
  period: '2026-11',
};
let api: TestApi;
beforeAll(async () => {
  api = await startWholeService({ keys: memoryKeys() }, { baseUrl: BASE_URL });
});
afterAll(() => api.close());

const HEAD = {
  description: /<meta name="description" content="([^"]+)">/g,
  canonical: /<link rel="canonical" href="([^"]+)">/g,
  title: /<meta property="og:title" content="([^"]+)">/g,
  'og:description': /<meta property="og:description" content="([^"]+)">/g,
  type: /<meta property="og:type" content="([^"]+)">/g,
  url: /<meta property="og:url" content="([^"]+)">/g,
  image: /<meta property="og:image" content="([^"]+)">/g,
  card: /<meta name="twitter:card" content="([^"]+)">/g,
};
const headOf = (page: string): Record<string, string[]> =>
  Object.fromEntries(Object.entries(HEAD).map(([name, of]) => [name, [...page.matchAll(of)].map(([, text]) => text!)]));

/** Every page, as a person without a session gets it. */
async function pages(): Promise<{ path: string; status: number; text: string }[]> {
  const found: { path: string; status: number; text: string }[] = [];
  for (const { path, methods } of api.routes) {
    if (!methods.includes('GET') || /^\/v1\/|stream$|^\/docs\/try$|^\/widgets\//.test(path)) continue;
    const address = path.replace(/:(\w+)/g, (_, name: string) => GIVEN[name] ?? 'x');
    const { status, headers, text } = await api.get(address, undefined, PERSON);
    if (headers.get('content-type')?.startsWith('text/html') && /^<!doctype html>/.test(text))
      found.push({ path: address, status, text });
  }
  return found;
}

test('each public page has one of each, with its own address; pages of accounts and missing pages have none', async () => {
  const all = await pages();
  const isOfAccounts = (path: string): boolean =>
    /^\/(account|login|signup|forgot|reset|replace-key|verify|confirm-address|undo-address)(\/|$)/.test(path);
  const open = all.filter(({ path, status }) => status === 200 && !isOfAccounts(path));
  expect(open.map(({ path }) => path)).toEqual(expect.arrayContaining(['/', '/live', '/docs', guidePath(GUIDES[0]!)]));
  expect(open.length).toBeGreaterThan(35);
  const descriptions = new Map<string, string>();
  for (const { path, text } of open) {
    const head = headOf(text);
    for (const [name, values] of Object.entries(head)) expect([path, name, values.length]).toEqual([path, name, 1]);
    expect([path, head.url]).toEqual([path, head.canonical]);
    expect(head.canonical![0]).toMatch(new RegExp(`^${BASE_URL}/`));
    expect([path, head.type, head.card]).toEqual([path, ['website'], ['summary_large_image']]);
    expect(head.image![0]).toMatch(new RegExp(`^${BASE_URL}/(cards/(home|board|docs)|race/[^/]+/card)\\.png$`));
    descriptions.set(path, head.description![0]!);
  }
  expect(new Set(descriptions.values()).size).toBe(descriptions.size);
  const others = all.filter((one) => !open.includes(one));
  expect(others.length).toBeGreaterThan(10);
  for (const { path, text } of others) expect([path, Object.values(headOf(text)).flat()]).toEqual([path, []]);
});
