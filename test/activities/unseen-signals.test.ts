// A poller's signals: never two at once, never repeated before the workflow could respond, and never left behind when
// the poller ends.
import type { ActivityDeps } from '../../src/activities/deps';
import { createUnseenSignals } from '../../src/activities/races/unseen-signals';

const start = (version: number) => ({
  start: { advertisedStart: `2026-11-21T03:0${version}:00.000Z`, version },
  abandonment: null,
});

function lab() {
  const clock = { nowMs: 0 };
  const sent: number[] = [];
  const open: { arrive(): void; fail(): void }[] = [];
  const signal = (_: unknown, { version }: { version: number }) =>
    new Promise<void>((resolve, reject) => {
      sent.push(version);
      open.push({ arrive: resolve, fail: () => reject(new Error('14 UNAVAILABLE')) });
    });
  const client = {
    withDeadline: (_: unknown, work: () => Promise<void>) => work(),
    workflow: { getHandle: () => ({ signal }) },
  };
  const deps = { client, now: () => clock.nowMs, log: { warn: () => undefined } } as unknown as ActivityDeps;
  return { signals: createUnseenSignals(deps, 'race'), clock, sent, open };
}

test('while one signal is in progress no other is sent, and the poller’s end waits for it', async () => {
  const { signals, sent, open } = lab();
  signals.signal(start(2));
  signals.signal(start(3));
  expect(sent).toEqual([2]);
  let over = false;
  const end = signals.settled().then(() => {
    over = true;
  });
  await new Promise((turn) => setImmediate(turn));
  expect(over).toBe(false);
  open[0]!.arrive();
  await end;
  signals.signal(start(3));
  expect(sent).toEqual([2, 3]);
});

test('an unseen signal that arrived is sent again after ten seconds; a failed one at once', async () => {
  const { signals, clock, sent, open } = lab();
  signals.signal(start(2));
  open[0]!.fail();
  await signals.settled();
  signals.signal(start(2));
  open[1]!.arrive();
  await signals.settled();
  clock.nowMs += 9_999;
  signals.signal(start(2));
  expect(sent).toEqual([2, 2]);
  clock.nowMs += 1;
  signals.signal(start(2));
  expect(sent).toEqual([2, 2, 2]);
});

test('without an unseen change nothing is sent', async () => {
  const { signals, sent } = lab();
  signals.signal(null);
  await signals.settled();
  expect(sent).toEqual([]);
});
