// The real API over real HTTP, at an instant that the test sets, with its own keys.
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type Router from '@koa/router';
import type Koa from 'koa';
import { createApiServer, LIMITS, type ServerLimits } from '../../../src/api/kernel/http/connection/server';
import { formatKey, KEY_RANDOM_BYTES } from '../../../src/plans/api-key';
import { type ApiKeyRow, hashApiKey, type KeyStore, type StoredKey } from '../../../src/store/keys/keys';
import type { AddressBudget } from '../../../src/store/redis/address-budget';
import { apiOf, type GivenApi } from './given-api';

/** The instant of the API tests, unless a test sets another: a Saturday afternoon in Sydney, daylight time. */
export const NOW = '2026-11-21T03:00:00.000Z';

export const BASE_URL = 'https://api.example.com';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came back.
  readonly body: any;
}

interface Route {
  readonly path: string;
  readonly methods: readonly string[];
}

export interface TestApi {
  readonly url: string;
  /** The API's clock; set it to move. */
  now: number;
  readonly logged: { fields: object; message: string }[];
  /** Every address that has a route, in the router's syntax. */
  readonly routes: readonly Route[];
  get(path: string, key?: string, headers?: Record<string, string>): Promise<Answer>;
  send(
    method: string,
    path: string,
    init?: { key?: string; headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> },
  ): Promise<Answer>;
  /** Open connections of all clients. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** For tests whose requests all come from one address, and must reach what its limits protect. */
export const UNCOUNTED: AddressBudget = { take: async () => 0, giveBack: async () => {} };

/** After a pause of the machine a client would send on a connection that is just being closed as idle. */
const PATIENT: Partial<ServerLimits> = { idleMs: 0, keepAliveMs: 0 };

export async function startApi(
  deps: Partial<GivenApi> & Pick<GivenApi, 'reads' | 'keys'>,
  limits: Partial<ServerLimits> = {},
): Promise<TestApi> {
  const logged: TestApi['logged'] = [];
  const clock = { now: Date.parse(NOW) };
  const log = { error: (fields: object, message: string) => void logged.push({ fields, message }) };
  // A cached response would hide what a test wrote since its last request.
  const own = {
    responsesCachedMs: 0,
    now: () => clock.now,
    wallMs: () => clock.now,
    elapsedMs: () => clock.now,
    baseUrl: BASE_URL,
    log,
  };
  const app = apiOf({ ...own, ...deps });
  const { trustedProxies = 0, baseUrl = BASE_URL } = deps;
  const server = createApiServer(app, { baseUrl, trustedProxies }, { ...LIMITS, ...PATIENT, ...limits });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const send: TestApi['send'] = async (method, path, { key, headers, body } = {}) => {
    const withKey: Record<string, string> = key === undefined ? {} : { 'X-API-Key': key };
    // The server would compress it and the client decompress it, thousands of times, although no test needs that.
    const sent = new Headers({ 'Accept-Encoding': 'identity', ...withKey });
    for (const [name, value] of Object.entries(headers ?? {})) sent.set(name, value);
    const response = await fetch(url + path, { method, headers: sent, body });
    const text = await response.text();
    const json = text !== '' && /[/+]json\b/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : undefined };
  };

  return Object.assign(clock, {
    url,
    logged,
    routes: routesOf(app),
    send,
    get: (path: string, key?: string, headers?: Record<string, string>) => send('GET', path, { key, headers }),
    connections: () => promisify(server.getConnections.bind(server))(),
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  });
}

function routesOf({ middleware }: Koa): readonly Route[] {
  const routers = middleware.flatMap((one) => (one as { router?: Router }).router ?? []);
  return routers.flatMap(({ stack }) => stack.map(({ path, methods }) => ({ path: String(path), methods })));
}

export const newKey = (): string => formatKey(randomBytes(KEY_RANDOM_BYTES));

export const keyRow = (key: string, over: Partial<ApiKeyRow> = {}): ApiKeyRow => ({
  last4: key.slice(-4),
  label: 'test',
  plan: 'free',
  role: 'customer',
  bookmakerKey: null,
  issuedAt: '2026-10-01T00:00:00.000Z',
  ...over,
});

/** As in the store, in its own account. */
export const storedKey = (key: string, over: Partial<StoredKey> = {}): StoredKey => ({
  ...keyRow(key),
  keyId: randomUUID(),
  accountId: randomUUID(),
  accountSince: '2026-10-01T00:00:00.000Z',
  overage: false,
  epoch: 0,
  isPrimary: true,
  version: 1,
  rotatedAt: null,
  expiresAt: null,
  allowedAddresses: [],
  scopes: null,
  ...over,
});

/** A key store in memory that counts its queries, for tests of the machinery that need no database. */
export function memoryKeys(): KeyStore & { readonly lookups: number; add(over?: Partial<StoredKey>): string } {
  const rows = new Map<string, StoredKey>();
  const store = {
    lookups: 0,
    async find(hashes: readonly Buffer[]) {
      store.lookups++;
      return hashes.map((hash) => rows.get(hash.toString('hex')) ?? null);
    },
    async insert(hash: Buffer, row: ApiKeyRow, accountId = randomUUID()) {
      rows.set(hash.toString('hex'), { ...storedKey('', row), accountId });
    },
    add(over: Partial<StoredKey> = {}) {
      const key = newKey();
      rows.set(hashApiKey(key).toString('hex'), storedKey(key, over));
      return key;
    },
  };
  return store;
}
