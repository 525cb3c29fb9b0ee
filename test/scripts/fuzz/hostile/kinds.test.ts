import { join } from 'node:path';

interface Case {
  readonly name: string;
  readonly sends: readonly Buffer[];
  readonly requests: readonly object[];
}
interface Kind {
  readonly name: string;
  cases(setup: object): Iterable<Case>;
}
const hostile = (file: string) => require(join(__dirname, '../../../../scripts/fuzz/hostile', file));
const { KINDS } = hostile('battery.mjs') as { KINDS: readonly Kind[] };
const { randomFrom } = hostile('random.mjs') as { randomFrom(seed: number): object };

const operation = (method: string, over: object = {}) => ({
  method,
  target: `/v1/${method}`,
  key: 'k',
  parameters: ['day', 'limit'],
  example: null,
  ...over,
});
const setup = (seed: number) => ({
  reading: [operation('GET')],
  writing: [operation('POST', { example: { rows: [{ name: 'a', number: 1 }] } })],
  keys: { free: 'f', plus: 'p', enterprise: 'e', internal: 'i' },
  unknownKeys: Array.from({ length: 20 }, (_, i) => `u${i}`),
  about: { days: ['2026-11-21'], races: ['r'], answered: ['/v1/one'] },
  pages: ['/race/:race_id'],
  inPaths: {},
  random: randomFrom(seed),
});

const written = (kind: Kind, seed: number): string[] =>
  [...kind.cases(setup(seed))].map(({ name, sends }) => `${name}\n${Buffer.concat(sends).toString('latin1')}`);

test.each(KINDS.map((kind) => [kind.name, kind] as const))('%s: one seed, one list of requests', (_name, kind) => {
  const first = written(kind, 7);
  expect(first.length).toBeGreaterThan(5);
  expect(written(kind, 7)).toEqual(first);
  expect(first.filter((one) => one.includes('undefined'))).toEqual([]);
});

test('another seed makes other requests', () => {
  const names = KINDS.find(({ name }) => name === 'names')!;
  expect(written(names, 8)).not.toEqual(written(names, 7));
});
