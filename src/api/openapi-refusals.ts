// What an operation may answer beside its success, by status, from its declaration and the table of refusals: every status that can
// happen is in the document, and none that cannot.
import { type ErrorCode, PROBLEMS } from '../errors';
import type { Endpoint } from './endpoint';
import { gateHeaders, headerRef } from './openapi-headers';
import { type Schema, wire } from './openapi-schema';
import { Problem } from './schemas/problem';
import { exampleProblem } from './schemas/problem-examples';

export function refusals(one: Endpoint, schemas: Record<string, Schema>, baseUrl: string): Schema {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codesOf(one))) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const rows = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(rows.map(([status, codes]) => [status, refusal(one, codes, schemas, baseUrl)]));
}

function codesOf(one: Endpoint): ErrorCode[] {
  return [
    'bad_request',
    ...(one.auth === 'none' ? [] : (['unauthorized'] as const)),
    ...(one.auth === 'internal' ? (['plan_required'] as const) : []),
    ...(one.gate?.errors ?? []),
    ...(one.body ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
    'validation',
    ...(one.perMinutePerIp ? (['rate_limit'] as const) : []),
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
      ...(waits && { 'Retry-After': headerRef('RetryAfter') }),
    },
    content: { 'application/problem+json': { schema: wire(Problem, schemas), examples: examplesOf(codes, baseUrl) } },
  };
}

const examplesOf = (codes: readonly ErrorCode[], baseUrl: string): Schema =>
  Object.fromEntries(
    codes.map((code) => [code, { summary: PROBLEMS[code].title, value: exampleProblem(code, baseUrl) }]),
  );
