// The keys that are outside of the database: one form for those that seal secrets and those that sign manifests.
import { loadConfig } from '../src/config';

const KEYS = ['2026-11', '2025'].map((id, i) => `${id}:${Buffer.alloc(32, i).toString('base64')}`).join();
const READ = [
  { id: '2026-11', key: Buffer.alloc(32, 0) },
  { id: '2025', key: Buffer.alloc(32, 1) },
];

test('an id and 32 bytes each; without a setting nothing is sealed, and a key that everybody knows signs', () => {
  expect(loadConfig({}).secretKeys).toEqual([]);
  expect(loadConfig({}).bulk.signingKeys.map(({ id }) => id)).toEqual(['development']);
  expect(loadConfig({ SECRET_KEYS: KEYS }).secretKeys).toEqual(READ);
  expect(loadConfig({ BULK_SIGNING_KEYS: KEYS }).bulk.signingKeys).toEqual(READ);
});

test.each(['SECRET_KEYS', 'BULK_SIGNING_KEYS'])(
  'a refusal of %s names the place or the id, and shows no key',
  (name) => {
    const key = Buffer.alloc(32, 7).toString('base64');
    const refused = [
      `${key}`,
      `a:${key}x`,
      `a:${key.slice(4)}`,
      `a b:${key}`,
      `:${key}`,
      `${KEYS},`,
      `2025:${key},${KEYS}`,
    ];
    for (const keys of refused) {
      const load = () => loadConfig({ [name]: keys });
      expect(load).toThrow(new RegExp(`^${name}(: number \\d | has two keys with the id 2025)`));
      expect(load).not.toThrow(key.slice(4, 40));
    }
  },
);
