// What must never happen while Temporal is silent: two queries of one process at a time, a query for each race, a race
// that is released before Temporal has answered about it, or a race that is never released. The clock is virtual.
import fc from 'fast-check';
import { createSilence } from '../../src/activities/silence';
import { runs } from '../support/property';

const SECOND = 1000;
const ANSWERS_AFTER_MS = 5;

/**
 * A Temporal that answers about a race from the `answersFromMs` of that race on, and a clock that waits and queries
 * advance.
 */
function silentTemporal(answersFromMs: readonly number[], random: () => number) {
  let nowMs = 0;
  let open = 0;
  const questions: { raceId: string; atMs: number; isAnswered: boolean }[] = [];
  const ask = async (raceId: string, withinMs: number) => {
    open += 1;
    expect(open).toBe(1);
    const isAnswered = nowMs >= answersFromMs[Number(raceId)]!;
    questions.push({ raceId, atMs: nowMs, isAnswered });
    await new Promise(setImmediate);
    nowMs += isAnswered ? ANSWERS_AFTER_MS : withinMs;
    open -= 1;
    if (!isAnswered) throw new Error('silent');
  };
  const wait = async (ms: number) => {
    await new Promise(setImmediate);
    nowMs += ms;
  };
  return { silence: createSilence(ask, random, wait), questions, now: () => nowMs };
}

const never = new AbortController().signal;

test('hundreds of races send a few queries a minute, one at a time, and all continue once one is answered', async () => {
  const races = 600;
  const SILENT_MS = 260 * SECOND;
  const { silence, questions, now } = silentTemporal(Array(races).fill(SILENT_MS), () => 0.5);
  await Promise.all(Array.from({ length: races }, (_, n) => silence.over(String(n), never)));
  const inSilence = questions.filter(({ atMs }) => atMs < SILENT_MS).length;
  expect(inSilence).toBeLessThanOrEqual(20);
  expect(questions.length - inSilence).toBe(races);
  expect(now() - SILENT_MS).toBeLessThan(30 * SECOND);
});

test('property: a race continues after its own answer, whatever is silent elsewhere and whoever leaves', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ answersFromMs: fc.nat(120 * SECOND), leaves: fc.boolean() }), {
        minLength: 1,
        maxLength: 12,
      }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      async (races, jitter) => {
        const temporal = silentTemporal(
          races.map(({ answersFromMs }) => answersFromMs),
          () => jitter,
        );
        const released: string[] = [];
        const leaving = new AbortController();
        const all = races.map(({ leaves }, n) => {
          const over = temporal.silence.over(String(n), leaves ? leaving.signal : never).then(() => {
            released.push(String(n));
            const own = temporal.questions.filter(({ raceId }) => raceId === String(n));
            expect(own.at(-1)!.isAnswered).toBe(true);
          });
          return leaves ? null : over;
        });
        await new Promise(setImmediate);
        const asked = temporal.questions.length;
        leaving.abort();
        await Promise.all(all);
        const late = temporal.questions.slice(asked).filter(({ raceId }) => races[Number(raceId)]!.leaves);
        expect(late).toEqual([]);
        expect(new Set(released).size).toBe(released.length);
        for (const n of races.keys()) if (!races[n]!.leaves) expect(released).toContain(String(n));
        // Queries after a silence are sent as the first was.
        await temporal.silence.over('0', never);
        expect(temporal.questions.at(-1)).toMatchObject({ raceId: '0', isAnswered: true });
      },
    ),
    { numRuns: runs(500) },
  ));

test('a query that cannot be sent counts as unanswered', async () => {
  let asked = 0;
  const ask = () => {
    asked += 1;
    if (asked === 1) throw new Error('the connection is closed');
    return Promise.resolve();
  };
  await createSilence(
    ask,
    () => 0,
    async () => undefined,
  ).over('a', never);
  expect(asked).toBe(2);
});
