// In production no publicly reachable process works as a superuser of the database, because anything it is tricked into
// the server would do.
import { setTimeout as delay } from 'node:timers/promises';
import { type Patience, StartProblem, untilReady } from './until-ready';

/** Waits until the database answers. Rejects with a `StartProblem` if the login is a superuser. */
export async function refuseSuperuser(isSuperuser: () => Promise<boolean>, patience: Patience): Promise<void> {
  if (await untilReady('the database', isSuperuser, patience))
    throw new StartProblem(
      'the login of DATABASE_URL is a superuser: take one of the group racing_worker or racing_api (NODE_ENV=production)',
    );
}

/** Wall. */
const FIRST_ANSWER_WITHIN_MS = 5000;
const FOR_EVER_MS = 2 ** 31 - 1;

/**
 * For a process that also starts without its database: resolves when the login is judged, or there is no answer yet;
 * `judged` then rejects as soon as a superuser is found. Rejects like `refuseSuperuser`, except for a stop, which the
 * caller sees itself.
 */
export async function judgeLogin(
  { refusesSuperuser }: { readonly refusesSuperuser: boolean },
  isSuperuser: () => Promise<boolean>,
  { log, stop }: Pick<Patience, 'log' | 'stop'>,
  firstAnswerMs = FIRST_ANSWER_WITHIN_MS,
): Promise<{ readonly judged: Promise<void> }> {
  if (!refusesSuperuser) return { judged: Promise.resolve() };
  const judged = refuseSuperuser(isSuperuser, { log, stop, withinMs: FOR_EVER_MS }).catch((error) => {
    if (!stop.aborted) throw error;
  });
  const enough = new AbortController();
  const late = delay(firstAnswerMs, undefined, { signal: enough.signal });
  late.catch(() => undefined);
  judged.catch(() => undefined);
  await Promise.race([judged, late]).finally(() => enough.abort());
  return { judged };
}
