// Sends the mails of the outbox, in every API process, so that signing in works while Temporal is away. A nudge after a
// commit makes it at once; a poll finds the mails of processes that died, and those that are due again. Never logs a
// recipient or a text.
import { metrics } from '@opentelemetry/api';
import type { ClaimedMail, MailStore } from '../../store/accounts/mails';
import { stopUrlIn } from './stop-links';
import { failureOf, isRefusedForGood, type MailTransport } from './transport';

export interface MailSenderDeps {
  readonly mails: MailStore;
  /** Null: mails wait, and are only counted. */
  readonly transport: MailTransport | null;
  /** Wall clock, epoch milliseconds. */
  wallMs(): number;
  readonly log: { warn(fields: object, message: string): void };
  /** In [0, 1): jitter only. */
  random?(): number;
  readonly pollMs?: number;
}

export interface MailSender {
  /** A mail was written. */
  nudge(): void;
  /** Resolves when no mail is being sent any more. */
  stop(): Promise<void>;
}

const POLL_MS = 15_000;
/** Longer than one attempt: then the mail is another process's. */
const LEASE_MS = 120_000;
const AT_ONCE = 10;
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** Shorter than a lease: other processes have their turn. */
const UNOPENED_PAUSE_MS = 30_000;

const meter = metrics.getMeter('racing-odds/api');
const attempts = meter.createCounter('racing.mails', {
  description: 'Attempts to send a mail, by outcome: sent, failed (it is tried again) or given_up',
});
const waitingGauge = meter.createObservableGauge('racing.mails.waiting', {
  description: 'Mails that are still to be sent',
});
const oldestGauge = meter.createObservableGauge('racing.mails.oldest', {
  description: 'Age of the oldest mail that is still to be sent',
  unit: 's',
});

const iso = (ms: number): string => new Date(ms).toISOString();

export function startMailSender(deps: MailSenderDeps): MailSender {
  const { mails, transport, wallMs, log, pollMs = POLL_MS } = deps;
  let stopped = false;
  let again = false;
  let sending: Promise<void> | null = null;

  const sendDue = async (way: MailTransport): Promise<void> => {
    do {
      again = false;
      const nowMs = wallMs();
      const claimed = await mails.claim(iso(nowMs), iso(nowMs + LEASE_MS), AT_ONCE);
      await Promise.all(claimed.map((mail) => send(deps, mail, way)));
      if (claimed.length === AT_ONCE) again = true;
    } while (again && !stopped);
  };
  const nudge = (): void => {
    if (stopped || transport === null) return;
    again = true;
    // While the database is away the poll tries again.
    sending ??= sendDue(transport)
      .catch((error: unknown) => log.warn({ failure: failureOf(error) }, 'mails could not be read'))
      .finally(() => {
        sending = null;
      });
  };

  // Series that are there before the first failure: a rate needs the 0 before it.
  for (const outcome of ['sent', 'failed', 'given_up']) attempts.add(0, { outcome });
  const backlog = watchBacklog(mails, wallMs);
  const poll = setInterval(() => {
    nudge();
    backlog.read();
  }, pollMs).unref();
  nudge();
  backlog.read();
  return {
    nudge,
    async stop() {
      stopped = true;
      clearInterval(poll);
      backlog.stop();
      await sending;
      transport?.close();
    },
  };
}

/** One attempt. */
async function send(deps: MailSenderDeps, mail: ClaimedMail, way: MailTransport): Promise<void> {
  const { mails, wallMs, log } = deps;
  const giveUpMs = Date.parse(mail.giveUpAt);
  if (wallMs() >= giveUpMs) return giveUp(mails, mail, 'not sent in time');
  if ('problem' in mail.text) return wait(deps, mail, mail.text.problem);
  try {
    const body = mail.text.text;
    await way.send({ ...mail, body, unsubscribe: mail.list && stopUrlIn(mail.list, body) });
  } catch (error) {
    const dueMs = wallMs() + pauseMs(mail.attempts, deps.random);
    const problem = `${error}`.slice(0, 300);
    const why = { mailId: mail.mailId, attempt: mail.attempts, failure: failureOf(error) };
    log.warn(why, 'a mail was not sent');
    if (isRefusedForGood(error) || dueMs >= giveUpMs) return giveUp(mails, mail, problem);
    attempts.add(1, { outcome: 'failed' });
    return mails.failed(mail.mailId, iso(dueMs), problem);
  }
  attempts.add(1, { outcome: 'sent' });
  await mails.sent(mail.mailId, iso(wallMs()));
}

/** Its text cannot be opened here: another process may, and this one with another setting. */
function wait({ mails, wallMs, log }: MailSenderDeps, { mailId }: ClaimedMail, reason: string): Promise<void> {
  const problem = `The text of the mail cannot be opened: ${reason}.`;
  log.warn({ mailId, problem }, 'a mail was not sent');
  return mails.failed(mailId, iso(wallMs() + UNOPENED_PAUSE_MS), problem);
}

async function giveUp(mails: MailStore, { mailId }: ClaimedMail, problem: string): Promise<void> {
  attempts.add(1, { outcome: 'given_up' });
  await mails.failed(mailId, null, problem);
}

/** Doubles, with a fifth of jitter. */
function pauseMs(attempt: number, random = Math.random): number {
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempt - 1, 20));
  return pause * (0.8 + 0.4 * random());
}

function watchBacklog(mails: Pick<MailStore, 'waiting'>, wallMs: () => number) {
  let last: { readonly count: number; readonly oldestAt: string | null } | null = null;
  const count = (gauge: { observe(value: number): void }): void => {
    if (last) gauge.observe(last.count);
  };
  const age = (gauge: { observe(value: number): void }): void => {
    if (last) gauge.observe(last.oldestAt === null ? 0 : Math.max(0, (wallMs() - Date.parse(last.oldestAt)) / 1000));
  };
  waitingGauge.addCallback(count);
  oldestGauge.addCallback(age);
  return {
    read: (): void => {
      mails.waiting().then(
        (waiting) => {
          last = waiting;
        },
        () => {
          last = null;
        },
      );
    },
    stop: () => {
      waitingGauge.removeCallback(count);
      oldestGauge.removeCallback(age);
    },
  };
}
