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
  nowMs += 1;
  await runnersOf('a');
  expect(reads).toEqual(['a', 'b', 'a']);
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
