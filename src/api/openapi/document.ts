// The OpenAPI 3.1 document, made from the declarations and the table of refusals: nothing in it is written twice.
import type { TSchema } from '@sinclair/typebox';
import { PLANS } from '../../plans/plans';
import type { Endpoint } from '../endpoint';
import { gateHeaders, HEADERS, headerRef } from './headers';
import { refusals } from './refusals';
import { componentsOf, parametersOf, type Schema, wire } from './schema';

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
      description: `${ABOUT}\n\n${planTable()}`,
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

const ABOUT = [
  'Australian racing odds from many bookmakers, collected live and compared, with results.',
  '**Key.** Send it as `X-API-Key`; the sandbox needs none. Only a 200 is charged: what is refused, and a 304, is free.',
  '**Time.** Every instant is UTC. Every figure says how old it is; unknown is `null`, never 0.',
  '**Lists** are one comma-joined value: `country=AU,NZ`. A parameter that an operation does not have is refused.',
  '**Refusals** are `application/problem+json`: branch on `code`, read `detail`. After a 429 or a 503, wait for `Retry-After`.',
  '**Polling.** Send the `ETag` of an answer back as `If-None-Match`: while nothing but ages changed, the answer is an empty 304.',
].join('\n\n');

function planTable(): string {
  const rows = PLANS.map((plan) => {
    const price = plan.monthlyPriceAud === null ? 'by agreement' : `A$${plan.monthlyPriceAud}`;
    const [credits, requests] = [plan.monthlyCredits, plan.requestsPerMinute].map((one) => one.toLocaleString('en-AU'));
    return `| ${plan.title} | ${price} | ${credits} | ${requests} | ${plan.horizonHours} |`;
  });
  const head =
    '| Plan | A month | Credits a month | Requests a minute | Hours ahead |\n| --- | --- | --- | --- | --- |';
  return `${head}\n${rows.join('\n')}`;
}

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
    ...(one.body && { requestBody: { required: true, content: { 'application/json': bodyOf(one.body, schemas) } } }),
    responses: { ...success(one, schemas), ...refusals(one, schemas, baseUrl) },
  };
}

function bodyOf(body: TSchema, schemas: Record<string, Schema>): Schema {
  const [example] = body.examples ?? [];
  return { schema: wire(body, schemas), ...(example !== undefined && { example }) };
}

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description: 'A tag from an earlier answer to the same question.',
  schema: { type: 'string' },
};

function success(one: Endpoint, schemas: Record<string, Schema>): Schema {
  const headers = {
    'X-Request-Id': headerRef('RequestId'),
    ...gateHeaders(one),
    ...(isTagged(one) && { ETag: headerRef('ETag') }),
    ...(isAged(one) && { 'X-Data-Age-Seconds': headerRef('DataAge') }),
  };
  const content = { 'application/json': { schema: wire(one.ok.schema, schemas), example: one.ok.example } };
  return {
    200: { description: one.ok.description, headers, content },
    ...(isTagged(one) && {
      304: { description: 'Nothing but ages changed since the tag in `If-None-Match`. Free.', headers },
    }),
  };
}

/** Whether the answer may say how old what it says is. */
const isAged = (one: Endpoint): boolean => /"(data_age_seconds|as_of)"/.test(JSON.stringify(one.ok.schema));
