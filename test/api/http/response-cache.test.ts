// One second's answers: who is given what was computed for another, and who is not.
import { type PreparedResponse, prepareResponse } from '../../../src/api/http/prepared-response';
import { BOUNDS, createResponseCache } from '../../../src/api/http/response-cache';
import { tagOfText } from '../../../src/api/http/tag';

const SECOND = Date.parse('2026-11-21T03:00:00.000Z');
const reply = (body: unknown, forOneOnly = false) => prepareResponse({ body, forOneOnly }, tagOfText);

/** Computations that are begun, and end when the test says so. */
function computations() {
  const begun: { end(one: PreparedResponse): void; fail(error: Error): void }[] = [];
  const compute = () => new Promise<PreparedResponse>((end, fail) => void begun.push({ end, fail }));
  return { begun, compute };
}

const setUp = (over: Partial<typeof BOUNDS> = {}) => {
  const wall = { ms: 0 };
  return { wall, held: createResponseCache({ ...BOUNDS, ...over }, () => wall.ms), ...computations() };
};

test('the same question in the same second is computed once, while it is being computed and after', async () => {
  const { held, begun, compute } = setUp();
  const both = [held.forSecond('a', SECOND, compute), held.forSecond('a', SECOND, compute)];
  expect(begun).toHaveLength(1);
  const one = reply({ price: 2 });
  begun[0]!.end(one);
  expect(await Promise.all(both)).toEqual([one, one]);
  expect(await held.forSecond('a', SECOND, compute)).toBe(one);
  expect(begun).toHaveLength(1);
});

test.each([
  ['another question', 'b', SECOND],
  ['the next second', 'a', SECOND + 1000],
  ['a second of a clock that was set back', 'a', SECOND - 1000],
])('%s is computed anew', async (_, question, nowMs) => {
  const { held, begun, compute } = setUp();
  const first = held.forSecond('a', SECOND, compute);
  begun[0]!.end(reply(1));
  await first;
  void held.forSecond(question, nowMs, compute);
  expect(begun).toHaveLength(2);
});

test('where the race clock stands still, an answer is given for a second of the wall', async () => {
  const { held, wall, begun, compute } = setUp();
  const first = held.forSecond('a', SECOND, compute);
  begun[0]!.end(reply(1));
  await first;
  wall.ms = 999;
  expect(await held.forSecond('a', SECOND, compute)).toBe(await first);
  wall.ms = 1000;
  void held.forSecond('a', SECOND, compute);
  expect(begun).toHaveLength(2);
});

test('a failure fails for all who waited, and is not held', async () => {
  const { held, begun, compute } = setUp();
  const both = [held.forSecond('a', SECOND, compute), held.forSecond('a', SECOND, compute)];
  begun[0]!.fail(new Error('away'));
  for (const one of both) await expect(one).rejects.toThrow('away');
  const again = held.forSecond('a', SECOND, compute);
  begun[1]!.end(reply('back'));
  expect(await again).toEqual(reply('back'));
});

test('what was made for one request is told to that one: those who waited share the next, which is held', async () => {
  const { held, begun, compute } = setUp();
  const [first, second, third] = [1, 2, 3].map(() => held.forSecond('a', SECOND, compute));
  const [own, next] = [reply({ cached: false }, true), reply({ cached: true })];
  begun[0]!.end(own);
  expect(await first).toBe(own);
  expect(begun).toHaveLength(2);
  begun[1]!.end(next);
  expect(await Promise.all([second, third])).toEqual([next, next]);
  expect(await held.forSecond('a', SECOND, compute)).toBe(next);
});

test('those who waited wait once more at most, however often an answer is one request’s alone', async () => {
  const { held, begun, compute } = setUp();
  const [, second] = [1, 2].map(() => held.forSecond('a', SECOND, compute));
  begun[0]!.end(reply(1, true));
  await held.forSecond('b', SECOND, async () => reply(0));
  const own = reply(2, true);
  begun[1]!.end(own);
  expect(await second).toBe(own);
});

test('past its bound of answers a second drops the one that was used least recently', async () => {
  const { held, begun, compute } = setUp({ entries: 2 });
  const give = async (question: string) => {
    const asked = held.forSecond(question, SECOND, compute);
    begun.at(-1)!.end(reply(question));
    return (await asked).bytes.toString();
  };
  for (const question of ['a', 'b', 'a', 'c', 'a']) expect(await give(question)).toBe(`"${question}"`);
  expect(begun).toHaveLength(3);
  void held.forSecond('b', SECOND, compute);
  expect(begun).toHaveLength(4);
});

test('past its bound of bytes a second gives what it has and holds no more', async () => {
  const { held, begun, compute } = setUp({ bytes: 1 });
  const both = [held.forSecond('a', SECOND, compute), held.forSecond('a', SECOND, compute)];
  const one = reply('first');
  begun[0]!.end(one);
  expect(await Promise.all(both)).toEqual([one, one]);
  for (let i = 0; i < 2; i++) void held.forSecond('b', SECOND, compute);
  void held.forSecond('a', SECOND, compute);
  expect(begun).toHaveLength(3);
});

test('what may not be held is shared by those who ask within a moment of its beginning, and by nobody later', async () => {
  const { wall, held, begun, compute } = setUp();
  const both = [held.coalesce('a', compute), held.coalesce('a', compute)];
  void held.coalesce('b', compute);
  expect(begun).toHaveLength(2);
  begun[0]!.end(reply(1));
  expect(await Promise.all(both)).toEqual([reply(1), reply(1)]);
  wall.ms = 24;
  void held.coalesce('a', compute);
  expect(begun).toHaveLength(2);
  wall.ms = 25;
  const later = held.coalesce('a', compute);
  expect(begun).toHaveLength(3);
  begun[2]!.fail(new Error('away'));
  await expect(later).rejects.toThrow('away');
  void held.coalesce('a', compute);
  expect(begun).toHaveLength(4);
});

test('held for no time at all, every call computes its own', () => {
  const { held, begun, compute } = setUp({ cachedMs: 0 });
  for (let i = 0; i < 2; i++) void held.forSecond('a', SECOND, compute);
  for (let i = 0; i < 2; i++) void held.coalesce('a', compute);
  expect(begun).toHaveLength(4);
});
