// One attempt to deliver a webhook (D29, D55, D60): a POST to an address that is checked on connection, 15 s in all, no
// redirect, and nothing of the response but its status and Retry-After. Never rejects because of a receiver. A result
// names no address and no secret.
import { setImmediate } from 'node:timers/promises';
import { rootCertificates } from 'node:tls';
import { Agent } from 'undici';
import { urlProblem } from './address/check-url';
import { createGuardedLookup } from './address/guarded-lookup';
import type { AddressRules } from './address/public-address';
import { createResolver, type Resolver } from './address/resolver';
import { exchange, LATE } from './exchange';
import { type Answer, failureText, judge } from './outcome';
import { type Secrets, signatureHeaders } from './signature';

export interface Attempt {
  readonly url: string;
  readonly eventId: string;
  readonly kind: string;
  readonly body: string;
  /** The current one first; the older header uses the last. */
  readonly secrets: Secrets;
  /** Wall clock. */
  readonly at: Date;
}

export interface AttemptResult {
  readonly delivered: boolean;
  /** Null: there was no response. */
  readonly statusCode: number | null;
  /** Plain and short; null if it was delivered. */
  readonly error: string | null;
  readonly durationMs: number;
  /** The wait that the receiver requests, at most 24 hours; null: none. */
  readonly retryAfterMs: number | null;
  /** 410: the receiver wants no more, if it answers so again. */
  readonly gone: boolean;
  /** 429, 502, 504 or Retry-After: the endpoint's other deliveries should wait too. */
  readonly slow: boolean;
}

export interface Sender {
  send(attempt: Attempt): Promise<AttemptResult>;
  /** Attempts in progress continue to their end. */
  close(): Promise<void>;
}

export interface SenderSettings extends AddressRules {
  /** A certificate authority that is trusted beside the usual ones, in PEM. */
  readonly ca?: string;
  /** Default: the resolver of this machine, 3 s. */
  readonly resolve?: Resolver;
  /** Monotonic. */
  elapsedMs(): number;
  /** For a whole attempt, including name resolution and connection. Default 15 s. */
  readonly patienceMs?: number;
  /** For the body of a response, whose status has already decided. Default 1 s. */
  readonly bodyPatienceMs?: number;
}

const PATIENCE_MS = 15_000;
const BODY_PATIENCE_MS = 1000;

export function createSender(settings: SenderSettings): Sender {
  const {
    ca,
    resolve = createResolver(),
    elapsedMs,
    patienceMs = PATIENCE_MS,
    bodyPatienceMs = BODY_PATIENCE_MS,
  } = settings;
  const agent = new Agent({
    // An endpoint's slots decide how many posts it gets at once: many endpoints may share a host.
    connections: null,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    keepAliveMaxTimeout: 60_000,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16_384,
    connect: {
      timeout: patienceMs,
      lookup: createGuardedLookup(settings, resolve),
      ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
    },
  });

  const post = async ({ url, eventId, kind, body, secrets, at }: Attempt): Promise<Answer> => {
    const { origin, pathname, search } = new URL(url);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'racing-odds-webhooks/1',
      'x-puntersedge-event': kind,
      ...signatureHeaders({ id: eventId, at, body }, secrets),
    };
    const request = { origin, path: pathname + search, method: 'POST', headers, body } as const;
    const answer = await exchange(agent, request, { headMs: patienceMs, bodyMs: bodyPatienceMs });
    // From the next turn of the event loop on, its connection is free.
    await setImmediate();
    return answer;
  };

  return {
    async send(attempt) {
      const startedMs = elapsedMs();
      const timed = (result: Omit<AttemptResult, 'durationMs'>): AttemptResult => ({
        ...result,
        durationMs: Math.round(elapsedMs() - startedMs),
      });
      const problem = urlProblem(attempt.url, settings);
      if (problem !== null) return timed(failed(`The URL is not allowed: ${problem}.`));
      try {
        return timed(judge(await post(attempt), attempt.at));
      } catch (error) {
        return timed(failed(failureText(error, error === LATE)));
      }
    },
    close: () => agent.close(),
  };
}

const failed = (error: string) => ({
  delivered: false,
  statusCode: null,
  error,
  retryAfterMs: null,
  gone: false,
  slow: false,
});
