// A production process that connects as a superuser ends, whether the database answers before it starts or later.
import { judgeLogin } from '../../src/process/superuser';

const log = { warn: () => undefined, info: () => undefined };
const refusesSuperuser = true;

test('a superuser is refused, another login is not, and outside production the database is not queried', async () => {
  const { signal: stop } = new AbortController();
  const judge = (answer: boolean) => judgeLogin({ refusesSuperuser }, async () => answer, { log, stop });
  await expect(judge(true)).rejects.toThrow(/superuser.*racing_worker or racing_api/);
  await (await judge(false)).judged;
  const never = async () => Promise.reject(new Error('queried'));
  await (await judgeLogin({ refusesSuperuser: false }, never, { log, stop })).judged;
});

test('without an answer the process starts, and ends if a superuser is found later', async () => {
  const { signal: stop } = new AbortController();
  let answer = (_: boolean): void => undefined;
  const late = new Promise<boolean>((done) => {
    answer = done;
  });
  const { judged } = await judgeLogin({ refusesSuperuser }, () => late, { log, stop }, 1);
  answer(true);
  await expect(judged).rejects.toThrow('superuser');
});

test('a process stopped before the database answers no longer waits for it', async () => {
  const stop = new AbortController();
  const judging = judgeLogin({ refusesSuperuser }, () => new Promise(() => undefined), { log, stop: stop.signal });
  stop.abort('SIGTERM');
  await (await judging).judged;
});
