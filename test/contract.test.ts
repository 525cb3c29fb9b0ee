// Holds the declared operations against the contract's list (A 4, B 4), both ways: nothing undeclared is served, nothing declared
// differs from the list, and what is not served yet is named here with the reason, so that the list can only shrink.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINTS } from '../src/api/endpoints';
import { openApiDocument } from '../src/api/openapi/document';
import { codesOf } from '../src/api/openapi/refusals';
import { PUBLISHED_CLIENTS } from './fixtures/published-clients';

interface Listed {
  readonly operation: string;
  readonly tag: string;
  readonly credits: string;
  readonly auth: string;
  /** What a plan must allow, in words; empty: nothing. */
  readonly gate: string;
}

function contractList(): Listed[] {
  const [, ...lines] = readFileSync(join(__dirname, 'fixtures/operations.tsv'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [method, path, tag, credits, auth, gate] = line.split('\t');
    return { operation: `${method} ${path}`, tag: tag!, credits: credits!, auth: auth!, gate: gate! };
  });
}

/** Tags whose operations come with later issues; the racing operations that are still to come are named one by one. */
const LATER_TAGS = new Set(
  ['Sports, Arbitrage, Data Quality, Widgets', 'Webhooks, Site, Retired'].flatMap((line) => line.split(', ')),
);
const LATER = ['GET /v1/demo/best-odds', 'GET /v1/demo/book-sport', 'POST /v1/ingest/sports/{bookmaker_key}'];

const listed = contractList();
const isLater = (one: Listed): boolean => LATER.includes(one.operation) || LATER_TAGS.has(one.tag);
const declared = ENDPOINTS.map((e) => `${e.method.toUpperCase()} ${e.path}`);

test('the contract lists 113 operations, each once', () => {
  expect(new Set(listed.map((one) => one.operation)).size).toBe(listed.length);
  expect(listed).toHaveLength(113);
});

test('every operation of the contract is served, or named as coming later', () => {
  expect(listed.filter((one) => !isLater(one) && !declared.includes(one.operation)).map((o) => o.operation)).toEqual(
    [],
  );
});

test('what is named as coming later is not served already', () => {
  expect(listed.filter((one) => isLater(one) && declared.includes(one.operation)).map((o) => o.operation)).toEqual([]);
  expect(LATER.filter((operation) => !listed.some((one) => one.operation === operation))).toEqual([]);
});

test.each(ENDPOINTS.map((e) => [`${e.method.toUpperCase()} ${e.path}`, e] as const))(
  '%s is in the contract, with its tag and its authentication',
  (operation, endpoint) => {
    const one = listed.find((row) => row.operation === operation);
    expect(one).toBeDefined();
    expect({ tag: endpoint.tag, auth: endpoint.auth }).toEqual({ tag: one!.tag, auth: one!.auth.replaceAll(' ', '_') });
    expect(endpoint.cost.text).not.toBe('');
  },
);

test.each(ENDPOINTS.map((e) => [`${e.method.toUpperCase()} ${e.path}`, e] as const))(
  '%s declares its cost, its gate and its errors',
  (operation, endpoint) => {
    const one = listed.find((row) => row.operation === operation)!;
    const declaredOf = codesOf(endpoint);
    const isCharged = !/^(not priced: )?0/.test(one.credits);
    expect(endpoint.cost.constant === 0).toBe(!isCharged);
    expect(declaredOf.includes('payment_required')).toBe(isCharged);
    // Betslip fields are part of the response, and an address's limit is not a plan's.
    const gates = one.gate
      .split('; ')
      .filter((part) => /horizon|and above|Business|as closing-lines/.test(part) && !/betslip/.test(part));
    expect(endpoint.gate !== undefined).toBe(gates.length > 0);
    expect(declaredOf).toEqual(expect.arrayContaining([...(endpoint.gate?.errors ?? []), 'validation', 'rate_limit']));
    const ofOneRace = 'race_id' in (endpoint.query ?? {}) && 'meeting_date' in (endpoint.query ?? {});
    if (ofOneRace) expect(endpoint.errors).toContain('race_ambiguous');
  },
);

test('a flat price is the price of the list', () => {
  const flat = ENDPOINTS.flatMap((e) => {
    const one = listed.find((row) => row.operation === `${e.method.toUpperCase()} ${e.path}`);
    return one && /^\d+$/.test(one.credits) ? [{ path: e.path, listed: Number(one.credits), e }] : [];
  });
  expect(flat.length).toBeGreaterThan(5);
  for (const { listed: credits, e } of flat) expect(e.cost.credits({} as never)).toBe(credits);
});

describe.each(Object.entries(PUBLISHED_CLIENTS))('%s finds what it reads', (_, { members, headers }) => {
  test('in the bodies', () => {
    const missing = Object.entries(members).flatMap(([operationId, paths]) => {
      const { ok } = ENDPOINTS.find((one) => one.operationId === operationId)!;
      return paths.filter((path) => !hasMember([ok.schema as Schema], path)).map((path) => `${operationId}: ${path}`);
    });
    expect(missing).toEqual([]);
  });

  test('in the headers of a charged response', () => {
    // biome-ignore lint/suspicious/noExplicitAny: a document of many shapes.
    const { paths } = openApiDocument(ENDPOINTS, 'https://api.example.com') as any;
    const declared = Object.keys(paths['/v1/racing/next-to-go'].get.responses[200].headers);
    expect(headers.filter((name) => !declared.includes(name))).toEqual([]);
  });
});

test('a member that is not there, or may be absent, is noticed', () => {
  const { ok } = ENDPOINTS.find(({ operationId }) => operationId === 'usage')!;
  for (const path of ['credits', 'upgrade.plan', 'recent_activity[].at', 'plans.{}.price', 'plan[]'])
    expect(hasMember([ok.schema as Schema], path)).toBe(false);
  expect(hasMember([{ properties: { here: {} } }], 'here')).toBe(false);
});

interface Schema {
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** Whether a response always has a member, unless a part before it is null. `a.b`, `[]` for rows, `{}` for any name. */
function hasMember(schemas: readonly Schema[], path: string): boolean {
  const all = schemas.flatMap(alternatives);
  if (path === '') return all.length > 0;
  const [, step, rest] = /^\.?(\[\]|\{\}|\w+)(.*)$/.exec(path)!;
  return hasMember(
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
