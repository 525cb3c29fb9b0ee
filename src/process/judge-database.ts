// What a process refuses of its database before it serves. In production a login that is a superuser, because anything
// a publicly reachable process is tricked into the server would do; anywhere sessions without the settings that
// statements rely on, because a figure would be computed in another zone or by another clock, and a direct address that
// is none, because a revoked key would go on.
import { setTimeout as delay } from 'node:timers/promises';
import { type Patience, StartProblem, untilReady } from './until-ready';

export interface JudgedDatabase {
  readonly refusesSuperuser: boolean;
  readonly isSuperuser: () => Promise<boolean>;
  /** What its sessions lack, a part of a sentence each. */
  readonly lacking: () => Promise<readonly string[]>;
  /** What is wrong with its direct address, a sentence; null: nothing. */
  readonly wrongDirect: () => Promise<string | null>;
}

/** Waits until the database answers. Rejects with a `StartProblem` if it is refused. */
export async function refuseDatabase(database: JudgedDatabase, patience: Patience): Promise<void> {
  const problem = await untilReady('the database', () => problemOf(database), patience);
  if (problem !== null) throw new StartProblem(problem);
}

async function problemOf({
  refusesSuperuser,
  isSuperuser,
  lacking,
  wrongDirect,
}: JudgedDatabase): Promise<string | null> {
  if (refusesSuperuser && (await isSuperuser()))
    return 'the login of DATABASE_URL is a superuser: take one of the group racing_worker or racing_api (NODE_ENV=production)';
  const missing = await lacking();
  if (missing.length === 0) return wrongDirect();
  return `in sessions of DATABASE_URL ${missing.join('; ')}: a pooler drops what a process asks for, so run \`ops roles\`, which gives it to the login, and let the pooler connect again`;
}

/** Wall. */
const FIRST_ANSWER_WITHIN_MS = 5000;
const FOR_EVER_MS = 2 ** 31 - 1;

/**
 * For a process that also starts without its database: resolves when the database is judged, or does not answer yet;
 * `judged` then rejects as soon as it is refused. Rejects like `refuseDatabase`, except for a stop, which the caller
 * sees itself.
 */
export async function judgeDatabase(
  database: JudgedDatabase,
  { log, stop }: Pick<Patience, 'log' | 'stop'>,
  firstAnswerMs = FIRST_ANSWER_WITHIN_MS,
): Promise<{ readonly judged: Promise<void> }> {
  const judged = refuseDatabase(database, { log, stop, withinMs: FOR_EVER_MS }).catch((error) => {
    if (!stop.aborted) throw error;
  });
  const enough = new AbortController();
  const late = delay(firstAnswerMs, undefined, { signal: enough.signal });
  late.catch(() => undefined);
  judged.catch(() => undefined);
  await Promise.race([judged, late]).finally(() => enough.abort());
  return { judged };
}
