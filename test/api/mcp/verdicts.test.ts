// Who may call a tool: exactly who may call its operation over HTTP, by the same table (test/fixtures/access.tsv), at
// the same price. No expectation comes from the service.
import { type McpTool, toolsOf } from '../../../src/api/mcp/tools';
import { ENDPOINTS } from '../../../src/api/operations';
import { PRINCIPALS, type Principal } from '../../support/api/access/principals';
import { requestsOf } from '../../support/api/access/requests';
import { once, type Subject } from '../../support/api/access/subjects';
import { type AccessRow, accessTable } from '../../support/api/access/table';
import { verdictOf } from '../../support/api/access/verdicts';
import { type AccessWorld, createAccessWorld } from '../../support/api/access/world';
import { message } from './mcp-client';

const TOOLS = new Map(toolsOf(ENDPOINTS).map((one) => [`GET ${one.endpoint.path}`, one]));
/** A page of another site may send no message at all, and no cookie counts. */
const CALLERS = PRINCIPALS.filter(({ isForeignPage }) => !isForeignPage).map((who) => ({
  ...who,
  session: 'none' as const,
}));

/** Of rows that differ in nothing but their operation, one. */
function sampled(): readonly AccessRow[] {
  const kinds = new Map<string, AccessRow>();
  for (const row of accessTable().filter(({ operation }) => TOOLS.has(operation))) {
    const { caller, plan, refused, scope, credits, outcome } = row;
    const kind = [caller, plan, refused, scope, credits > 0, outcome, ...row.but.values()].join(' ');
    if (!kinds.has(kind)) kinds.set(kind, row);
  }
  return [...kinds.values()];
}

let world: AccessWorld;
beforeAll(async () => {
  world = await createAccessWorld();
});
afterAll(() => world?.stop());

test('every caller gets through a tool what the contract states for its operation', async () => {
  const rows = sampled();
  expect(rows.length).toBeGreaterThan(15);
  const filled = await requestsOf(world, new Map());
  const newSubject = async (who: Principal): Promise<Subject> => {
    const subject = await world.createSubject(who);
    if (who.isOverLimit) world.limitKey(subject);
    return subject;
  };
  const subjects = new Map(CALLERS.map((who) => [who, once(() => newSubject(who))]));
  const differ: string[] = [];
  const seen = new Set<string>();
  const judge = async (row: AccessRow, who: Principal): Promise<void> => {
    const subject = await subjects.get(who as never)!();
    const { path } = await filled(row, subject, who.isStranger ? await newSubject(who) : subject);
    const got = await verdictThrough(TOOLS.get(row.operation)!, path, subject);
    const expected = verdictOf(row, who);
    seen.add(expected.split(' for ')[0]!);
    if (got !== expected) differ.push(`${row.request} by ${who.name}: ${got} instead of ${expected}`);
  };
  const cells = rows.flatMap((row) => CALLERS.map((who) => [row, who] as const)).values();
  const lane = async (): Promise<void> => {
    for (const [row, who] of cells) await judge(row, who);
  };
  await Promise.all(Array.from({ length: world.connections }, lane));
  expect(differ.sort()).toEqual([]);
  for (const status of ['200', '401', '402', '403', '404', '422', '429'])
    expect([...seen].some((one) => one.startsWith(status))).toBe(true);
  expect(world.served.api.logged).toEqual([]);
});

/** In the words of the table. */
async function verdictThrough({ name, endpoint }: McpTool, address: string, { headers }: Subject): Promise<string> {
  const [path = '', query = ''] = address.split('?');
  const values = path.split('/');
  const given = Object.fromEntries(new URLSearchParams(query));
  for (const [i, part] of endpoint.path.split('/').entries()) {
    const [, parameter] = /^\{(\w+)\}$/.exec(part) ?? [];
    if (parameter !== undefined) given[parameter] = decodeURIComponent(values[i]!);
  }
  const { Cookie: _, ...own } = headers;
  const accepts = { Accept: 'application/json, text/event-stream' };
  const body = JSON.stringify(message('tools/call', { name, arguments: given }));
  const { status, text } = await world.send('POST', '/mcp', { ...own, ...accepts }, body);
  if (status !== 200) return `HTTP ${status}`;
  const { content, isError, _meta: meta } = JSON.parse(text).result;
  const { status: verdict, credits_cost: cost = 0 } = meta['racing-odds/call'];
  if (isError) return `${verdict} ${/"code":"(\w+)"/.exec(content[1].text)?.[1]}${cost > 0 ? ` for ${cost}` : ''}`;
  return `${verdict}${cost > 0 ? ` for ${cost}` : ''}`;
}
