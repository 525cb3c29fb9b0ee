// The OpenAPI 3.1 document, built from the endpoint declarations and the table of problems.
import type { TSchema } from '@sinclair/typebox';
import { PLANS } from '../../plans/plans';
import type { Auth } from '../kernel/endpoint/auth';
import { type Endpoint, isChargedOnce, isTagged } from '../kernel/endpoint/endpoint';
import { USUAL_BODY_BYTES } from '../kernel/input/body';
import { MOST_KEY_CHARACTERS } from '../kernel/input/idempotency-key';
import { sessionCookie } from '../kernel/session/session';
import { conditions, fileResponses, otherMedia } from './files';
import { gateHeaders, HEADERS, headerRef } from './headers';
import { meteringHeaders } from './metering-headers';
import { withExample } from './parameter-examples';
import { refusals } from './refusals';
import { componentsOf, parametersOf, type Schema, wire } from './schema';
import { webhooksOf } from './webhooks';

const TAGS: Readonly<Record<string, string>> = {
  Account: 'Your plan and the use of its credits.',
  Keys: 'Your API keys.',
  Signup: 'A new account.',
  Session: 'Sign-in to the console.',
  Billing: 'What you pay, on pages of Stripe: card data never reaches this service.',
  Bulk: 'Whole days and months as files.',
  Racing: 'The live board, market analysis and results.',
  'Racing Archive': 'Past races for ever: closing lines and how their markets moved.',
  Sports: 'Matches and their prices at every book.',
  Arbitrage: 'Sports prices compared over books.',
  Webhooks: 'Events that are posted to you.',
  Widgets: 'Best prices in pages of your own sites.',
  'Data Quality': 'How fresh the prices are, and audits of them against the bookmakers’ own.',
  Health: 'Status of the service and its connectors.',
  Sandbox: 'Samples of live data without a key.',
  Site: 'Reports about the service itself, without a key.',
  Ingest:
    'Prices that bookmakers push to the service. Operator keys, and keys of one bookmaker, which may call nothing else.',
};

const built = new WeakMap<readonly Endpoint[], Map<string, Schema>>();

/** Built once for the same declarations and address, however many APIs a process has. */
export function openApiDocument(endpoints: readonly Endpoint[], baseUrl: string): Schema {
  const known = built.get(endpoints) ?? new Map<string, Schema>();
  built.set(endpoints, known);
  const document = known.get(baseUrl) ?? buildDocument(endpoints, baseUrl);
  known.set(baseUrl, document);
  return document;
}

function buildDocument(endpoints: readonly Endpoint[], baseUrl: string): Schema {
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
      contact: { name: 'Racing Odds Service', url: baseUrl },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: baseUrl }],
    tags: tags.map((name) => ({ name, description: TAGS[name] ?? name })),
    security: [{ ApiKeyAuth: [] }],
    paths,
    webhooks: webhooksOf(components.schemas),
    components: {
      securitySchemes: {
        ApiKeyAuth: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'Your API key. Never send it in the URL.',
        },
        Session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookie(baseUrl),
          description:
            'A console session of 30 days, set when you sign in. Browsers send it from the pages of the service only.',
        },
      },
      headers: HEADERS,
      schemas: components.schemas,
    },
  };
}

const BY_KEY = { ApiKeyAuth: [] };
const BY_SESSION = { Session: [] };

const SECURITY: Readonly<Record<Auth, readonly object[]>> = {
  key: [BY_KEY],
  primary_key: [BY_KEY],
  internal: [BY_KEY],
  session: [BY_SESSION],
  session_or_key: [BY_SESSION, BY_KEY],
  signed_link: [],
  none: [],
};

const ABOUT = [
  'Australian racing odds from many bookmakers, collected live and compared, with results.',
  '**Authentication.** Send your key in the `X-API-Key` header; the sandbox needs none. Only a 200 is charged: errors and 304 ' +
    'responses are free.',
  '**Accounts.** `POST /v1/signup` mails a link to your address. The page that it opens creates the account and shows its key, once: keys are ' +
    'stored as a hash. `POST /v1/keys/resend` mails a link to a new key if you lose it. You sign in to the console with a password, or with a ' +
    'mailed link; both start a session of 30 days. Every answer about an address is the same whether it has an account or not.',
  '**Browsers.** Scripts of every origin may call these operations (CORS): send the key in its header, without credentials. A key in ' +
    'a public page is readable by everyone: call from your own server, or with a key of its own.',
  '**Keys.** A key is shown once, when it is made: only its hash is stored. Rotate it with `POST /v1/keys/rotate`, restrict it to your addresses with ' +
    '`POST /v1/keys/ip-whitelist`, and on Business and above give each of your programs a key of its own with `POST /v1/keys/team`. ' +
    'The rights of a key follow its plan, and what an older key was sold stays with its replacements.',
  '**Limits.** Each key may send the requests per minute of its plan: no 60 seconds have more. Every response to a key reports what is left, in ' +
    '`X-RateLimit-*` and in `RateLimit`. A request beyond is a 429; errors count as requests too. What is free (HEAD, 304s and refusals) has a ' +
    'limit of its own, by the work that it makes; calls that cost credits are answered all the same.',
  '**Credits.** Each account has the credits of its plan for every UTC month; all its keys share them. A call costs what its operation states, is ' +
    'charged once and only if it is a 200; `X-Credits-*` report what is left, on refusals too. Without enough credits it is a 402 that names the plan ' +
    'that your use needs. Answers to HEAD, 304s and errors are free.',
  '**Plans.** The owner of an account buys and changes plans on pages of Stripe, by the month, or by the year for the price of ten months: ' +
    '`POST /v1/billing/upgrade-link`. Credits reset every month all the same. An upgrade counts at once, a lower plan or a cancellation from the ' +
    'end of the paid period. If a payment fails, the plan stays for at most 30 days after the first unpaid invoice.',
  '**Time.** Every instant is UTC; meeting days are days in Australia/Sydney. Prices carry their age. An unknown value is ' +
    '`null`, never 0.',
  '**Lists** are one comma-separated value: `country=AU,NZ`. A request with an unknown parameter is refused.',
  '**Webhooks.** Events are posted to your address, signed by the rules of Standard Webhooks: `POST /v1/webhooks` creates a webhook, and `webhooks` of ' +
    'this document has the body of each event. An event is sent at least once: recognise duplicates by `id`, and order the events of a race by ' +
    '`sequence`. `GET /v1/webhooks/events` lists those of the last 30 days.',
  '**Errors** are `application/problem+json`: branch on `code`, show `detail` to people; `type` is the address of a page about the ' +
    'problem. After a 429 or 503, wait for the ' +
    'seconds in `Retry-After`.',
  '**Polling.** Send the `ETag` of a response back as `If-None-Match`. If nothing but ages has changed, the response is an ' +
    'empty 304.',
  '**HEAD** of a file or of what belongs to your account has the headers of GET. Of any other operation it checks key, limits, parameters and plan ' +
    'alone: it has no `ETag`, and is a 200 also where GET finds nothing.',
  '**Changes.** Changes are additive: new fields are optional, new CSV columns come last, and an address that is retired answers 410. Every change ' +
    'that you can see has its date in the changelog: `/changelog`, also as a JSON feed (`/changelog.json`) and as RSS (`/changelog.xml`). This document is ' +
    'also served as YAML (`/openapi.yaml`).',
].join('\n\n');

function planTable(): string {
  const rows = PLANS.map((plan) => {
    const price = plan.monthlyPriceAud === null ? 'by agreement' : `A$${plan.monthlyPriceAud}`;
    const [credits, requests] = [plan.monthlyCredits, plan.requestsPerMinute].map((one) => one.toLocaleString('en-AU'));
    return `| ${plan.title} | ${price} | ${credits} | ${requests} | ${plan.horizonHours} |`;
  });
  const head =
    '| Plan | Price per month | Credits per month | Requests per minute | Hours ahead |\n| --- | --- | --- | --- | --- |';
  return `${head}\n${rows.join('\n')}`;
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  schema: { type: 'string', pattern: '^[!-~]+$', maxLength: MOST_KEY_CHARACTERS },
};

const MADE_ONCE = 'Of your choice, such as a UUID. The same request under the same key is made once.';
/** D68. */
const CHARGED_ONCE =
  'Of your choice, such as a UUID, to send a call again whose response did not arrive: three calls of one request under one key ' +
  'within 60 seconds are charged once. Each is answered anew and counts for the rate limit. Another request under the key is a free 409. ' +
  'Streams of rows and HEAD ignore it.';

function idempotencyKey(one: Endpoint): Schema[] {
  if (one.idempotencyKey) return [{ ...IDEMPOTENCY_KEY, description: MADE_ONCE }];
  return isChargedOnce(one) ? [{ ...IDEMPOTENCY_KEY, description: CHARGED_ONCE }] : [];
}

function operation(one: Endpoint, schemas: Record<string, Schema>, baseUrl: string): Schema {
  const notes = [one.description, `Cost: ${one.cost.text}.`, ...(one.gate ? [one.gate.text] : [])];
  return {
    operationId: one.operationId,
    tags: [one.tag],
    summary: one.summary,
    description: notes.join('\n\n'),
    'x-credits': one.cost.constant ?? { text: one.cost.text },
    security: SECURITY[one.auth],
    parameters: [
      ...parametersOf(one.params ?? {}, 'path', schemas),
      ...parametersOf(one.query ?? {}, 'query', schemas),
      ...conditions(one),
      ...idempotencyKey(one),
    ].map((parameter) => withExample(one.operationId, parameter)),
    ...(one.body && { requestBody: bodyOf(one, one.body, schemas) }),
    responses: { ...success(one, schemas), ...refusals(one, schemas, baseUrl) },
  };
}

function bodyOf(
  { bodyBytes = USUAL_BODY_BYTES, bodyOptional }: Endpoint,
  body: TSchema,
  schemas: Record<string, Schema>,
): Schema {
  const [example] = body.examples ?? [];
  const media = { schema: wire(body, schemas), ...(example !== undefined && { example }) };
  const description = `At most ${bodyBytes} bytes. May be compressed: \`Content-Encoding\` gzip, deflate or br.`;
  return { description, required: bodyOptional !== true, content: { 'application/json': media } };
}

const EVENTS = 'text/event-stream';

/** The media types with the schema of the response. */
function mediaOf({ ok, sendsEvents }: Endpoint, schemas: Record<string, Schema>): Schema {
  const media = { schema: wire(ok.schema, schemas), example: ok.example };
  const types = sendsEvents ? [EVENTS, ...(ok.types ?? [])] : ['application/json'];
  return Object.fromEntries(types.map((type) => [type, media]));
}

function success(one: Endpoint, schemas: Record<string, Schema>): Schema {
  const headers = {
    'X-Request-Id': headerRef('RequestId'),
    ...gateHeaders(one),
    ...(isTagged(one) && { ETag: headerRef(one.streamed ? 'StreamETag' : 'ETag') }),
    ...(isAged(one) && { 'X-Data-Age-Seconds': headerRef('DataAge') }),
    ...(one.paged && { Link: headerRef('Link') }),
    ...(one.rowFormats && { 'X-Total-Rows': headerRef('TotalRows'), 'X-Rows-Offset': headerRef('RowsOffset') }),
  };
  if (one.servesFile) return fileResponses(one, headers);
  const content = {
    ...mediaOf(one, schemas),
    ...(!one.sendsEvents && otherMedia(one.ok)),
  };
  return {
    [one.ok.status ?? 200]: {
      description: one.ok.description,
      headers: { ...headers, ...meteringHeaders(one, 200) },
      content,
    },
    ...(one.redirects && {
      303: { description: one.redirects, headers: { ...headers, Location: headerRef('Location') } },
    }),
    ...(isTagged(one) && {
      304: {
        description: 'Nothing but ages has changed since the `ETag` in `If-None-Match`. Free.',
        headers: { ...headers, ...meteringHeaders(one, 304) },
      },
    }),
  };
}

/** Whether the response may have an age header. */
const isAged = (one: Endpoint): boolean =>
  /"(data_age_seconds|as_of|scraped_at|fetched_at)"/.test(JSON.stringify(one.ok.schema));
