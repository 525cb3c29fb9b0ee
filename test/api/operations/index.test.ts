import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { ENDPOINTS } from '../../../src/api/operations';

const FOLDER = join(__dirname, '../../../src/api/operations');
/** Racing has most operations, and a room for each of its jobs. */
const ROOMS_OF_RACING = ['backfill', 'form', 'market', 'meetings', 'premierships', 'prices', 'results'];
const kebab = (text: string) => text.toLowerCase().replace(/[_ ]/g, '-');

test('every file of the folder is a listed operation, named for it, in the folder of its tag', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const tagOf = (room: string) => (ROOMS_OF_RACING.includes(room) ? 'racing' : room);
  const found = files.filter((file) => file !== 'index.ts').map((file) => file.split(sep) as [string, string]);
  const listed = ENDPOINTS.map((one) => `${kebab(one.tag)}/${kebab(one.operationId)}.ts`);
  expect(found.map(([room, file]) => `${tagOf(room)}/${file}`).sort()).toEqual([...listed].sort());
});

test('no two operations share a name or a route', () => {
  expect(new Set(ENDPOINTS.map((one) => one.operationId)).size).toBe(ENDPOINTS.length);
  expect(new Set(ENDPOINTS.map((one) => `${one.method} ${one.path}`)).size).toBe(ENDPOINTS.length);
});

test('what changes an account or its keys by a key is refused to a key that was replaced', () => {
  const ofOwner = ENDPOINTS.filter(({ tag }) => tag !== 'Racing');
  const keyed = ofOwner.filter(({ auth, ofAccount }) => ofAccount && /key$/.test(auth));
  const changing = keyed.filter(({ method, operationId }) => method !== 'get' || operationId === 'billing_portal');
  const names = (all: typeof keyed) => all.map(({ operationId }) => operationId);
  expect(names(keyed.filter((one) => one.currentKeyOnly))).toEqual(names(changing));
  expect(changing.length).toBeGreaterThan(8);
});
