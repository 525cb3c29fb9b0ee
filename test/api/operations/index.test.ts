import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ENDPOINTS } from '../../../src/api/operations';

const FOLDER = join(__dirname, '../../../src/api/operations');
const kebab = (text: string) => text.replaceAll('_', '-');

test('every operation has its own file, named for it', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).map((file) => basename(file));
  const filesOf = (id: string) => files.filter((file) => file === `${kebab(id)}.ts`).length;
  expect(ENDPOINTS.filter(({ operationId }) => filesOf(operationId) !== 1)).toEqual([]);
});

test('no two operations share a name or a route', () => {
  expect(new Set(ENDPOINTS.map((one) => one.operationId)).size).toBe(ENDPOINTS.length);
  expect(new Set(ENDPOINTS.map((one) => `${one.method} ${one.path}`)).size).toBe(ENDPOINTS.length);
});

test('operations that change an account or its keys refuse a replaced key', () => {
  const ofOwner = ENDPOINTS.filter(({ tag }) => tag !== 'Racing');
  const keyed = ofOwner.filter(({ auth, ofAccount }) => ofAccount && /key$/.test(auth));
  const changing = keyed.filter(({ method, operationId }) => method !== 'get' || operationId === 'billing_portal');
  const names = (all: typeof keyed) => all.map(({ operationId }) => operationId);
  expect(names(keyed.filter((one) => one.currentKeyOnly))).toEqual(names(changing));
  expect(changing.length).toBeGreaterThan(8);
});
