// The OpenAPI 3.1 document, made from the declarations and the table of refusals: nothing in it is written twice.
import { type ErrorCode, PROBLEMS, slugOf } from '../errors';
import { PLANS } from '../plans/plans';
import type { Endpoint } from './endpoint';
import { componentsOf, parametersOf, type Schema, wire } from './openapi-schema';
import { Problem } from './schemas/problem';

const TAGS: Readonly<Record<string, string>> = {
  Racing: 'The live board and what came of it.',
  Health: 'How the service and its collectors are.',
  Sandbox: 'Live samples without a key.',
  Ingest: 'Prices that a book pushes to us. Operators’ keys only.',
};

export function openApiDocument(endpoints: readonly Endpoint[], baseUrl: string): Schema {
  const components = componentsOf();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const one of endpoints) {
    paths[one.path] = { ...paths[one.path], [one.method]: operation(one, components.schemas, baseUrl) };
  }
  const tags = [...new Set(endpoints.map((one) => one.tag))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Racing Odds Service',
      version: '0.1.0',
      description: `Australian racing odds from many bookmakers, with results.\n\n${planTable()}`,
      license: { name: 'Proprietary', url: `${baseUrl}/terms` },
    },
    servers: [{ url: baseUrl }],
    tags: tags.map((name) => ({ name, description: TAGS[name] ?? name })),
    security: [{ ApiKeyAuth: [] }],
    paths,
    components: {
      securitySchemes: {
        ApiKeyAuth: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'Your key. It never travels in the URL.',
        },
      },
      headers: HEADERS,
      schemas: components.schemas,
    },
  };
}

function planTable(): string {
  const rows = PLANS.map((plan) => {
    const price = plan.monthlyPriceAud === null ? 'by agreement' : `A$${plan.monthlyPriceAud}`;
    return `| ${plan.title} | ${price} | ${plan.monthlyCredits} | ${plan.requestsPerMinute} | ${plan.horizonHours} |`;
  });
  const head =
    '| Plan | A month | Credits a month | Requests a minute | Hours ahead |\n| --- | --- | --- | --- | --- |';
  return `${head}\n${rows.join('\n')}`;
}

const HEADERS = {
  RequestId: header('Identifies this call; yours when you sent a UUID or 32 hex digits.', { type: 'string' }),
  ETag: header('Weak tag over what is said, not over how old it is: send it back in `If-None-Match`.', {
    type: 'string',
  }),
  DataAge: header('Age of the oldest quote in the answer, in seconds; also on a 304.', { type: 'integer', minimum: 0 }),
  RetryAfter: header('Seconds to wait.', { type: 'integer', minimum: 0 }),
};

function header(description: string, schema: Schema) {
  return { description, schema };
}

const ref = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

/** Whether answers carry a tag that a caller may send back (D32). */
const isTagged = (one: Endpoint): boolean => one.method === 'get' && !one.neverHeld;

function operation(one: Endpoint, schemas: Record<string, Schema>, baseUrl: string): Schema {
  const notes = [one.description, `Cost: ${one.cost.text}.`, ...(one.gate ? [one.gate.text] : [])];
  return {
    operationId: one.operationId,
    tags: [one.tag],
    summary: one.summary,
    description: notes.join('\n\n'),
    ...(one.auth === 'none' && { security: [] }),
    parameters: [
      ...parametersOf(one.params ?? {}, 'path', schemas),
      ...parametersOf(one.query ?? {}, 'query', schemas),
      ...(isTagged(one) ? [IF_NONE_MATCH] : []),
    ],
    ...(one.body && {
      requestBody: { required: true, content: { 'application/json': { schema: wire(one.body, schemas) } } },
    }),
    responses: { ...success(one, schemas), ...refusals(one, schemas, baseUrl) },
  };
}

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description: 'A tag from an earlier answer to the same question.',
  schema: { type: 'string' },
};

function success(one: Endpoint, schemas: Record<string, Schema>): Schema {
  const common = { 'X-Request-Id': ref('RequestId'), ...gateHeaders(one) };
  const aged = JSON.stringify(one.ok.schema).includes('"data_age_seconds"')
    ? { 'X-Data-Age-Seconds': ref('DataAge') }
    : {};
  const content = { 'application/json': { schema: wire(one.ok.schema, schemas), example: one.ok.example } };
  if (!isTagged(one)) return { 200: { description: one.ok.description, headers: common, content } };
  const headers = { ...common, ETag: ref('ETag'), ...aged };
  return {
    200: { description: one.ok.description, headers, content },
    304: { description: 'Nothing but ages changed since the tag in `If-None-Match`. Free.', headers },
  };
}

function gateHeaders(one: Endpoint): Schema {
  const entries = Object.entries(one.gate?.headers ?? {});
  return Object.fromEntries(entries.map(([name, text]) => [name, header(text, { type: 'integer' })]));
}

/** What this operation may answer beside its success, by status. */
function refusals(one: Endpoint, schemas: Record<string, Schema>, baseUrl: string): Schema {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codesOf(one)) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const rows = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(rows.map(([status, codes]) => [status, refusal(status, codes, schemas, baseUrl)]));
}

function codesOf(one: Endpoint): ErrorCode[] {
  return [
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

function refusal(
  status: number,
  codes: readonly ErrorCode[],
  schemas: Record<string, Schema>,
  baseUrl: string,
): Schema {
  const waits = status === 429 || status === 503;
  return {
    description: codes.map((code) => `${PROBLEMS[code].title} (\`${code}\`).`).join(' '),
    headers: { 'X-Request-Id': ref('RequestId'), ...(waits && { 'Retry-After': ref('RetryAfter') }) },
    content: {
      'application/problem+json': { schema: wire(Problem, schemas), example: exampleProblem(codes[0]!, baseUrl) },
    },
  };
}

function exampleProblem(code: ErrorCode, baseUrl: string): Schema {
  const { status, title } = PROBLEMS[code];
  return {
    type: `${baseUrl}/errors/${slugOf(code)}`,
    title,
    status,
    detail: title,
    code,
    request_id: '8f14e45fceea167a5a36dedd4bea2543',
  };
}
