// The error responses of an operation, by status, from its declaration and the table of problems: exactly the statuses
// that it can return.
import type { TProperties } from '@sinclair/typebox';
import { type ErrorCode, invalid, PROBLEMS } from '../../errors';
import { PLANS } from '../../plans/plans';
import { type Auth, isKeyed } from '../kernel/endpoint/auth';
import { type Endpoint, isChargedOnce } from '../kernel/endpoint/endpoint';
import { PRIMARY_ONLY } from '../kernel/endpoint/own-account';
import { OPERATORS_ONLY } from '../kernel/endpoint/role';
import { scopeExample } from '../kernel/endpoint/scopes';
import { tooLarge } from '../kernel/input/body';
import { NO_PARAMETERS, queryReader } from '../kernel/input/query';
import { addressOver, KEYLESS_PER_MINUTE, keylessOver } from '../kernel/limits/ip-limit';
import { pushesOver } from '../kernel/limits/push-limit';
import { rateOver } from '../kernel/limits/rate-limit';
import { OWN_PAGES_ONLY } from '../kernel/session/session';
import { OF_PRIMARY_KEY } from '../operations/events/primary-only';
import { Problem } from '../wire/problem-schema';
import { gateHeaders, headerRef } from './headers';
import { isMetered, meteringHeaders } from './metering-headers';
import { exampleProblem, type ProblemExample } from './problem-examples';
import { type Schema, wire } from './schema';

export function refusals(one: Endpoint, schemas: Record<string, Schema>, baseUrl: string): Schema {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codesOf(one))) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const rows = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(rows.map(([status, codes]) => [status, refusal(one, codes, schemas, baseUrl)]));
}

/** For every refusal that an operation declares. */
export function codesOf(one: Endpoint): ErrorCode[] {
  return [
    'bad_request',
    ...(one.auth === 'none' || one.auth === 'signed_link' ? [] : (['unauthorized'] as const)),
    ...(isKeyed(one.auth) || one.auth === 'session_or_key' ? (['ip_not_allowed'] as const) : []),
    ...(isMetered(one) ? (['payment_required'] as const) : []),
    ...(one.auth in REFUSED || isOwnPagesOnly(one) ? (['plan_required'] as const) : []),
    ...(one.gate?.errors ?? []),
    ...(scopeExample(one) ? (['scope_required'] as const) : []),
    ...(one.rowFormats ? (['not_acceptable'] as const) : []),
    ...(one.currentKeyOnly || isChargedOnce(one) ? (['conflict'] as const) : []),
    ...(one.body ? (['request_timeout', 'payload_too_large', 'unsupported_media_type'] as const) : []),
    'validation',
    'rate_limit',
    'internal',
    'unavailable',
    ...(one.errors ?? []),
  ];
}

function refusal(one: Endpoint, codes: readonly ErrorCode[], schemas: Record<string, Schema>, baseUrl: string): Schema {
  const { status } = PROBLEMS[codes[0]!];
  const waits = status === 429 || status === 503;
  const ofGate = codes.some((code) => one.gate?.errors.includes(code)) ? gateHeaders(one, false) : {};
  return {
    description: codes.map((code) => `${PROBLEMS[code].title} (\`${code}\`).`).join(' '),
    headers: {
      'X-Request-Id': headerRef('RequestId'),
      ...ofGate,
      ...meteringHeaders(one, status),
      ...(status === 401 && { 'WWW-Authenticate': headerRef('Authenticate') }),
      ...(waits && { 'Retry-After': headerRef('RetryAfter') }),
    },
    content: {
      'application/problem+json': { schema: wire(Problem, schemas), examples: examplesOf(one, codes, baseUrl) },
    },
  };
}

function examplesOf(one: Endpoint, codes: readonly ErrorCode[], baseUrl: string): Schema {
  const example = (code: ErrorCode) => ({
    summary: PROBLEMS[code].title,
    value: exampleProblem(code, baseUrl, exampleOf(one, code)),
  });
  return Object.fromEntries(codes.map((code) => [code, example(code)]));
}

/** The 403 of each kind of authentication that has one. */
const REFUSED: Readonly<Partial<Record<Auth, string>>> = {
  internal: OPERATORS_ONLY,
  primary_key: PRIMARY_ONLY,
  session: OWN_PAGES_ONLY,
  session_or_key: OWN_PAGES_ONLY,
};

/** A call that signs in, without a session yet. */
const isOwnPagesOnly = ({ auth, ofAccount, method }: Endpoint): boolean =>
  auth === 'none' && ofAccount === true && method !== 'get';

/** The details of this operation's own example. */
function exampleOf(one: Endpoint, code: ErrorCode): ProblemExample {
  if (code === 'validation') return wrongInput(one);
  if (code === 'plan_required')
    return { detail: one.gate?.text ?? (isOwnPagesOnly(one) ? OWN_PAGES_ONLY : REFUSED[one.auth]) ?? OF_PRIMARY_KEY };
  if (code === 'scope_required') return scopeExample(one) ?? {};
  if (code === 'payload_too_large') return { detail: tooLarge(one.bodyBytes) };
  if (code !== 'rate_limit') return {};
  if (one.pushesPerMinute) return { detail: pushesOver(one.pushesPerMinute), retry_after_seconds: 12 };
  if (isKeyed(one.auth)) return { detail: rateOver(PLANS[0]!), retry_after_seconds: 12 };
  const perMinute = one.perMinutePerIp ?? KEYLESS_PER_MINUTE;
  const over = one.perMinutePerIp ? addressOver : keylessOver;
  return { detail: over(perMinute), retry_after_seconds: 12 };
}

/** The problem of an invalid value; if no parameter can have one, of an unknown parameter. */
function wrongInput(one: Endpoint): ProblemExample {
  const query: TProperties = one.query ?? NO_PARAMETERS;
  const name = Object.keys(query).find((each) => query[each]!.type === 'integer' || query[each]!.enum);
  const { problems } = queryReader(query)(name ? `${name}=x` : 'unknown=x');
  const { message, extensions } = invalid(problems.slice(0, 1));
  return { detail: message, ...extensions };
}
