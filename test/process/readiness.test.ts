import { watchReadiness } from '../../src/process/readiness';
import { reasonOf } from '../../src/process/until-ready';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A server that responds, refuses or hangs, as a test decides. */
function server() {
  const asked: { answer(): void; refuse(reason: string): void }[] = [];
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      asked.push({ answer: resolve, refuse: (reason) => reject(new Error(reason)) });
    });
  return { asked, ask };
}

const turn = () => jest.advanceTimersByTimeAsync(0);

test('ready means an answer from every server within the last seconds', async () => {
  const one = server();
  const other = server();
  const watch = watchReadiness(
    [
      { name: 'database', ask: one.ask },
      { name: 'temporal', ask: other.ask },
    ],
    reasonOf,
  );
  const none = { ok: false, reason: 'no answer yet' };
  expect(watch.now()).toEqual({ ok: false, needs: { database: none, temporal: none } });
  one.asked[0]!.answer();
  other.asked[0]!.refuse('refused');
  await turn();
  expect(watch.now()).toEqual({
    ok: false,
    needs: { database: { ok: true }, temporal: { ok: false, reason: 'refused' } },
  });
  await jest.advanceTimersByTimeAsync(2000);
  other.asked[1]!.answer();
  await turn();
  expect(watch.now()).toEqual({ ok: true, needs: { database: { ok: true }, temporal: { ok: true } } });
  watch.close();
});

test('the reported delay of a server is that of its last answer, and grows while the next is awaited', async () => {
  const { asked, ask } = server();
  const watch = watchReadiness([{ name: 'database', ask }], reasonOf);
  await jest.advanceTimersByTimeAsync(1500);
  asked[0]!.answer();
  await turn();
  expect(watch.answerTimes()).toEqual([['database', 1.5]]);
  await jest.advanceTimersByTimeAsync(500 + 1000);
  expect(watch.answerTimes()).toEqual([['database', 1.5]]);
  await jest.advanceTimersByTimeAsync(2000);
  expect(watch.answerTimes()).toEqual([['database', 3]]);
  asked[1]!.refuse('refused');
  await turn();
  expect(watch.answerTimes()).toEqual([['database', 1.5]]);
  watch.close();
});

test('a hanging server gets one query, makes the process not ready within ten seconds, and gets the next when it answers', async () => {
  const { asked, ask } = server();
  const watch = watchReadiness([{ name: 'temporal', ask }], reasonOf);
  asked[0]!.answer();
  await jest.advanceTimersByTimeAsync(2000);
  expect([watch.now().ok, asked.length]).toEqual([true, 2]);
  await jest.advanceTimersByTimeAsync(8000);
  expect([watch.now().ok, asked.length]).toEqual([false, 2]);
  asked[1]!.answer();
  await turn();
  expect(watch.now().ok).toBe(true);
  await jest.advanceTimersByTimeAsync(2000);
  expect(asked).toHaveLength(3);
  watch.close();
  await jest.advanceTimersByTimeAsync(10_000);
  expect(asked).toHaveLength(3);
});
