// Failures on our own side: how long a poller waits after one, and when a gauge counts a decision that cannot be
// written.
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { backOffMs, CARD_BACK_OFF, createBackOff, LIVE_BACK_OFF } from '../../src/activities/back-off';
import { createFailingDecisions } from '../../src/activities/outcome/failing-decisions';

const MINUTE = 60_000;
const away = async (): Promise<never> => {
  throw new Error('the database is away');
};
const delayOf = (work: Promise<unknown>): Promise<number> =>
  work.then(
    () => Number.NaN,
    (error: ApplicationFailure) => Number(error.nextRetryDelay),
  );

test('each failure in a row doubles the wait of its race, up to the maximum; a success resets it', async () => {
  const backOff = createBackOff(() => 0.999_999);
  const delays: number[] = [];
  for (let i = 0; i < 7; i++) delays.push(await delayOf(backOff('a', CARD_BACK_OFF, away)));
  expect(delays.map((ms) => Math.round(ms / 1000))).toEqual([10, 20, 40, 80, 160, 300, 300]);
  expect(await delayOf(backOff('b', LIVE_BACK_OFF, away))).toBe(2000);
  expect(await backOff('a', CARD_BACK_OFF, async () => 'polled')).toBe('polled');
  expect(await delayOf(backOff('a', CARD_BACK_OFF, away))).toBe(10_000);
});

test('2,000 card races that fail together return over minutes, fewer than a tenth in any second; a live race within half a minute', () => {
  const outage = 6;
  const perSecond = new Map<number, number>();
  for (let i = 0; i < 2000; i++) {
    const second = Math.floor(backOffMs(CARD_BACK_OFF, outage, i / 2000) / 1000);
    perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
  }
  expect(Math.max(...perSecond.values())).toBeLessThan(20);
  expect(Math.max(...perSecond.keys())).toBeLessThanOrEqual((5 * MINUTE) / 1000);
  expect(backOffMs(LIVE_BACK_OFF, 50, 0.999_999)).toBeLessThanOrEqual(30_000);
});

test('a wait that sets its own delay, and a cancellation, pass through', async () => {
  const backOff = createBackOff(() => 0);
  const nothingYet = ApplicationFailure.create({ type: 'NothingYet', nextRetryDelay: 7 });
  for (const own of [nothingYet, new CancelledFailure('stop')])
    await expect(backOff('a', CARD_BACK_OFF, () => Promise.reject(own))).rejects.toBe(own);
});

test('the cause stays with the failure', async () => {
  const backOff = createBackOff(() => 0);
  await expect(backOff('a', CARD_BACK_OFF, away)).rejects.toMatchObject({
    type: 'OwnFailure',
    message: 'the database is away',
    cause: { message: 'the database is away' },
  });
});

describe('a decision that cannot be written', () => {
  const clock = { nowMs: 0 };
  const failing = () => createFailingDecisions(() => clock.nowMs);
  const fail = (decisions: ReturnType<typeof failing>, race: string, attempt: number) =>
    decisions.attempt(race, attempt, away).catch(() => undefined);

  test('counts from its tenth attempt until it is written', async () => {
    const decisions = failing();
    for (let attempt = 1; attempt <= 9; attempt++) await fail(decisions, 'a', attempt);
    expect(decisions.count()).toBe(0);
    await fail(decisions, 'a', 10);
    await fail(decisions, 'a', 11);
    await fail(decisions, 'b', 12);
    expect(decisions.count()).toBe(2);
    await decisions.attempt('a', 12, async () => undefined);
    expect(decisions.count()).toBe(1);
  });

  test('is forgotten when attempts stop, because another process wrote it', async () => {
    const decisions = failing();
    await fail(decisions, 'a', 10);
    clock.nowMs += 6 * MINUTE;
    expect(decisions.count()).toBe(0);
  });
});
