// The bookmakers of a signed-in owner over HTTP: read and written with the session only, from our own pages only, and
// never over a choice that the browser does not know.
import { BASE_URL, memoryKeys, type TestApi } from '../../support/api/api';
import { TOKEN } from '../../support/pages/memory-accounts';
import { startWholeService } from '../../support/pages/whole-service';

let api: TestApi;
beforeAll(async () => {
  api = await startWholeService({ keys: memoryKeys() });
});
afterAll(() => api.close());

const SESSION = { Cookie: `__Host-session=${TOKEN}` };
const OWN = { ...SESSION, Origin: BASE_URL };

async function ask(headers: Record<string, string>, form?: Record<string, string>) {
  const body = form && new URLSearchParams(form);
  const response = await fetch(`${api.url}/account/bookmakers`, { method: form ? 'PUT' : 'GET', headers, body });
  expect(response.headers.get('cache-control')).toBe('no-store');
  // biome-ignore lint/suspicious/noExplicitAny: a JSON document, read freely.
  const read: any = await response.json();
  return [response.status, read.bookmakers === undefined ? read.code : read.bookmakers];
}

test('an owner’s choice is read and written by the version that it is based on, and sent again changes nothing', async () => {
  expect(await ask(SESSION)).toEqual([200, null]);
  const mine = { order: 'neds,tab', hidden: 'unibet', version: '' };
  const [status, first] = await ask(OWN, mine);
  expect([status, first]).toEqual([200, { order: ['neds', 'tab'], hidden: ['unibet'], version: expect.any(String) }]);
  expect(await ask(OWN, mine)).toEqual([200, first]);
  expect(await ask(OWN, { ...mine, order: 'tab' })).toEqual([409, 'conflict']);
  expect(await ask(SESSION)).toEqual([200, first]);
  const [, second] = await ask(OWN, { order: 'tab,neds', hidden: '', version: first.version });
  expect(second).toMatchObject({ order: ['tab', 'neds'], hidden: [] });
  expect(second.version).not.toBe(first.version);
  // Not keys of books.
  const odd = { order: "tab,<b>,' OR 1=1,,TAB,neds", hidden: `${'x'.repeat(41)},tab`, version: second.version };
  expect((await ask(OWN, odd))[1]).toMatchObject({ order: ['tab', 'neds'], hidden: ['tab'] });
  const many = { order: Array.from({ length: 500 }, (_, i) => `book${i}`).join(), hidden: '', version: '' };
  expect((await ask(OWN, many))[0]).toBe(409);
});

test.each<[string, Record<string, string>, number]>([
  ['without a session', { Origin: BASE_URL }, 401],
  ['with a session that has ended', { Origin: BASE_URL, Cookie: '__Host-session=no' }, 401],
  ['from another site', { ...SESSION, Origin: 'https://evil.example' }, 403],
  ['from a page of nowhere', { ...SESSION, Origin: 'null' }, 403],
])('nothing is written %s', async (_, headers, status) => {
  const [, before] = await ask(SESSION);
  expect((await ask(headers, { order: 'playup', hidden: '', version: before?.version ?? '' }))[0]).toBe(status);
  expect(await ask(SESSION)).toEqual([200, before]);
});

test('a choice is data of its owner: not read without the session', async () => {
  expect(await ask({})).toEqual([401, 'unauthorized']);
});
