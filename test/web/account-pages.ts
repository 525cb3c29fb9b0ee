// The account pages over HTTP, with accounts in memory and without a browser.
import type { Reads } from '../../src/store/reads/reads';
import type { LiveBoard } from '../../src/web/board/model';
import { createMissingPage, createWeb } from '../../src/web/routes';
import { memoryKeys, startApi, type TestApi } from '../support/api/api';
import { BUSY, memoryAccounts, TOKEN } from '../support/pages/memory-accounts';

export const BASE = 'https://api.example.com';
export const OWN = { Origin: BASE };
export const SIGNED_IN = { Cookie: `__Host-session=${TOKEN}` };

/** Call it once; every test begins with a busy account. */
export function accountPages() {
  const logged: object[] = [];
  const memory = memoryAccounts(BASE, { error: (fields) => void logged.push(fields) });
  let api: TestApi;
  beforeAll(async () => {
    const live: LiveBoard = {
      board: async () => ({ next: [], featured: null, jumped: [], outcomes: [] }),
      race: async () => null,
      chart: async () => null,
    };
    const web = { live, now: Date.now, speed: 1, accounts: memory.pages };
    const reads = { ping: async () => {} } as unknown as Reads;
    api = await startApi({ reads, keys: memoryKeys(), pages: createWeb(web), missingPage: createMissingPage(web) });
  });
  afterAll(() => api.close());
  beforeEach(() => {
    memory.calls.length = 0;
    logged.length = 0;
    memory.rows = BUSY;
    memory.refusal = null;
    memory.link = { ...memory.link, purpose: 'verify', state: 'open' };
  });

  async function request(method: string, path: string, form?: Record<string, string>, headers: object = {}) {
    const response = await fetch(api.url + path, {
      method,
      redirect: 'manual',
      headers: { ...(form && OWN), ...headers },
      ...(form && { body: new URLSearchParams(form) }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
  const get = (path: string, headers = {}) => request('GET', path, undefined, headers);
  const post = (path: string, form: Record<string, string>, headers = {}) => request('POST', path, form, headers);
  const to = ({ status, headers }: Awaited<ReturnType<typeof request>>) => [status, headers.get('location')];

  return { memory, logged, url: () => api.url, get, post, to };
}
