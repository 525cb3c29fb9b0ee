// The API with sign-up and sign-in, as browsers use it: each browser has its own cookies, and the tests read mails from
// the outbox. DNS is a table, and the work that the service does for a request is counted.
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { type Accounts, createAccounts } from '../../../src/accounts/accounts';
import { createReceivesMail } from '../../../src/accounts/email/mail-domain';
import { createPasswords } from '../../../src/accounts/passwords';
import { createAddressCount } from '../../../src/api/kernel/limits/address-count';
import type { LegalVersions } from '../../../src/store/accounts/links';
import { createStores } from '../../../src/store/create-stores';
import { poolAs } from '../servers/roles';
import { type Answer, NOW } from './api';
import { type Served, serve } from './served';

export interface Browser {
  readonly cookies: Map<string, string>;
  post(path: string, body: object, headers?: Record<string, string>): Promise<Answer>;
  get(path: string): Promise<Answer>;
}

interface SentMail {
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
  /** The token of its link. */
  readonly token: string;
}

/** Statements, hash operations and mails since the count started. */
export interface Work {
  statements: string[];
  hashes: number;
  nudges: number;
}

export interface Owners extends Served {
  /** Without `network`, in a network of its own: one network may open five accounts a day. */
  browser(network?: string): Browser;
  /** Behind the pages, which have no operation for everything. */
  readonly accounts: Accounts;
  /** To this address, oldest first. */
  mails(recipient: string): Promise<readonly SentMail[]>;
  lastMail(recipient: string): Promise<SentMail>;
  workOf(act: () => Promise<unknown>): Promise<Work>;
  /** Signs up and confirms; the browser is signed in. */
  signedUp(email: string, password?: string): Promise<{ readonly browser: Browser; readonly key: string }>;
  /** Failures of DNS by domain; `slow` never answers. Every other domain receives mail. */
  /** The texts change: sign-ups accept these from now on. */
  publish(versions: LegalVersions): void;
  readonly dns: Map<string, 'ENOTFOUND' | 'ENODATA' | 'ESERVFAIL' | 'null MX' | 'slow'>;
}

export const LEGAL: LegalVersions = { terms: '2026-01-02', privacy: '2026-02-03' };

export async function serveOwners(): Promise<Owners> {
  const dns: Owners['dns'] = new Map();
  const versions = { ...LEGAL };
  let work: Work = { statements: [], hashes: 0, nudges: 0 };
  let nowMs = () => Date.parse(NOW);
  let made: Accounts | null = null;
  const pools: Pool[] = [];
  const served = await serve((db) => {
    const pool = poolAs(db, 'racing_api');
    pools.push(pool);
    watchStatements(pool, (text) => work.statements.push(text));
    const stores = createStores(pool);
    const passwords = createPasswords();
    const counted =
      <A extends unknown[], R>(act: (...args: A) => R) =>
      (...args: A) => {
        work.hashes++;
        return act(...args);
      };
    const accounts = createAccounts({
      ...stores,
      passwords: { ...passwords, hash: counted(passwords.hash), verify: counted(passwords.verify) },
      receivesMail: createReceivesMail(resolverOf(dns), 50),
      counts: createAddressCount(null, () => nowMs()),
      random: randomBytes,
      wallMs: () => nowMs(),
      baseUrl: 'https://api.example.com',
      versions,
      mailWritten: () => {
        work.nudges++;
      },
    });
    made = accounts;
    return { accounts, sessions: stores.sessions, keys: stores.keys, usage: stores.usage, trustedProxies: 1 };
  });
  nowMs = () => served.api.now;

  const mails: Owners['mails'] = async (recipient) => {
    const text =
      'SELECT recipient, subject, body FROM mails WHERE recipient = $1 ORDER BY created_at, due_at, xmin::text::bigint';
    const { rows } = await served.db.pool.query(text, [recipient]);
    return rows.map((row) => ({ ...row, token: /\?token=([\w-]+)/.exec(row.body ?? '')?.[1] ?? '' }));
  };
  let networks = 0;
  const ownNetwork = (): string => `198.18.${networks >> 8}.${networks++ & 255}`;
  const browser: Owners['browser'] = (network = ownNetwork()) => newBrowser(served, network);
  const lastMail: Owners['lastMail'] = async (recipient) => (await mails(recipient)).at(-1)!;
  return {
    ...served,
    accounts: made!,
    dns,
    publish: (next) => void Object.assign(versions, next),
    browser,
    mails,
    lastMail,
    async workOf(act) {
      work = { statements: [], hashes: 0, nudges: 0 };
      await act();
      return work;
    },
    async signedUp(email, password) {
      const own = browser();
      await own.post('/v1/signup', { email, terms_accepted: true, ...(password && { password }) });
      const { body } = await own.post('/v1/login/exchange', { token: (await lastMail(email)).token });
      served.api.now += 1000;
      return { browser: own, key: body.api_key };
    },
    async stop() {
      await Promise.all(pools.map((pool) => pool.end()));
      await served.stop();
    },
  };
}

function newBrowser(served: Served, network: string): Browser {
  const cookies = new Map<string, string>();
  const send = async (method: string, path: string, body?: object, more: Record<string, string> = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { 'X-Forwarded-For': network, ...(cookie && { Cookie: cookie }), ...more };
    const answer = await served.api.send(method, path, {
      headers: { ...headers, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value === '') cookies.delete(name!);
      else cookies.set(name!, value!);
    }
    return answer;
  };
  return {
    cookies,
    post: (path, body, headers) => send('POST', path, body, headers),
    get: (path) => send('GET', path),
  };
}

function resolverOf(dns: Owners['dns']) {
  const look = async (domain: string): Promise<void> => {
    const failure = dns.get(domain);
    if (failure === 'slow') await new Promise(() => undefined);
    if (failure !== undefined && failure !== 'null MX') throw Object.assign(new Error(failure), { code: failure });
  };
  return {
    async resolveMx(domain: string) {
      await look(domain);
      return [{ exchange: dns.get(domain) === 'null MX' ? '' : `mx.${domain}` }];
    },
    resolve4: (domain: string) => look(domain).then(() => ['192.0.2.1']),
    resolve6: (domain: string) => look(domain).then(() => []),
  };
}

/** Every statement of the pool, on any connection. */
function watchStatements(pool: Pool, seen: (text: string) => void): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      const [first] = args;
      const text = typeof first === 'string' ? first : (first as { readonly text?: string }).text;
      if (text !== undefined) seen(text);
      return query(...args);
    }) as typeof client.query;
  });
}
