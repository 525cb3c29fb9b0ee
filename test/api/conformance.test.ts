// The same checks on every operation. An operation's own test file has only what is particular to it.
import { type Endpoint, isTagged } from '../../src/api/kernel/endpoint/endpoint';
import { agesOf } from '../../src/api/kernel/http/tag';
import { CUSTOMER_BOOKMAKER_KEYS } from '../../src/domain/bookmakers';
import { type Answer, newKey, UNCOUNTED } from '../support/api/api';
import { expectConforms, expectProblemConforms } from '../support/api/conforms';
import { isWhole, requestFor, rowsOf, type Seeded, SHARED_OPERATIONS } from '../support/api/operation-requests';
import { type Served, seedEverything, serve } from '../support/api/served';

const GETS = SHARED_OPERATIONS.filter(isWhole);
const named = GETS.map((one) => [one.operationId, one] as const);
const tagged = named.filter(([, one]) => isTagged(one));
const keyed = named.filter(([, one]) => one.auth === 'key');
const withParameter = (name: string) => named.filter(([, one]) => name in (one.query ?? {}));

let served: Served;
let customer: string;
let seeded: Seeded;
beforeAll(async () => {
  served = await serve({ addressBudget: UNCOUNTED });
  seeded = await seedEverything(served.db);
  customer = await served.addKey({ plan: 'business' });
});
afterAll(() => served.stop());

const get = (one: Endpoint, more = '', headers: Record<string, string> = {}): Promise<Answer> =>
  served.api.get(requestFor(one, seeded, more), customer, headers);

function expectProblem(answer: Answer, status: number, code: string): void {
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(answer.body).toMatchObject({ status, code, type: expect.stringContaining('https://api.example.com/errors/') });
  expectProblemConforms(answer.body);
  expect([answer.status, answer.body.request_id]).toEqual([status, answer.headers.get('x-request-id')]);
}

test.each(named)('%s returns exactly what it declares', async (operationId, one) => {
  const answer = await get(one);
  expect(answer.status).toBe(200);
  expectConforms(operationId, answer.body);
  expect(JSON.stringify(answer.body)).not.toBe('[]');
});

/** Their `as_of` is the time at which the response was computed; no acceptances were read here. */
const WITHOUT_AGE = [
  'intelligence',
  'intelligence_scan',
  'results_coverage',
  'race_form',
  'data_quality_summary',
  'acceptances',
];

test('a success reports the age of its data if, and only if, its operation declares the header', async () => {
  const { paths } = (await served.api.get('/openapi.json')).body;
  const differ = [];
  for (const one of GETS) {
    if (WITHOUT_AGE.includes(one.operationId)) continue;
    const declared = 'X-Data-Age-Seconds' in (paths[one.path].get.responses['200']?.headers ?? {});
    const sent = (await get(one)).headers.get('x-data-age-seconds');
    if (declared !== (sent !== null)) differ.push([one.operationId, declared, sent]);
  }
  expect(differ).toEqual([]);
});

test.each(tagged)('%s tags its response, and a matching tag returns 304', async (_, one) => {
  const first = await get(one);
  const tag = first.headers.get('etag')!;
  expect(tag).toMatch(/^W\/"[\w-]{20,}"$/);
  for (const sent of [tag, `"x", ${tag}`, tag.replace('W/', ''), '*']) {
    const again = await get(one, '', { 'If-None-Match': sent });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag]);
    expect(again.headers.get('x-data-age-seconds')).toBe(first.headers.get('x-data-age-seconds'));
  }
  expect((await get(one, '', { 'If-None-Match': 'W/"other"' })).status).toBe(200);
});

test.each(tagged)('%s keeps its tag when only time passes', async (_, one) => {
  const before = await get(one);
  served.api.now += 7_000;
  const after = await get(one);
  served.api.now -= 7_000;
  expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
});

/** Names of the members in which two values differ, at the deepest level. */
function changed(one: unknown, other: unknown, name = 'the body'): string[] {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return Object.is(one, other) ? [] : [name];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((key) =>
    changed(
      (one as Record<string, unknown>)[key],
      (other as Record<string, unknown>)[key],
      Array.isArray(one) ? name : key,
    ),
  );
}

test.each(named)('%s marks every member that changes with time alone as an age', async (_, one) => {
  const before = await get(one);
  served.api.now += 67_000;
  const after = await get(one);
  served.api.now -= 67_000;
  const ages = agesOf(one.ok.schema);
  expect(changed(before.body, after.body).filter((name) => !ages.has(name))).toEqual([]);
});

test.each(named)('%s answers HEAD with the headers of GET and no body', async (_, one) => {
  const head = await served.api.send('HEAD', requestFor(one, seeded), { key: customer });
  const whole = await get(one);
  expect([head.status, head.text]).toEqual([200, '']);
  for (const name of ['content-type', 'cache-control']) expect(head.headers.get(name)).toBe(whole.headers.get(name));
  // Only a file's is known without the work.
  expect(head.headers.get('etag')).toBe(one.servesFile ? whole.headers.get('etag') : null);
});

test.each(named)('%s refuses an unknown parameter, naming the accepted ones', async (_, one) => {
  const answer = await get(one, 'surprise=1');
  expectProblem(answer, 422, 'validation');
  expect(answer.body.errors).toMatchObject([{ parameter: 'surprise', valid_values: Object.keys(one.query ?? {}) }]);
});

test.each(named.filter(([, one]) => one.query))('%s refuses a repeated parameter', async (_, one) => {
  const name = Object.keys(one.query!)[0]!;
  const answer = await served.api.get(`${one.path}?${name}=1&${name}=1`, customer);
  expectProblem(answer, 422, 'validation');
  expect(answer.body.detail).toContain('sent more than once');
});

test.each(keyed)('%s refuses a missing, a mistyped and an unknown key', async (_, { path }) => {
  for (const key of [undefined, 'nonsense', newKey()])
    expectProblem(await served.api.get(path, key), 401, 'unauthorized');
});

test.each(named)('%s refuses another method, naming those it has', async (_, { path }) => {
  const answer = await served.api.send('DELETE', path, { key: customer });
  expectProblem(answer, 405, 'method_not_allowed');
  expect(answer.headers.get('allow')).toBe('GET, HEAD');
});

test.each(withParameter('bookmakers'))('%s refuses an unknown book, naming the valid keys', async (_, one) => {
  for (const key of ['zed', 'betfair_ex_au', 'pinnacle']) {
    const answer = await get(one, `bookmakers=tab,${key}`);
    expectProblem(answer, 422, 'validation');
    expect(answer.body.errors).toMatchObject([{ parameter: 'bookmakers', valid_values: CUSTOMER_BOOKMAKER_KEYS }]);
    expect(answer.body.detail).toContain(`'${key}'`);
  }
});

test.each(withParameter('category'))(
  '%s accepts category and categories, and refuses an unknown one',
  async (_, one) => {
    const first = await get(one, 'category=horse');
    const other = await get(one, 'categories=horse');
    expect(rowsOf(first.body).length).toBeGreaterThan(0);
    expect(first.headers.get('etag')).toBe(other.headers.get('etag'));
    expect(rowsOf((await get(one, 'category=greyhound')).body)).toEqual([]);
    const refused = await get(one, 'category=dogs');
    expect(refused.body.errors).toMatchObject([
      { parameter: 'category', valid_values: ['horse', 'harness', 'greyhound'] },
    ]);
  },
);

test.each(withParameter('include_unresolved'))(
  '%s leaves unresolved countries out unless they are requested',
  async (_, one) => {
    const races = async (search: string) =>
      rowsOf((await get(one, search)).body).filter((race: { country: unknown }) => race.country === null);
    expect(await races('')).toEqual([]);
    expect(await races('include_unresolved=true')).toHaveLength(1);
    expect(await races('include_unresolved=true&country=AU')).toHaveLength(1);
    expect(await races('country=AU')).toEqual([]);
  },
);
