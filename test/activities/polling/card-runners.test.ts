import { cachedRunners } from '../../../src/activities/polling/card-runners';

const NOON = Date.parse('2026-11-21T02:00:00Z');
let nowMs: number;
let reads: string[];
let answer: () => Promise<{ number: number; name: string }[]>;
const lookup = () =>
  cachedRunners(
    {
      runnersOf: (raceId) => {
        reads.push(raceId);
        return answer();
      },
    },
    () => nowMs,
  );

beforeEach(() => {
  nowMs = NOON;
  reads = [];
  answer = async () => [{ number: 1, name: 'Rover' }];
});

test('the names of a race are read once a minute, for any number of books', async () => {
  const runnersOf = lookup();
  const found = await Promise.all(['a', 'a', 'b', 'a'].map((raceId) => runnersOf(raceId)));
  expect(found[3]).toEqual([{ number: 1, name: 'Rover' }]);
  nowMs += 59_999;
  await runnersOf('a');
  expect(reads).toEqual(['a', 'b']);
});

test('no name is older than a minute, and races of one minute are read in the same moment of the next', async () => {
  const runnersOf = lookup();
  nowMs += 30_000;
  for (const raceId of ['a', 'b', 'c']) await runnersOf(raceId);
  nowMs += 30_000;
  reads = [];
  answer = async () => [{ number: 2, name: 'Rex' }];
  const found = runnersOf('b');
  expect(reads.sort()).toEqual(['a', 'b', 'c']);
  expect(await found).toEqual([{ number: 2, name: 'Rex' }]);
  expect(await runnersOf('a')).toEqual([{ number: 2, name: 'Rex' }]);
  expect(reads).toHaveLength(3);
  // A race that was not needed in this minute is not read in the next.
  nowMs += 60_000;
  reads = [];
  await runnersOf('a');
  expect(reads.sort()).toEqual(['a', 'b']);
});

test('a race that fails when others are read again is read when it is needed', async () => {
  const runnersOf = lookup();
  for (const raceId of ['a', 'b']) await runnersOf(raceId);
  nowMs += 60_000;
  reads = [];
  answer = async () => {
    throw new Error('away');
  };
  await expect(runnersOf('a')).rejects.toThrow('away');
  answer = async () => [{ number: 2, name: 'Rex' }];
  expect(await runnersOf('b')).toEqual([{ number: 2, name: 'Rex' }]);
});

test('neither a card without runners nor a failure is cached', async () => {
  const runnersOf = lookup();
  answer = async () => [];
  expect(await runnersOf('a')).toEqual([]);
  answer = async () => {
    throw new Error('away');
  };
  await expect(runnersOf('a')).rejects.toThrow('away');
  answer = async () => [{ number: 2, name: 'Rex' }];
  expect(await runnersOf('a')).toHaveLength(1);
  expect(reads).toHaveLength(3);
});
