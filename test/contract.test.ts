// Holds the declared operations against the contract's list (A 4, B 4), both ways: nothing undeclared is served, nothing declared
// differs from the list, and what is not served yet is named here with the reason, so that the list can only shrink.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINTS } from '../src/api/endpoints';
import { codesOf } from '../src/api/openapi/refusals';

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
const LATER = [
  'GET /v1/racing/price-paths',
  'GET /v1/racing/horses/form',
  'GET /v1/racing/horses/runs',
  'GET /v1/racing/greyhounds/form',
  'GET /v1/racing/greyhounds/stats',
  'GET /v1/racing/jockeys/stats',
  'GET /v1/racing/trainers/stats',
  'POST /v1/racing/horses/backfill',
  'GET /v1/racing/horses/backfill/{job_id}',
  'GET /v1/racing/horses/backfill/{job_id}/results',
  'DELETE /v1/racing/horses/backfill/{job_id}',
  'GET /v1/demo/best-odds',
  'GET /v1/demo/book-sport',
  'POST /v1/ingest/sports/{bookmaker_key}',
];

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
