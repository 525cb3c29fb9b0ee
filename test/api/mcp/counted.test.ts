// Every message to /mcp, however hostile, is counted exactly once: by the operation that it asks, or by its address.
// None is a failure of the service.
import fc from 'fast-check';
import { NO_WORK_LIMITS } from '../../../src/api/kernel/work/work-limits';
import { type Served, seedEverything, serve } from '../../support/api/served';
import { runs } from '../../support/property';
import { message, post } from './mcp-client';

let served: Served;
let key: string;
/** What counted a request, oldest first. */
const counted: string[] = [];
/** Addresses are over their limit of requests without a key. */
let isOver = false;
/** Routes whose processor time was limited by address. */
const admitted: (string | undefined)[] = [];

beforeAll(async () => {
  served = await serve({
    addressBudget: {
      take: async (counter) => {
        counted.push(counter);
        return isOver && counter.startsWith('without a key') ? 1000 : 0;
      },
      giveBack: async () => {},
    },
    keyLimit: {
      windowMs: 60_000,
      take: async () => {
        counted.push('key');
        return { admitted: true, remaining: 1, waitMs: 0 };
      },
    },
    work: { ...NO_WORK_LIMITS, admitKeyless: (_, __, route) => void admitted.push(route) },
  });
  await seedEverything(served.db);
  key = await served.addKey({ plan: 'platform' });
});
afterAll(async () => {
  expect(served.api.logged).toEqual([]);
  await served?.stop();
});

const CALL = message('tools/call', { name: 'racing_venues', arguments: {} });
const UNCOUNTED_BEFORE = [
  ['without an id', message('tools/call', { name: 'racing_venues' }, null), {}],
  ['that takes no JSON', CALL, { Accept: 'text/plain' }],
  ['of an unknown revision', CALL, { 'Mcp-Protocol-Version': '1999-01-01' }],
  ['with an object as its id', { ...CALL, id: {} }, {}],
  ['with a list of arguments', message('tools/call', { name: 'racing_venues', arguments: [] }), {}],
  ['from a page of another site', CALL, { Origin: 'https://evil.example' }],
] as const;

test.each(UNCOUNTED_BEFORE)('a call %s reaches no operation, and its address counts it', async (_, body, headers) => {
  for (const sent of [key, 'x', undefined]) {
    counted.length = 0;
    await post(served.api, body, headers, sent);
    expect(counted).toEqual(['without a key: 127.0.0.1']);
  }
});

test.each([
  ['racing_venues', true, 'key'],
  ['racing_venues', false, 'unknown keys of 127.0.0.1'],
  ['demo_next_to_go', false, 'Sandbox: 127.0.0.1'],
])('a call of %s, by a good key: %s, is counted by its operation', async (name, isGood, by) => {
  counted.length = 0;
  await post(served.api, message('tools/call', { name }), {}, isGood ? key : 'x');
  expect(counted).toEqual([by]);
});

test('an address over its limit is refused whatever its key, and calls of an operation are not', async () => {
  isOver = true;
  try {
    for (const [, body, headers] of UNCOUNTED_BEFORE)
      expect((await post(served.api, body, headers, 'x')).body.code).toBe('rate_limit');
    expect((await post(served.api, CALL, {}, key)).body.result._meta['racing-odds/call'].status).toBe(200);
  } finally {
    isOver = false;
  }
});

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};
const HOSTILE = { toString: 1, valueOf: 1 };
const anything = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom('\ud800', 'a\udfff', HOSTILE, '..', '\0'));
const given = fc.oneof(
  fc.constantFrom(undefined, null, [], {}, { sport_key: '\ud800' }, { sport_key: 'nrl' }),
  fc.dictionary(fc.constantFrom('sport_key', 'venue', 'format', 'bets', '__proto__', '\udc00'), anything),
  fc.integer({ min: 1, max: 900 }).map((n) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`a${i}`, i]))),
);
const name = fc.constantFrom(
  ...['racing_venues', 'sports_odds', 'racing_clv', 'demo_next_to_go', 'check_usage', 'racing_closing_lines'],
  ...['nonesuch', '__proto__', '\ud800', null, 7, HOSTILE],
);
const meta = fc.constantFrom(undefined, META, HOSTILE);
const called = fc.record({ name, arguments: given, _meta: meta });
const read = fc.record({ uri: fc.constantFrom('https://api.example.com/llms.txt', 'x', HOSTILE), _meta: meta });
const method = fc.constantFrom(
  ...['tools/list', 'prompts/get', 'ping', 'initialize', 'notifications/cancelled', 'subscriptions/listen', 'nonesuch'],
  ...[HOSTILE, 7, null],
);
const asked = fc.oneof(
  { weight: 4, arbitrary: fc.record({ method: fc.constant('tools/call'), params: called }) },
  fc.record({ method: fc.constant('resources/read'), params: read }),
  fc.record({ method, params: fc.oneof(called, anything) }),
);
const id = fc.oneof({ weight: 8, arbitrary: fc.constant(1) }, fc.constantFrom(undefined, null, {}, [], 'a', 1.5));
const version = fc.oneof({ weight: 12, arbitrary: fc.constant('2.0') }, fc.constantFrom('1.0', null));
const header = (...values: readonly string[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, fc.constantFrom(...values));
const headers = fc.record({
  Accept: header('text/plain', '*/*', 'application/json'),
  Origin: header('https://evil.example'),
  'Content-Type': header('text/plain'),
  'Mcp-Protocol-Version': header('1999-01-01', '2025-11-25', '2026-07-28', 'x'),
  'Mcp-Method': header('tools/call', 'x'),
  'Mcp-Name': header('racing_venues', 'sports_odds'),
});
const sentKey = fc.constantFrom('key', 'x', undefined);

test('every message is counted once, its processor time is limited, and none is a failure', async () => {
  const property = fc.asyncProperty(asked, id, version, headers, sentKey, async (parts, one, jsonrpc, all, who) => {
    counted.length = 0;
    admitted.length = 0;
    const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
    const body = { jsonrpc, id: one, ...parts };
    const { status } = await post(served.api, body, Object.fromEntries(sent), who === 'key' ? key : who);
    expect([status < 500, counted.length, admitted.filter((route) => route === '/mcp').length]).toEqual([true, 1, 1]);
    expect(served.api.logged).toEqual([]);
  });
  await fc.assert(property, { numRuns: runs(4000) });
});
