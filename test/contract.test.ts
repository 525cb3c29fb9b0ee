// Compares the declared operations with the contract's list (A 4, B 4), both ways: the whole list is served, nothing
// undeclared is served, and no declaration differs from the list.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../src/api/openapi/document';
import { codesOf } from '../src/api/openapi/refusals';
import { ENDPOINTS } from '../src/api/operations';
import { ACCOUNT_TYPES, NODE_HEADERS, NODE_MEMBERS } from './fixtures/node-client';

interface Listed {
  readonly operation: string;
  readonly tag: string;
  readonly credits: string;
  readonly auth: string;
  /** What a plan must allow, as text; empty: nothing. */
  readonly gate: string;
}

function contractList(): Listed[] {
  const [, ...lines] = readFileSync(join(__dirname, 'fixtures/operations.tsv'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [method, path, tag, credits, auth, gate] = line.split('\t');
    // HEAD is answered wherever GET is (D4).
    return {
      operation: `${method!.replace('GET, HEAD', 'GET')} ${path}`,
      tag: tag!,
      credits: credits!,
      auth: auth!,
      gate: gate!,
    };
  });
}

/** Documents, pages and retired addresses are not operations: test/web/site.test.ts sends requests to each. */
const UNDECLARED = new Set(['Site', 'Retired']);

/** Operations beyond the contract's, in the same terms: nothing else may be served. */
const ADDITIONS: readonly Listed[] = [
  ['PATCH /v1/webhooks/{webhook_id}', 'own'],
  ['POST /v1/webhooks/{webhook_id}/secret/rotate', 'own'],
  ['POST /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay', 'D13'],
  ['POST /v1/webhooks/{webhook_id}/replay', 'D13'],
  ['GET /v1/webhooks/events', 'D13'],
].map(([operation, gate]) => ({ operation: operation!, tag: 'Webhooks', credits: '0', auth: 'key', gate: gate! }));
const STREAM: Listed = {
  operation: 'GET /v1/racing/changes/stream',
  tag: 'Racing',
  auth: 'key',
  credits: '2 for each started minute',
  gate: 'Standard and above',
};

const REPLAY: Listed = {
  operation: 'GET /v1/racing/replay',
  tag: 'Racing',
  auth: 'key',
  credits: '5 for each race and started hour',
  gate: 'Plus and above',
};

const EVENT_ODDS: Listed = {
  operation: 'GET /v1/sports/{sport_key}/events/{event_id}/odds',
  tag: 'Sports',
  auth: 'key',
  credits: '1 per market',
  gate: '',
};

const MANIFESTS: readonly Listed[] = [
  {
    operation: 'GET /v1/bulk/{dataset}/{period}/manifest',
    tag: 'Bulk',
    auth: 'key',
    credits: '0',
    gate: 'Business and above',
  },
  { operation: 'GET /v1/bulk/keys', tag: 'Bulk', auth: 'none', credits: '0', gate: '' },
];

const inContract = contractList();
const listed = [...inContract, ...ADDITIONS, STREAM, REPLAY, EVENT_ODDS, ...MANIFESTS];
function listedAs(operation: string): Listed {
  const one = listed.find((row) => row.operation === operation);
  if (one) return one;
  throw new Error(`${operation} is neither in test/fixtures/operations.tsv nor among the additions of this file`);
}
const declared = ENDPOINTS.map((e) => `${e.method.toUpperCase()} ${e.path}`);

test('the contract lists 113 operations, each once', () => {
  expect(inContract).toHaveLength(113);
  expect(new Set(listed.map((one) => one.operation)).size).toBe(listed.length);
});

test('every operation of the contract is served', () => {
  const missing = listed.filter(({ tag, operation }) => !UNDECLARED.has(tag) && !declared.includes(operation));
  expect(missing.map(({ operation }) => operation)).toEqual([]);
});

test.each(ENDPOINTS.map((e) => [`${e.method.toUpperCase()} ${e.path}`, e] as const))(
  '%s is in the contract or a named addition, with its tag and its authentication',
  (operation, endpoint) => {
    const one = listedAs(operation);
    expect({ tag: endpoint.tag, auth: endpoint.auth }).toEqual({ tag: one.tag, auth: one.auth.replaceAll(' ', '_') });
    expect(endpoint.cost.text).not.toBe('');
  },
);

test.each(ENDPOINTS.map((e) => [`${e.method.toUpperCase()} ${e.path}`, e] as const))(
  '%s declares its cost, its gate and its errors',
  (operation, endpoint) => {
    const one = listedAs(operation);
    const declaredOf = codesOf(endpoint);
    const isCharged = !/^(not priced: )?0/.test(one.credits);
    expect(endpoint.cost.constant === 0).toBe(!isCharged);
    expect(declaredOf.includes('payment_required')).toBe(isCharged);
    // Betslip fields are part of the response, and an address's limit does not depend on the plan.
    const gates = one.gate
      .split('; ')
      .filter((part) => /horizon|and above|Business|as closing-lines|D13/.test(part) && !/betslip/.test(part));
    expect(endpoint.gate !== undefined).toBe(gates.length > 0);
    expect(declaredOf).toEqual(expect.arrayContaining([...(endpoint.gate?.errors ?? []), 'validation', 'rate_limit']));
    const ofOneRace = 'race_id' in (endpoint.query ?? {}) && 'meeting_date' in (endpoint.query ?? {});
    if (ofOneRace) expect(endpoint.errors).toContain('race_ambiguous');
  },
);

test('a flat price is the list’s price', () => {
  const flat = ENDPOINTS.flatMap((e) => {
    const one = listed.find((row) => row.operation === `${e.method.toUpperCase()} ${e.path}`);
    return one && /^\d+$/.test(one.credits) ? [{ path: e.path, listed: Number(one.credits), e }] : [];
  });
  expect(flat.length).toBeGreaterThan(5);
  for (const { listed: credits, e } of flat) expect(e.cost.credits({} as never)).toBe(credits);
});

describe('the published Node client finds what it reads', () => {
  test('in the bodies', () => {
    const missing = Object.entries(NODE_MEMBERS).flatMap(([operationId, paths]) => {
      const { ok } = ENDPOINTS.find((one) => one.operationId === operationId)!;
      return paths.filter((path) => !hasMember([ok.schema as Schema], path)).map((path) => `${operationId}: ${path}`);
    });
    expect(missing).toEqual([]);
  });

  test('in the headers of a charged response', () => {
    // biome-ignore lint/suspicious/noExplicitAny: a document of many shapes.
    const { paths } = openApiDocument(ENDPOINTS, 'https://api.example.com') as any;
    const declared = Object.keys(paths['/v1/racing/next-to-go'].get.responses[200].headers);
    expect(NODE_HEADERS.filter((name) => !declared.includes(name))).toEqual([]);
  });
});

test('a missing member, or one that may be absent, is noticed', () => {
  const { ok } = ENDPOINTS.find(({ operationId }) => operationId === 'usage')!;
  for (const path of ['credits', 'upgrade.plan', 'recent_activity[].at', 'plans.{}.price', 'plan[]'])
    expect(hasMember([ok.schema as Schema], path)).toBe(false);
  expect(hasMember([{ properties: { here: {} } }], 'here')).toBe(false);
});

test.each(Object.entries(ACCOUNT_TYPES))('%s has what clients read, in the right types', (operationId, types) => {
  const { ok } = ENDPOINTS.find((one) => one.operationId === operationId)!;
  for (const [type, paths] of Object.entries(types))
    for (const path of paths) expect([path, ...typesAt([ok.schema as Schema], path)]).toEqual([path, type]);
});

/** For the pages (D8) and defaults (D9) that the decisions fix: the default, the minimum and the maximum. */
const BOUNDS: Readonly<Record<string, Readonly<Record<string, readonly [unknown, number?, number?]>>>> = {
  race_results: { limit: [50, 1, 200] },
  // Their default depends on the format (D64).
  closing_lines: { limit: [undefined, 1, 50_000] },
  market_summary: { limit: [undefined, 1, 50_000] },
  price_paths: { limit: [undefined, 1, 200_000] },
  horse_runs: { limit: [50, 1, 500] },
  backfill_results: { limit: [25, 1, 200] },
  consensus: { min_books: [2, 1, 20] },
  intelligence: { min_books: [2, 1, 20] },
  intelligence_scan: { window: ['60m'], min_move_pct: [7, 1, 90], min_books: [3, 1, 20], limit: [50, 1, 200] },
  movers: {
    min_move_pct: [10, 1, 90],
    min_books: [3, 1, 20],
    max_mins_to_jump: [60, 1, 60],
    limit: [50, 1, 200],
  },
  race_events: { hours_ahead: [4, 1] },
  next_to_go: { num_races: [10, 1, 200], hours_ahead: [24, 1] },
  racing_best_odds: { num_races: [10, 1, 150], hours_ahead: [6, 1] },
  results_coverage: { days: [7, 1, 30] },
};

test.each(Object.entries(BOUNDS))('%s has the defaults and bounds that are decided (D8, D9)', (operationId, bounds) => {
  const query: Readonly<Record<string, object>> = ENDPOINTS.find((one) => one.operationId === operationId)?.query ?? {};
  for (const [name, expected] of Object.entries(bounds)) {
    const { default: usual, minimum, maximum } = (query[name] ?? {}) as Record<string, unknown>;
    expect([name, ...[usual, minimum, maximum].slice(0, expected.length)]).toEqual([name, ...expected]);
  }
});

/** But null. */
const typesAt = (schemas: readonly Schema[], path: string): string[] => [
  ...new Set(
    schemasAt(schemas, path)
      .flatMap(({ type, const: only }) => type ?? typeof only)
      .filter((type) => type !== 'null'),
  ),
];

interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** Whether a response always has a member, unless a part before it is null. `a.b`, `[]` for rows, `{}` for any name. */
const hasMember = (schemas: readonly Schema[], path: string): boolean => schemasAt(schemas, path).length > 0;

function schemasAt(schemas: readonly Schema[], path: string): Schema[] {
  const all = schemas.flatMap(alternatives);
  if (path === '') return all;
  const [, step, rest] = /^\.?(\[\]|\{\}|\w+)(.*)$/.exec(path)!;
  return schemasAt(
    all.flatMap((one) => stepInto(one, step!)),
    rest!,
  );
}

const alternatives = (schema: Schema): Schema[] =>
  schema.anyOf || schema.allOf ? [...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap(alternatives) : [schema];

function stepInto({ items, properties, patternProperties, required }: Schema, step: string): Schema[] {
  if (step === '[]') return items ? [items] : [];
  if (step === '{}') return Object.values(patternProperties ?? {});
  return properties?.[step] && required?.includes(step) ? [properties[step]] : [];
}
