// Accounts for principals, in the database that the API reads: one with keys, an owner and a session, and things that
// are created once a request names them.
import { randomBytes, randomUUID } from 'node:crypto';
import { hashToken } from '../../../../src/accounts/token';
import { base32, publicKeyId } from '../../../../src/plans/key-id';
import { createStores } from '../../../../src/store/create-stores';
import { hashApiKey } from '../../../../src/store/keys/keys';
import type { TestDatabase } from '../../servers/database';
import { NOW, newKey } from '../api';
import type { Principal } from './principals';

/** Fills a placeholder with the id of a thing that the account owns, which is created when first named. */
type Owned = Readonly<Record<'widget_id' | 'webhook_id' | 'job_id' | 'key_id' | 'delivery_id', () => Promise<string>>>;

export interface Subject {
  readonly accountId: string;
  readonly email: string;
  /** Names the key that the request sends. */
  readonly keyId: string;
  /** The address of the request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly owned: Owned;
  /** The token of a mailed link of the account. */
  link(purpose: 'login' | 'reset'): Promise<string>;
}

export const PASSWORD = 'seven horses drank at noon';
const LATER = '2026-11-21T15:00:00.000Z';
const BEFORE = '2026-11-20T15:00:00.000Z';
const ISSUED = { old: '2026-09-10T00:00:00.000Z', now: '2026-11-01T00:00:00.000Z' };
/** The credits of a whole month. */
const CREDITS: Readonly<Record<string, number>> = { free: 3_000, platform: 1_500_000 };

const ACCOUNT = `
  WITH made AS (INSERT INTO accounts (account_id, plan, created_at) VALUES ($1, $2, $3)),
       signed_in AS (INSERT INTO sessions (token_hash, account_id, created_at, expires_at) VALUES ($6, $1, $3, $7))
  INSERT INTO account_owners (account_id, email, email_key, verified_at, terms_accepted_at, password_hash) VALUES ($1, $4, $4, $3, $3, $5)`;

const KEY = `
  INSERT INTO api_keys (key_hash, last4, label, plan, role, bookmaker_key, issued_at, account_id, key_id, is_primary, scopes, allowed_addresses, revoked_at, expires_at)
  VALUES ($1, $2, 'test', '', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

const LINK = `
  INSERT INTO mailed_links (token_hash, purpose, account_id, email, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)`;

const DELIVERY = `
  WITH e AS (
    INSERT INTO events (kind, occurred_at, facts, fanned_at, sequence, body) VALUES ('race.result', $2, '{}', $2, 1, '{}') RETURNING event_id, kind, written
  ) INSERT INTO webhook_deliveries (webhook_id, event_id, kind, written, status, created_at, delivered_at, settled_at)
    SELECT $1, event_id, kind, written, 'delivered', $2, $2, $2 FROM e RETURNING delivery_id AS id`;

/** `passwordHash`: the hash of `PASSWORD`. */
export function createSubjects({ pool }: TestDatabase, passwordHash: string) {
  const stores = createStores(pool);
  let jobs = 0;

  async function addKey(who: Principal, accountId: string, isSent: boolean, isPrimary: boolean) {
    const key = newKey();
    const keyId = randomUUID();
    const ofSent = {
      role: who.role,
      book: who.book,
      scopes: isPrimary ? null : who.scopes,
      addresses: who.isElsewhere ? ['203.0.113.0/24'] : [],
      revokedAt: who.key === 'revoked' ? NOW : null,
      expiresAt: who.key === 'ended' ? BEFORE : who.key === 'replaced' ? LATER : null,
    };
    const ofOther = { role: 'customer', book: null, scopes: null, addresses: [], revokedAt: null, expiresAt: null };
    const { role, book, scopes, addresses, revokedAt, expiresAt } = isSent ? ofSent : ofOther;
    const issuedAt = who.isOld ? ISSUED.old : ISSUED.now;
    const ofKey = [hashApiKey(key), key.slice(-4), role, book, issuedAt, accountId, keyId, isPrimary];
    await pool.query(KEY, [...ofKey, scopes, addresses, revokedAt, expiresAt]);
    return { key, keyId };
  }

  async function spend(key: string, plan: string): Promise<void> {
    const cost = CREDITS[plan]!;
    const line = { id: randomUUID(), keyHash: hashApiKey(key), epoch: 0, endpoint: 'before', cost };
    const [charged] = await stores.credits.charge([
      { ...line, allowance: cost, overage: 0, period: '2026-11-01', at: NOW },
    ]);
    if (charged?.verdict !== 'charged') throw new Error(`the credits of ${plan} were not charged`);
  }

  const jobOf = async (accountId: string, keyId: string): Promise<string> => {
    const jobId = `bf_20261121_${String(++jobs).padStart(6, '0')}`;
    const horses = [{ input: 'Gold Trip', key: 'goldtrip', name: 'Gold Trip', refs: ['ra:1002'], pageRef: null }];
    const times = { at: NOW, repeatedSince: NOW, repeated: 0 };
    const order = { jobId, accountId, keyId, price: 3, label: null, request: '0'.repeat(64), notFound: [] };
    await stores.backfill.submit({ ...order, ...times, horses });
    return jobId;
  };

  const webhookOf = async (accountId: string): Promise<string> => {
    const webhookId = `wh_${randomBytes(6).toString('hex')}`;
    const filters = { events: [], sports: [], countries: [], venues: [], bookmakers: [] };
    const draft = { webhookId, accountId, url: 'https://93.184.216.34/odds', secret: 'whsec_x', ...filters };
    await stores.ownedWebhooks.create({ ...draft, minEdgePct: null, minMovePct: null }, NOW, 100);
    return webhookId;
  };

  const widgetOf = async (accountId: string): Promise<string> => {
    const id = base32(randomBytes(16).toString('hex'));
    const shows = { type: 'racing', categories: [], countries: [], races: 1 } as const;
    const look = { title: null, accent: '#0055aa', theme: 'auto', paused: false, shows } as const;
    const bounds = { maxFillsPerHour: 10, maxFillsPerMonth: null, linkTemplates: {}, bookmakers: [] };
    const draft = { name: 'x', allowedOrigins: ['https://www.example.com'], ...bounds, ...look };
    await stores.ownedWidgets.create(
      { ...draft, widgetId: `wg_${id}`, embedId: `we_${id}`, accountId, once: null },
      NOW,
      10,
    );
    return `wg_${id}`;
  };

  return async function createSubject(who: Principal): Promise<Subject> {
    const accountId = randomUUID();
    const email = `${accountId}@example.com`;
    const session = randomBytes(32).toString('base64url');
    const since = who.isOld ? ISSUED.old : ISSUED.now;
    const ends = who.session === 'ended' ? BEFORE : LATER;
    await pool.query(ACCOUNT, [accountId, who.plan, since, email, passwordHash, hashToken(session), ends]);
    const primary = await addKey(who, accountId, who.isPrimary, true);
    const team = who.hasTeam ? await addKey(who, accountId, !who.isPrimary, false) : null;
    const sent = who.isPrimary ? primary : team!;
    if (who.isSpent) await spend(sent.key, who.plan);
    const webhook = once(() => webhookOf(accountId));
    return {
      accountId,
      email,
      keyId: sent.keyId,
      headers: headersOf(who, sent.key, session),
      owned: {
        widget_id: once(() => widgetOf(accountId)),
        webhook_id: webhook,
        delivery_id: once(async () => (await pool.query(DELIVERY, [await webhook(), NOW])).rows[0].id),
        job_id: once(() => jobOf(accountId, sent.keyId)),
        // Without a team there is no team key to name.
        key_id: async () => publicKeyId((team ?? primary).keyId),
      },
      async link(purpose) {
        const token = randomBytes(32).toString('base64url');
        await pool.query(LINK, [hashToken(token), purpose, accountId, email, NOW, LATER]);
        return token;
      },
    };
  };
}

function headersOf(who: Principal, key: string, session: string): Record<string, string> {
  const kept = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
  const sent = { none: null, mistyped: kept, 'never issued': newKey() }[who.key as string];
  const header = sent === undefined ? key : sent;
  const site = who.isForeignPage ? 'https://evil.example' : 'https://api.example.com';
  return {
    ...(header !== null && { 'X-API-Key': header }),
    ...(who.session !== 'none' && { Cookie: `__Host-session=${session}` }),
    ...((who.isForeignPage || who.session !== 'none') && { Origin: site }),
  };
}

/** Created when first named. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
