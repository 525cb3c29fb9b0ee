// Who may call what: every served operation, by every caller, against a table that was copied from the contract by hand
// (test/fixtures/access.tsv) and the order of checks of D7. Never an answer to a caller whom the contract does not
// admit, nor a refusal with another status or code than the contract's, nor an operation missing from the table. No
// expectation comes from the service.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PRINCIPALS, type Principal } from '../../support/api/access/principals';
import { requestsOf } from '../../support/api/access/requests';
import { once, type Subject } from '../../support/api/access/subjects';
import { type AccessRow, accessTable, ofGoodRequests } from '../../support/api/access/table';
import { verdictOf, verdictOfHead } from '../../support/api/access/verdicts';
import { type AccessWorld, createAccessWorld, type Sent } from '../../support/api/access/world';

const ROWS = accessTable();

let world: AccessWorld;
/** By operation, the document's example of its body. */
const served = new Map<string, unknown>();
beforeAll(async () => {
  world = await createAccessWorld();
  const { paths } = (await world.served.api.get('/openapi.json')).body;
  for (const [path, methods] of Object.entries<Record<string, { requestBody?: Documented }>>(paths))
    for (const [method, { requestBody }] of Object.entries(methods))
      served.set(`${method.toUpperCase()} ${path}`, requestBody?.content['application/json'].example);
});
afterAll(() => world?.stop());

interface Documented {
  readonly content: { readonly 'application/json': { readonly example: unknown } };
}

test('the table lists exactly the operations that are served', () => {
  const named = new Set(ofGoodRequests().map(({ operation }) => operation));
  expect([...named].sort()).toEqual([...served.keys()].sort());
});

/** The contract list's column `auth`, in the table's terms. */
const LISTED: Readonly<Record<string, readonly AccessRow['caller'][]>> = {
  key: ['key'],
  'primary key': ['primary'],
  session: ['session'],
  'session or key': ['account', 'owner'],
  'signed link': ['anyone'],
  internal: ['operator', 'pusher of boostbet'],
  none: ['anyone'],
};

test('the table agrees with the contract’s list on callers and credits', () => {
  const [, ...lines] = readFileSync(join(__dirname, '../../fixtures/operations.tsv'), 'utf8').trim().split('\n');
  const listed = new Map(lines.map((line) => line.split('\t')).map((row) => [`${row[0]} ${row[1]}`, row]));
  const differ = ofGoodRequests().filter(({ operation, caller, credits }) => {
    const row = listed.get(operation);
    if (!row) return false;
    const [, , , priced = '', auth = ''] = row;
    return !LISTED[auth]?.includes(caller) || !new RegExp(`(^|\\D)${credits}(\\D|$)|per distinct market`).test(priced);
  });
  expect(differ.map(({ request, caller, credits }) => ({ request, caller, credits }))).toEqual([]);
});

const costOf = ({ credits }: Sent): string => (credits > 0 ? ` for ${credits}` : '');
const seen = (sent: Sent): string => {
  const code = sent.status < 400 ? '' : ` ${JSON.parse(sent.text).code}`;
  return `${sent.status}${code}${costOf(sent)}`;
};
/** HEAD has no body, and costs nothing. */
const seenOfHead = (sent: Sent): string => `${sent.status}${sent.text === '' ? '' : ' with a body'}${costOf(sent)}`;

test('every caller gets what the contract states for each operation', async () => {
  const filled = await requestsOf(world, served);
  const differ: string[] = [];
  const compare = (method: string, row: AccessRow, who: Principal, expected: string, got: string): void => {
    if (got === expected) return;
    differ.push(`${row.request.replace(/^\w+/, method)} by ${who.name}: ${got} instead of ${expected}`);
  };
  const newSubject = async (who: Principal): Promise<Subject> => {
    const subject = await world.createSubject(who);
    if (who.isOverLimit) world.limitKey(subject);
    return subject;
  };
  /** Reading changes nothing: one account reads everything. */
  const readers = new Map(PRINCIPALS.map((who) => [who, once(() => newSubject(who))]));
  /** Accounts that nothing has changed: every answer was a refusal. */
  const unchanged = new Map<Principal, Subject[]>(PRINCIPALS.map((who) => [who, []]));

  /** HEAD follows GET: it is sent once for each answer that an operation gives. */
  const judgedHeads = new Set<string>();
  const judge = async (row: AccessRow, who: Principal): Promise<void> => {
    const isRead = row.method === 'GET';
    const subject = await (isRead ? readers.get(who)!() : (unchanged.get(who)!.pop() ?? newSubject(who)));
    const target = who.isStranger ? await newSubject(who) : subject;
    const { path, body } = await filled(row, subject, target);
    const sent = await world.send(row.method, path, subject.headers, body);
    compare(row.method, row, who, verdictOf(row, who), seen(sent));
    if (!isRead && sent.status >= 400) unchanged.get(who)!.push(subject);
    const verdict = `${row.request} ${sent.status}`;
    if (!isRead || judgedHeads.has(verdict)) return;
    judgedHeads.add(verdict);
    const head = await world.send('HEAD', path, subject.headers);
    compare('HEAD', row, who, verdictOfHead(row, who), seenOfHead(head));
  };

  const cells = ROWS.flatMap((row) => PRINCIPALS.map((who) => [row, who] as const)).values();
  const lane = async (): Promise<void> => {
    for (const [row, who] of cells) await judge(row, who);
  };
  await Promise.all(Array.from({ length: world.connections }, lane));
  expect(differ.sort()).toEqual([]);
  expect(world.served.api.logged).toEqual([]);
});
