// The parts of a manifest: bounds equal those of all rows, however they are split into days; the canonical text does
// not depend on the order of members; a signature is Ed25519's.
import { createPublicKey, verify } from 'node:crypto';
import fc from 'fast-check';
import { boundsOfRows, joinedBounds } from '../../src/bulk/manifest/bounds';
import { canonicalText } from '../../src/bulk/manifest/period-manifest';
import { createSigner } from '../../src/bulk/manifest/signer';
import type { Column, Row } from '../../src/row-files/columns';
import { runs } from '../support/property';

const column = (name: string, type: Column['type'], nullable = false): Column => ({
  name,
  type,
  nullable,
  description: '',
});
const DATASET = {
  columns: [
    column('name', 'text'),
    column('start_time', 'instant'),
    column('number', 'integer', true),
    column('seen_on', 'day', true),
  ],
  sortedBy: ['start_time', 'number', 'name'],
};

const instant = fc.integer({ min: 0, max: 9 }).map((s) => `2026-11-20T00:00:0${s}.000Z`);
const anyRow = fc.tuple(
  fc.constantFrom('a', 'B', 'é', '🏇', '\uffee', ''),
  instant,
  fc.option(fc.integer({ min: 0, max: 120 })),
  fc.option(fc.integer({ min: 1, max: 9 }).map((day) => `2026-11-0${day}`)),
) as fc.Arbitrary<Row>;
const anyRows = fc.oneof(
  fc.array(anyRow, { maxLength: 12 }),
  fc.array(anyRow, { maxLength: 12 }).map((rows) => rows.toSorted(byKey)),
);

function byKey(one: Row, other: Row): number {
  for (const place of [1, 2, 0]) {
    const [a, b] = [one[place]!, other[place]!];
    if (a === b) continue;
    if (a === null || b === null) return a === null ? 1 : -1;
    if (typeof a === 'number') return a - (b as number);
    return Buffer.compare(Buffer.from(a as string), Buffer.from(b as string));
  }
  return 0;
}

const keyOf = (row: Row | undefined) =>
  row ? [row[1], row[2], row[0]].map((cell) => (cell === null ? null : String(cell))) : null;
const timesOf = (rows: readonly Row[], place: number) => {
  const values = rows.map((row) => row[place]).filter((value) => value !== null) as string[];
  return { min: values.toSorted()[0] ?? null, max: values.toSorted().at(-1) ?? null };
};

const boundsOf = (rows: readonly Row[]) => {
  const found = boundsOfRows(DATASET);
  for (let i = 0; i < rows.length; i += 3) found.add(rows.slice(i, i + 3));
  return found.bounds();
};

test('the bounds are the lowest and the highest key, and the first and the last time', () =>
  fc.assert(
    fc.property(anyRows, (rows) => {
      const sorted = rows.toSorted(byKey);
      expect(boundsOf(rows)).toEqual({
        sort_key: { columns: DATASET.sortedBy, first: keyOf(sorted[0]), last: keyOf(sorted.at(-1)) },
        times: [
          { column: 'start_time', ...timesOf(rows, 1) },
          { column: 'seen_on', ...timesOf(rows, 3) },
        ],
      });
    }),
    { numRuns: runs(300) },
  ));

test('the bounds of days, as their manifests have them, join to those of the month', () =>
  fc.assert(
    fc.property(fc.array(anyRows, { maxLength: 4 }), (days) => {
      const stored = days.map((rows) => JSON.parse(canonicalText(boundsOf(rows))));
      expect(joinedBounds(DATASET, stored)).toEqual(boundsOf(days.flat()));
    }),
    { numRuns: runs(300) },
  ));

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, shuffled(inner)] as const)
      .toReversed(),
  );
};

test('the canonical text is JSON without white space, whatever the order of members', () => {
  expect(canonicalText({ b: [1, null, 'é\n"'], a: { d: false, c: -3 } })).toBe(
    '{"a":{"c":-3,"d":false},"b":[1,null,"é\\n\\""]}',
  );
  const value = fc.letrec((tie) => ({
    leaf: fc.oneof(fc.integer(), fc.string({ unit: 'grapheme' }), fc.boolean(), fc.constant(null)),
    value: fc.oneof(
      { maxDepth: 3 },
      tie('leaf'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.string({ unit: 'grapheme-ascii', maxLength: 4 }), tie('value'), { noNullPrototype: true }),
    ),
  })).value;
  fc.assert(
    fc.property(value, (one) => {
      const text = canonicalText(one);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(one)));
      expect(canonicalText(shuffled(one))).toBe(text);
    }),
    { numRuns: runs(300) },
  );
});

test.each([1.5, Number.NaN, 2 ** 53])('%p has no canonical text', (value) => {
  expect(() => canonicalText({ value })).toThrow('no safe integer');
});

/** RFC 8032, 7.1, test 2. */
const VECTOR = {
  seed: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
  public: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  message: 'r',
  signature:
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
};

describe('a signature', () => {
  const vector = { id: 'vector', key: Buffer.from(VECTOR.seed, 'hex') };

  test('is that of RFC 8032, by the published key', () => {
    const signer = createSigner([vector]);
    const { algorithm, key_id, value } = signer.sign(VECTOR.message);
    expect([algorithm, key_id]).toEqual(['ed25519', 'vector']);
    expect(Buffer.from(value, 'base64').toString('hex')).toBe(VECTOR.signature);
    const [key] = signer.publicKeys;
    expect(Buffer.from(key!.x, 'base64url').toString('hex')).toBe(VECTOR.public);
    const published = createPublicKey({ key: { ...key! }, format: 'jwk' });
    expect(verify(null, Buffer.from(VECTOR.message), published, Buffer.from(value, 'base64'))).toBe(true);
  });

  test('verifies under an older key, and not for another text, key or value', () => {
    const before = createSigner([vector]);
    const signature = before.sign('text');
    const after = createSigner([{ id: 'new', key: Buffer.alloc(32, 9) }, vector]);
    expect([after.keyId, after.publicKeys.map(({ kid }) => kid)]).toEqual(['new', ['new', 'vector']]);
    expect(after.verifies('text', signature)).toBe(true);
    expect(after.verifies('texts', signature)).toBe(false);
    expect(after.verifies('text', { ...signature, key_id: 'new' })).toBe(false);
    expect(after.verifies('text', { ...signature, key_id: 'unknown' })).toBe(false);
    expect(after.verifies('text', { ...signature, value: after.sign('text').value })).toBe(false);
    expect(() => createSigner([])).toThrow('no key');
  });
});
