// A process whose database it must not use ends, whether the database answers before it starts or later.
import { judgeDatabase } from '../../src/process/judge-database';

const log = { warn: () => undefined, info: () => undefined };
const lacking = async () => [];
const wrongDirect = async (): Promise<string | null> => null;
const safe = { refusesSuperuser: true, isSuperuser: async () => false, lacking, wrongDirect };

test('in production a superuser is refused, another login is not, and elsewhere nothing is asked about it', async () => {
  const { signal: stop } = new AbortController();
  const isSuperuser = async () => true;
  await expect(judgeDatabase({ ...safe, isSuperuser }, { log, stop })).rejects.toThrow(
    /superuser.*racing_worker or racing_api/,
  );
  await (await judgeDatabase(safe, { log, stop })).judged;
  const never = async () => Promise.reject(new Error('queried'));
  await (await judgeDatabase({ ...safe, refusesSuperuser: false, isSuperuser: never }, { log, stop })).judged;
});

test('sessions that lack a setting are refused everywhere, with the setting', async () => {
  const { signal: stop } = new AbortController();
  const judging = judgeDatabase(
    { ...safe, refusesSuperuser: false, lacking: async () => ['timezone is Australia/Sydney, not UTC'] },
    { log, stop },
  );
  await expect(judging).rejects.toThrow(/timezone is Australia\/Sydney, not UTC.*ops roles/);
});

test('a direct address that is none, or of another database, is refused everywhere, with the sentence', async () => {
  const { signal: stop } = new AbortController();
  const wrong = { ...safe, refusesSuperuser: false, wrongDirect: async () => 'DATABASE_URL leads to a pooler' };
  await expect(judgeDatabase(wrong, { log, stop })).rejects.toThrow(/^DATABASE_URL leads to a pooler$/);
});

test('without an answer the process starts, and ends if a superuser is found later', async () => {
  const { signal: stop } = new AbortController();
  let answer = (_: boolean): void => undefined;
  const late = new Promise<boolean>((done) => {
    answer = done;
  });
  const { judged } = await judgeDatabase({ ...safe, isSuperuser: () => late }, { log, stop }, 1);
  answer(true);
  await expect(judged).rejects.toThrow('superuser');
});

test('a process stopped before the database answers no longer waits for it', async () => {
  const stop = new AbortController();
  const judging = judgeDatabase(
    { ...safe, isSuperuser: () => new Promise(() => undefined) },
    { log, stop: stop.signal },
  );
  stop.abort('SIGTERM');
  await (await judging).judged;
});
