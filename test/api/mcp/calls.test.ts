// Every tool over the protocol’s own client and real HTTP: its answer is the operation’s, at the operation’s price, and
// a refusal is the operation’s refusal.
import { createCharger } from '../../../src/api/kernel/charging/charger';
import { MOST_ANSWER_BYTES } from '../../../src/api/mcp/call';
import { fitted } from '../../../src/api/mcp/fitted';
import { type McpTool, toolsOf } from '../../../src/api/mcp/tools';
import { ENDPOINTS } from '../../../src/api/operations';
import { exampleRun } from '../../../src/api/operations/quality/audit-schema';
import { createStores } from '../../../src/store/create-stores';
import { UNCOUNTED } from '../../support/api/api';
import { requestFor, type Seeded } from '../../support/api/operation-requests';
import { addBackfillJob, EXCHANGE_PRICES, type Served, seedEverything, serve } from '../../support/api/served';
import { addRace } from '../../support/races/board';
import { feedRunner } from '../../support/races/builders';
import { connected, ERAS, type McpClient } from './mcp-client';

const TOOLS = toolsOf(ENDPOINTS);
const named = (name: string): McpTool => TOOLS.find((one) => one.name === name)!;

let served: Served;
let seeded: Seeded;
let key: string;
let mcp: McpClient;

beforeAll(async () => {
  served = await serve((db) => ({ charger: createCharger(createStores(db.pool).credits), addressBudget: UNCOUNTED }));
  seeded = await seedEverything(served.db);
  key = await served.addKey({ plan: 'platform' });
  await addBackfillJob(served.db, key);
  mcp = await connected(served.api.url, key);
});
afterAll(async () => {
  await mcp?.client.close();
  expect(served.api.logged).toEqual([]);
  await served?.stop();
});

/** Path parameters and query of a request that finds something. */
function argumentsOf({ endpoint, defaults }: McpTool): Record<string, string> {
  const own: Readonly<Record<string, string>> = {
    ...{ run_id: exampleRun.id, job_id: 'bf_20261121_4k9z0q' },
    ...{ dataset: 'results', period: '2026-11' },
  };
  const [path = '', query = ''] = requestFor(endpoint, seeded).split('?');
  const values = path.split('/');
  const inPath = endpoint.path.split('/').flatMap((part, i) => {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    return name === undefined ? [] : [[name, own[name] ?? values[i]!] as const];
  });
  const fewer = Object.entries(defaults).map(([name, rows]) => [name, String(rows)] as const);
  return Object.fromEntries([...fewer, ...new URLSearchParams(query), ...inPath]);
}

/** The same over HTTP. */
function addressOf({ endpoint }: McpTool, given: Readonly<Record<string, string>>): string {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => given[name]!);
  const query = Object.entries(given).filter(([name]) => !endpoint.path.includes(`{${name}}`));
  return `${path}?${new URLSearchParams(query)}`;
}

const BET = () => ({ bets: [{ race_id: seeded.final, runner_number: 1, price: 6 }] });

/** Here payments are not set up, and no files were built; `verdicts.test.ts` has the answer of the first. */
const REFUSED: Readonly<Record<string, number>> = { check_overage: 503, bulk_manifest: 404 };

test.each(TOOLS.map((tool) => [tool.name, tool] as const))(
  '%s answers as its operation, at its price',
  async (name, tool) => {
    const isPost = tool.endpoint.method === 'post';
    const given = isPost ? {} : argumentsOf(tool);
    const json = { 'Content-Type': 'application/json' };
    const ask = () =>
      isPost
        ? served.api.send('POST', tool.endpoint.path, { key, headers: json, body: JSON.stringify(BET()) })
        : served.api.get(addressOf(tool, given), key);
    // The first answer of some operations is cached, and says so from then on.
    await ask();
    const direct = await ask();
    const refusal = REFUSED[name];
    if (refusal !== undefined) {
      expect(direct.status).toBe(refusal);
      const refused = await mcp.call(name, given);
      expect(refused).toMatchObject({
        isError: true,
        facts: { status: refusal },
        text: expect.stringContaining(direct.body.detail),
      });
      return;
    }
    expect([direct.status, direct.body.detail]).toEqual([200, undefined]);
    const answer = await mcp.call(name, isPost ? BET() : given);
    expect([answer.isError, answer.facts.status, answer.facts.operation]).toEqual([
      false,
      200,
      tool.endpoint.operationId,
    ]);
    expect(withoutSpent(answer.text)).toEqual(withoutSpent(fitted(direct.text, MOST_ANSWER_BYTES).text));
    const cost = Number(direct.headers.get('x-credits-cost') ?? 0);
    expect(answer.facts.credits_cost ?? 0).toBe(cost);
    if (cost > 0) {
      expect(answer.facts.credits_used - Number(direct.headers.get('x-credits-used'))).toBe(cost);
      expect(answer.notes).toContain(`Cost: ${cost} credit`);
    }
  },
);

/** The calls before it change what an account has used, and a moment what the database’s own clock shows. */
const withoutSpent = (text: string): unknown =>
  JSON.parse(text, (name, value) =>
    /^(credits_|requests|used|remaining|pct_used|calls|server_time|by_|usage|days)/.test(name) ? undefined : value,
  );

test.each(ERAS)('the revision of %s: tools, prompts and the reference, with and without a key', async (era) => {
  for (const sent of [key, undefined]) {
    const { client, call } = await connected(served.api.url, sent, era);
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    const { tools } = await client.listTools();
    expect(tools).toEqual(TOOLS.map(({ listed }) => listed));
    const { prompts } = await client.listPrompts();
    for (const { name, arguments: own = [] } of prompts) {
      const given = Object.fromEntries(own.map((one) => [one.name, 'Flemington']));
      const { messages } = await client.getPrompt({ name, arguments: given });
      const text = (messages[0]!.content as { text: string }).text;
      const mentioned = [...text.matchAll(/`([a-z]+_[a-z_]+|consensus)`/g)].map(([, one]) => one!);
      expect(mentioned.filter((one) => !PROMPTED.has(one))).toEqual([]);
      expect(text).not.toContain('undefined');
    }
    const { resources } = await client.listResources();
    const [read] = (await client.readResource({ uri: resources[0]!.uri })).contents;
    expect(read).toMatchObject({ text: expect.stringContaining('/mcp') });
    const answer = await call('racing_venues');
    expect(answer.isError).toBe(sent === undefined);
    if (sent === undefined) expect(answer.facts.status).toBe(401);
    expect((await call('demo_next_to_go')).isError).toBe(false);
    await expect(call('rotate_key')).rejects.toThrow("There is no tool 'rotate_key'.");
    await client.close();
  }
});

/** Tools, parameters and members that prompts may name. */
const PROMPTED = new Set([
  ...TOOLS.map(({ name }) => name),
  ...['race_id', 'data_age_seconds', 'reason', 'direction', 'firming', 'drifting'],
]);

describe('a refusal', () => {
  test('states what is wrong, what to do, and that nothing was charged', async () => {
    const before = (await mcp.call('racing_venues')).facts.credits_used;
    const answer = await mcp.call('racing_next_to_go', { num_races: 0, countri: 'AU' });
    expect(answer).toMatchObject({ isError: true, facts: { status: 422, credits_cost: 0 } });
    expect(answer.text).toMatch(/^Invalid input\. countri is not a parameter.*What to do: https:.*errors\/validation$/);
    expect(answer.notes).toContain('"code":"validation"');
    expect((await mcp.call('sports_odds')).text).toBe('Name a value of sport_key. Nothing was charged.');
    expect((await mcp.call('racing_venues')).facts.credits_used).toBe(before + 1);
  });

  test('of the plan is that of the operation, with its plan', async () => {
    const { call, client } = await connected(served.api.url, await served.addKey({ plan: 'free' }));
    const answer = await call('racing_closing_lines', { limit: 5 });
    expect(answer).toMatchObject({ isError: true, facts: { status: 403, credits_cost: 0 } });
    expect(answer.notes).toMatch(/"required_plan":"standard"|"required_plan":"plus"/);
    await client.close();
  });

  test('of an unknown key is counted once, by the address', async () => {
    const { call, client } = await connected(served.api.url, `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`);
    expect(await call('racing_venues')).toMatchObject({ isError: true, facts: { status: 401 } });
    await client.close();
  });
});

test('parallel calls are each charged once, and only what is answered', async () => {
  const own = await served.addKey({ plan: 'standard' });
  const { call, client } = await connected(served.api.url, own);
  const calls = Array.from({ length: 30 }, (_, i) => call('racing_next_to_go', { num_races: i % 3 === 0 ? 0 : 1 }));
  const answers = await Promise.all(calls);
  expect(answers.filter(({ isError }) => isError).length).toBe(10);
  expect((await call('racing_venues')).facts.credits_used).toBe(20 * 2 + 1);
  await client.close();
});

describe('a long answer', () => {
  const BOOKS = [
    'sportsbet',
    'tab',
    'tabtouch',
    'ladbrokes_au',
    'neds',
    'pointsbetau',
    'betr_au',
    'betright',
    'unibet',
  ];

  test('is cut at whole items, with what was left out and how to get it; the operation itself is whole', async () => {
    const field = Array.from({ length: 16 }, (_, i) =>
      feedRunner(i + 1, { name: `Runner ${i + 1}`, win: 2 + i, place: null }),
    );
    for (const raceNumber of [7, 8]) {
      const startTime = `2026-11-21T03:0${raceNumber - 5}:00.000Z`;
      const books = Object.fromEntries(BOOKS.map((book) => [book, { runners: field }]));
      await addRace(served.db.pool, { venue: 'Bendigo', raceNumber, startTime }, books);
    }
    const whole = (await served.api.get('/v1/racing/next-to-go?venue=Bendigo&num_races=2', key)).body;
    const answer = await mcp.call('racing_next_to_go', { venue: ['Bendigo'], num_races: 2 });
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(MOST_ANSWER_BYTES);
    const [race, ...others] = JSON.parse(answer.text);
    const { length } = race.runners;
    expect([others, length > 3, length < 16]).toEqual([[], true, true]);
    expect(race).toEqual({ ...whole[0], runners: whole[0].runners.slice(0, length) });
    expect(answer.notes).toContain('the first 1 of 2 items of the list');
    expect(answer.notes).toContain(`the first ${length} of 16 items of [0].runners`);
    expect(answer.notes).toMatch(/AskOperation for fewer with num_races\. Narrow it with venue, bookmakers/);
    const few = await mcp.call('racing_next_to_go', { venue: 'Bendigo', num_races: 1, bookmakers: ['tab', 'neds'] });
    expect(few.notes).not.toContain('cut');
    expect(JSON.parse(few.text)[0].runners).toHaveLength(16);
  });
});

test('no tool shows a customer the exchange', async () => {
  const answers = await Promise.all(
    [named('racing_next_to_go'), named('racing_best_odds'), named('consensus'), named('racing_price_history')].map(
      (one) => mcp.call(one.name, argumentsOf(one)),
    ),
  );
  for (const { text } of answers) for (const price of EXCHANGE_PRICES) expect(text).not.toContain(String(price));
  expect(answers.map(({ text }) => /betfair/.test(text))).toEqual([false, false, false, false]);
});
