// The reference of the API: a page for each operation with all that the document says of it, a search, and samples that
// make the call they show. Each sample is run: a server records what it sends, and the API checks it.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { openApiDocument } from '../../src/api/openapi/document';
import { ENDPOINTS } from '../../src/api/operations';
import { GUIDES, guidePath } from '../../src/web/guides/guides';
import type { Sample } from '../../src/web/reference/model';
import { memoryKeys, type TestApi } from '../support/api/api';
import { FAULTLESS, pageFaults, windowFaults } from '../support/pages/axe';
import { noBrowserReason, openBrowser } from '../support/pages/browser';
import { exampleReference } from '../support/pages/reference';
import { startWholeService } from '../support/pages/whole-service';
import { watchedPage } from './board-browser';

const BASE = 'https://api.example.com';
const reference = exampleReference(BASE);
const operations = reference.groups.flatMap((group) => group.operations);

let api: TestApi;
const keys = memoryKeys();
beforeAll(async () => {
  api = await startWholeService({ keys });
});
afterAll(() => api.close());

const textOf = (html: string): string =>
  html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

test('each operation has a page with its parameters, members, costs and errors, small enough for a phone', async () => {
  expect(operations).toHaveLength(ENDPOINTS.length);
  expect(new Set(operations.map(({ slug }) => slug)).size).toBe(ENDPOINTS.length);
  for (const one of ENDPOINTS) {
    const { status, text } = await api.get(`/docs/${one.operationId.replaceAll('_', '-')}`);
    const shown = textOf(text);
    expect([one.operationId, status]).toEqual([one.operationId, 200]);
    expect(text.length).toBeLessThan(100_000);
    expect(shown).toContain(`Cost: ${one.cost.text.replaceAll('`', '')}.`);
    if (one.gate) expect(shown).toContain(one.gate.text.replaceAll('`', ''));
    const { parameters, errors } = operations.find(
      ({ path, method }) => path === one.path && method === one.method.toUpperCase(),
    )!;
    for (const { name } of parameters) expect(text).toContain(`<code>${name}</code>`);
    for (const code of errors.flatMap(({ codes }) => codes))
      expect(text).toContain(`/errors/${code.replaceAll('_', '-')}"`);
    expect(shown).not.toMatch(/undefined|\[object Object\]/);
    expect(text.match(/ id="([^"]+)"/g)).toEqual([...new Set(text.match(/ id="([^"]+)"/g))]);
  }
  expect((await api.get('/docs/no-such-operation')).status).toBe(404);
});

test('each event has a page, and the first page leads to all of them', async () => {
  const { text } = await api.get('/docs');
  for (const { slug } of operations) expect(text).toContain(`href="/docs/${slug}"`);
  for (const { slug, name } of reference.events) {
    expect(text).toContain(`href="/docs/events/${slug}"`);
    expect((await api.get(`/docs/events/${slug}`)).text).toContain(`<code>${name}</code>`);
  }
  for (const title of ['Authentication', 'Credits', 'Polling']) expect(text).toContain(`<h3>${title}</h3>`);
  expect(text).toContain('<th scope="row">Business</th>');
});

test('every link of every page of docs leads to a page that is there, and to a part that it has', async () => {
  const pages = new Map<string, string>();
  const parts: string[][] = [];
  const left = ['/docs', '/docs?q=prices', '/docs?q=no+such+thing'];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    const { status, text, headers } = await api.get(path);
    // Here nothing is measured that it could report.
    expect([path, status]).toEqual([path, path === '/coverage-report' ? 503 : 200]);
    pages.set(path, text);
    if (!path.startsWith('/docs') || !headers.get('content-type')!.startsWith('text/html')) continue;
    for (const [, href = ''] of text.matchAll(/href="((?:\/|#)[^"]*)"/g)) {
      const [to = '', part] = href.startsWith('#') ? [path, href.slice(1)] : href.split('#');
      if (part !== undefined) parts.push([path, to, part]);
      if (!pages.has(to) && !left.includes(to)) left.push(to);
    }
  }
  expect(parts.filter(([, to, part]) => !pages.get(to!)!.includes(` id="${part}"`))).toEqual([]);
  const unlinked = [...operations.map(({ slug }) => `/docs/${slug}`), ...GUIDES.map(guidePath)];
  expect(unlinked.filter((path) => !pages.has(path))).toEqual([]);
});

test.each([
  ['next races', 'next-to-go'],
  ['closing_line', 'closing-lines'],
  ['race.scratching', 'events/race-scratching'],
  ['rate_limit', null],
  ['<script>alert(1)</script>', undefined],
])('search for %s', async (query, first) => {
  const { status, text } = await api.get(`/docs?q=${encodeURIComponent(query)}`);
  expect(status).toBe(200);
  const [main] = /<main.*<\/main>/s.exec(text)!;
  const found = [...main.matchAll(/<li><a href="(\/[^"]+)"/g)].map(([, path]) => path!);
  if (first === undefined) expect(found).toEqual([]);
  else expect(found).toContain(first === null ? '/errors/rate-limit' : `/docs/${first}`);
  expect(text).not.toContain('<script>alert');
});

test('a search of any length and form is answered', async () => {
  for (const query of ['a '.repeat(2000), '%00', 'q&q=x&q=y', '\u{1F40E}']) {
    const { status } = await api.get(`/docs?q=${encodeURIComponent(query)}`);
    expect(status).toBe(200);
  }
});

interface Sent {
  readonly call: string;
  /** Path and query as they are sent. */
  readonly url: string;
  readonly body: unknown;
  readonly key: string | undefined;
}

const run = promisify(execFile);
const PYTHON = 'import requests';

describe('samples', () => {
  let folder: string;
  let recorder: Server;
  let sent: Sent[] = [];
  const key = keys.add({ plan: 'enterprise' });
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'samples-'));
    recorder = createServer((request, response) => void answer(request).finally(() => response.end('{}')));
    recorder.listen(0, '127.0.0.1');
    await once(recorder, 'listening');
  });
  afterAll(async () => {
    recorder.close();
    await once(recorder, 'close');
    rmSync(folder, { recursive: true });
  });

  async function answer(request: IncomingMessage): Promise<void> {
    const bytes = Buffer.concat(await request.toArray());
    const { method = '', url = '', headers } = request;
    if (bytes.length > 0) expect(headers['content-type']).toBe('application/json');
    const given = headers['x-api-key'] as string | undefined;
    const body = bytes.length > 0 ? JSON.parse(bytes.toString()) : null;
    const { pathname, searchParams } = new URL(url, BASE);
    sent.push({ call: `${method} ${pathname} ${JSON.stringify([...searchParams])}`, url, body, key: given });
  }

  const at = () => `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`;
  const env = { ...process.env, ODDS_API_KEY: key };
  /** All samples of one language, in one process each. */
  async function sentBy(language: string, samples: readonly Sample[]): Promise<readonly Sent[]> {
    sent = [];
    const own = samples.filter((one) => one.language === language).map(({ code }) => code.replaceAll(BASE, at()));
    const options = { cwd: folder, env, timeout: 240_000 };
    if (language === 'curl') await run('bash', ['-c', own.join('\n')], options);
    if (language === 'Python') {
      const whole = own.map((code) => code.replace('response.raise_for_status()', '')).join('\n');
      writeFileSync(join(folder, 'all.py'), whole);
      await run('python3', ['all.py'], options);
    }
    if (language === 'TypeScript') {
      for (const [i, code] of own.entries()) writeFileSync(join(folder, `s${i}.mts`), code);
      const all = own.map((_, i) => `await import('./s${i}.mts');`).join('\n');
      writeFileSync(join(folder, 'all.mts'), all);
      await run(process.execPath, ['all.mts'], options);
    }
    return sent;
  }

  /** HEAD of these checks key, parameters and plan, and does no work. */
  const judged = new Set(
    ENDPOINTS.filter((one) => one.method === 'get' && !one.ofAccount && !one.servesFile).map(({ path }) => path),
  );

  test('each makes its call, the same in every language, and the API accepts it', async () => {
    const samples = operations.flatMap((one) => one.samples);
    const withKey = operations.filter(({ samples: own }) => own.length > 0);
    expect(operations.length - withKey.length).toBeLessThan(12);
    const byCurl = await sentBy('curl', samples);
    expect(byCurl).toHaveLength(withKey.length);
    for (const [i, { method, path, authentication }] of withKey.entries()) {
      const { call, url, key: given } = byCurl[i]!;
      expect(call).toMatch(new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/ ]+')} `));
      expect([path, given]).toEqual([path, authentication === 'none' ? undefined : key]);
      if (!judged.has(path)) continue;
      const { status } = await api.send('HEAD', url, { headers: given ? { 'X-API-Key': given } : {} });
      expect([url, status]).toEqual([url, 200]);
    }
    const plain = (all: readonly Sent[]) => all.map(({ call, body, key: given }) => ({ call, body, key: given }));
    expect(plain(await sentBy('TypeScript', samples))).toEqual(plain(byCurl));
    const hasPython = await run('python3', ['-c', PYTHON]).then(
      () => true,
      () => false,
    );
    if (hasPython) expect(plain(await sentBy('Python', samples))).toEqual(plain(byCurl));
    else console.warn('skipped: Python samples, because there is no Python with requests');
  });
});

const reason = noBrowserReason();
const inBrowser = reason === null ? describe : describe.skip;

inBrowser(`in a browser${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  const rulesAddress = async (page: Page): Promise<string> =>
    JSON.parse((await page.request.get(page.url())).headers()['speculation-rules']!);
  async function tabTo(page: Page, selector: string): Promise<void> {
    for (let steps = 0; steps < 60; steps += 1) {
      if (await page.evaluate(`document.activeElement.matches('${selector}')`)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`${selector} is not reached`);
  }
  const delivered = (page: Page): Promise<string> =>
    page.evaluate(`performance.getEntriesByType('navigation')[0].deliveryType`);

  test.each([
    [1440, 'light'],
    [390, 'dark'],
  ] as const)(
    '%i px wide, %s: no violations, nothing wider than the window, and the key stays in the page',
    async (width, colorScheme) => {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      const requests: string[] = [];
      page.on('request', (request) => void requests.push(request.url()));
      for (const path of [
        '/docs',
        '/docs/next-to-go',
        '/docs/create-webhook',
        '/docs/events/race-result',
        '/docs?q=odds',
        '/docs/guides/archives',
      ]) {
        await page.goto(api.url + path);
        const faults = width > 700 ? windowFaults(page) : pageFaults(page);
        expect([path, ...(await faults)]).toEqual([path, ...FAULTLESS]);
      }
      await page.goto(`${api.url}/docs/next-to-go`);
      const sample = page.locator('#sample-0');
      expect(await sample.textContent()).toContain('"X-API-Key: $ODDS_API_KEY"');
      await page.fill('#own-key', 'pe_live_0123456789abcdefghijklmnopqrstuv012345');
      expect(await sample.textContent()).toContain('"X-API-Key: pe_live_0123456789abcdefghijklmnopqrstuv012345"');
      await page.goto(`${api.url}/docs/consensus`);
      expect(await page.locator('#sample-1').textContent()).toContain("'X-API-Key': 'pe_live_0123456789");
      await page.fill('#own-key', '"; rm -rf / #');
      expect(await page.locator('#sample-0').textContent()).toContain('$ODDS_API_KEY');
      expect(requests.filter((url) => /pe_live|rm%20/.test(url))).toEqual([]);
      await page.close();
    },
  );

  test('a page is fetched before the click ends, under the policy of the pages', async () => {
    const { page, problems } = await watchedPage(browser);
    await page.goto(`${api.url}/docs/next-to-go`);
    const rules = await page.request.get(api.url + (await rulesAddress(page)));
    expect([rules.status(), rules.headers()['content-type']]).toEqual([200, 'application/speculationrules+json']);
    for (let tries = 0; tries < 20; tries += 1) {
      await page.goto(`${api.url}/docs/next-to-go`);
      const link = page.locator('.side a[href="/docs/racing-best-odds"]');
      await link.hover();
      await link.click();
      await page.waitForURL('**/docs/racing-best-odds');
      if ((await delivered(page)) === 'navigational-prefetch') break;
    }
    expect(await delivered(page)).toBe('navigational-prefetch');
    expect(problems).toEqual([]);
    await page.close();
  });

  test('a sample is copied', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-write'] });
    const page = await context.newPage();
    await page.goto(`${api.url}/docs/next-to-go`);
    await page.click('[data-copy="sample-0"]');
    await page.locator('[data-copy="sample-0"]', { hasText: /^Copied$/ }).waitFor();
    await context.close();
  });

  test('the search is used by the keyboard alone', async () => {
    const page = await browser.newPage();
    await page.goto(`${api.url}/docs`);
    await tabTo(page, '#q');
    await page.keyboard.type('next races');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs?q=next+races');
    await tabTo(page, '.operations a[href="/docs/next-to-go"]');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/next-to-go');
    await page.close();
  });

  test('without script a page has its samples, and no field that does nothing', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${api.url}/docs/next-to-go`);
    expect(await page.locator('#sample-0').isVisible()).toBe(true);
    expect(await page.locator('#own-key').isVisible()).toBe(false);
    await context.close();
  });
});

test('the document is the one that the service serves', async () => {
  const { body } = await api.get('/openapi.json');
  expect(body).toEqual(JSON.parse(JSON.stringify(openApiDocument(ENDPOINTS, BASE))));
});
