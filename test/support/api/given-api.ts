// An API process made of the parts that a test provides. Omitted parts do nothing, or fail when called.
import type Koa from 'koa';
import { NO_BILLING } from '../../../src/accounts/billing/billing';
import { type ApiDeps, createApi } from '../../../src/api/app';
import type { Meter } from '../../../src/api/kernel/endpoint/meter';
import { BOUNDS } from '../../../src/api/kernel/http/response/response-cache';
import { STALLED_AFTER_MS } from '../../../src/api/kernel/http/response/streamed';
import { createLargeBodies } from '../../../src/api/kernel/input/large/large-bodies';
import { createAddressCount } from '../../../src/api/kernel/limits/address-count';
import { KEYLESS_PER_MINUTE } from '../../../src/api/kernel/limits/ip-limit';
import { createKeyCount } from '../../../src/api/kernel/limits/key-count';
import { NO_REFUSED_CALLS } from '../../../src/api/kernel/refusals/refused-calls';
import { NO_WORK_LIMITS } from '../../../src/api/kernel/work/work-limits';
import { type ApiDocuments, createApiDocuments } from '../../../src/api/openapi/documents';
import { ENDPOINTS } from '../../../src/api/operations';
import { createBoardFeed } from '../../../src/api/operations/changes/board-feed';
import { NO_FORM_READER } from '../../../src/api/operations/form/form-reader';
import { NO_AUDIT_RUNNER } from '../../../src/api/operations/quality/audit-runner';
import { createPushAudit, NO_PUSH_AUDIT, type PushAuditDeps } from '../../../src/api/operations/quality/push-audit';
import { WALL_PACE } from '../../../src/api/operations/replay/paced';
import { createParts, type Parts, type PartsDeps } from '../../../src/api/parts';
import { type StreamBounds, streamDepsOf } from '../../../src/api/stream-options';
import { REAL_TIME } from '../../../src/domain/time/clock';
import { ownOrigins } from '../../../src/own-origin';
import { NO_KEY_CHANGES } from '../../../src/store/keys/key-changes';
import type { AddressBudget } from '../../../src/store/redis/address-budget';
import type { KeyLimit } from '../../../src/store/redis/key-limit';
import type { PaidPlays } from '../../../src/store/redis/paid-plays';
import { createSharedAnswers } from '../../../src/store/redis/shared-answers';
import type { StreamLeases } from '../../../src/store/redis/stream-leases';
import { SIGNER } from '../manifests';

type Needed = 'reads' | 'keys' | 'now' | 'baseUrl' | 'log';
type Whole = PartsDeps & Omit<ApiDeps, 'parts' | 'reads' | 'streams'>;

export type GivenApi = Pick<Whole, Needed> &
  Partial<Whole> & {
    /** Replaces limits and charges. */
    readonly meter?: Meter;
    readonly pushAudits?: Pick<PushAuditDeps, 'audits' | 'warn'>;
    /** Counts calls by address, for all API processes. */
    readonly addressBudget?: AddressBudget;
    /** Counts the requests of keys, for this many API processes. */
    readonly keyLimit?: KeyLimit;
    readonly processes?: () => number;
    readonly streamLeases?: StreamLeases;
    readonly paidPlays?: PaidPlays;
    readonly streamBounds?: StreamBounds;
    readonly stopping?: AbortSignal;
    /** The pages over the parts of this API. */
    readonly pagesOver?: (parts: Parts, documents: ApiDocuments) => ApiDeps['pages'];
  };

/** Every method rejects. */
const absent = <T extends object>(what: string): T =>
  new Proxy({} as T, { get: () => () => Promise.reject(new Error(`this API has no ${what}`)) });

const NO_SESSIONS: PartsDeps['sessions'] = {
  find: async () => null,
  start: () => Promise.reject(new Error('this API has no sessions')),
  beganAfter: async () => false,
  remove: async () => {},
  removeAll: async () => {},
};
const NO_FILES: PartsDeps['bulk']['manifest'] = {
  ...absent<PartsDeps['bulk']['manifest']>('bulk files'),
  list: async () => ({ total: 0, files: [] }),
  find: async () => null,
  manifest: async () => null,
};

function partsOf(given: GivenApi): Parts {
  const { reads, clock = REAL_TIME, wallMs = Date.now, elapsedMs = () => performance.now(), keyLimit, meter } = given;
  const { pushAudits, addressBudget = null } = given;
  const log = { warn: () => {}, info: () => {}, ...given.log };
  const parts = createParts({
    keyChanges: NO_KEY_CHANGES,
    keyStores: {
      keyReplacement: absent('keys to replace'),
      teamKeys: absent('team keys'),
      newAccounts: absent('accounts to open'),
    },
    ingest: absent('store to push to'),
    sportIngest: absent('store of sports'),
    pushAudit: pushAudits ? createPushAudit({ ...pushAudits, reads, wallMs }) : NO_PUSH_AUDIT,
    health: absent('health store'),
    usage: absent('usage'),
    sessions: NO_SESSIONS,
    accounts: absent('accounts'),
    mailWritten: () => {},
    billing: NO_BILLING,
    referrals: absent('referrals'),
    formReader: NO_FORM_READER,
    auditRunner: NO_AUDIT_RUNNER,
    backfills: { store: absent('backfill jobs'), start: () => {}, random: () => 0 },
    webhooks: absent('webhooks'),
    widgets: absent('widgets'),
    bulk: { manifest: NO_FILES, files: absent('files'), keys: SIGNER.publicKeys },
    boardFeed: createBoardFeed({ ...given, log, clock }),
    playClock: WALL_PACE,
    sharedAnswers: createSharedAnswers(null, 'alone'),
    addresses: createAddressCount(addressBudget),
    keylessPerMinute: KEYLESS_PER_MINUTE,
    keyCount: keyLimit ? createKeyCount(keyLimit, given.processes) : null,
    charger: null,
    balances: null,
    betslipTemplates: {},
    ownOrigins: ownOrigins(given.baseUrl),
    clock,
    wallMs,
    elapsedMs,
    responsesCachedMs: BOUNDS.cachedMs,
    ...given,
  });
  return meter ? { ...parts, meter } : parts;
}

export function apiOf(given: GivenApi): Koa {
  const {
    wallMs = Date.now,
    elapsedMs = () => performance.now(),
    log,
    baseUrl,
    streamLeases = null,
    paidPlays = null,
  } = given;
  const stopping = given.stopping ?? new AbortController().signal;
  const endpoints = given.endpoints ?? ENDPOINTS;
  const parts = partsOf(given);
  const documents = createApiDocuments(endpoints, baseUrl);
  return createApi({
    endpoints,
    documents,
    work: NO_WORK_LIMITS,
    isJudged: () => true,
    judgeLarge: createLargeBodies(),
    wallMs,
    trustedProxies: 0,
    stalledAfterMs: STALLED_AFTER_MS,
    cutOff: new AbortController().signal,
    responsesCachedMs: BOUNDS.cachedMs,
    pages: given.pagesOver?.(parts, documents) ?? null,
    site: null,
    missingPage: null,
    securityContact: null,
    refusals: NO_REFUSED_CALLS,
    ownOrigins: ownOrigins(baseUrl),
    ...given,
    parts,
    streams: streamDepsOf(
      { leases: streamLeases, plays: paidPlays, stopping, wallMs, elapsedMs, log, baseUrl },
      given.streamBounds,
    ),
  });
}
