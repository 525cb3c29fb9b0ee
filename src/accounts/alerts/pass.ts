// Mails price alerts whose price is there: a level that every API process compares every few seconds, and of which only
// one writes the mail. An account that fails delays no other.
import { metrics } from '@opentelemetry/api';
import type { Day } from '../../domain/race/race';
import { aetDay } from '../../domain/time/aet';
import { type RaceClock, toWallMs } from '../../domain/time/clock';
import { ALERT_NEWS_MS, MAILED_ALERTS_PER_DAY, OPEN_ALERTS } from '../../plans/limits';
import type { AlertMailing, ReachedAlert, ReachedAlertStore } from '../../store/accounts/alerts/reached-alerts';
import { stopUrl } from '../mail/stop-links';
import { mailTo } from '../mail/texts';
import { failureOf } from '../mail/transport';
import { alertMail } from './alert-mail';

export interface AlertPassDeps {
  readonly store: ReachedAlertStore;
  /** Signs the link that stops alerts. */
  linkSecret(): Promise<Buffer>;
  readonly baseUrl: string;
  readonly clock: RaceClock;
  /** Race time, epoch milliseconds. */
  now(): number;
  /** Wall clock, epoch milliseconds (D37). */
  wallMs(): number;
  /** A mail was written. */
  mailWritten(): void;
  readonly log: { warn(fields: object, message: string): void };
}

const meter = metrics.getMeter('racing-odds/api');
const reachedAlerts = meter.createCounter('racing.price_alerts', {
  description:
    'Price alerts whose price was reached, by outcome: mailed, over_bound (the account had the mails of the day), mails_off (its owner wants none), or failed (the account could not be written and is tried again)',
});
const passAge = meter.createObservableGauge('racing.price_alerts.pass_age', {
  description: 'Time since this process last compared all open price alerts with the prices',
  unit: 's',
});

const EVERY_MS = 5_000;
/** Of a mail: longer than this is tried also for a race that starts at once, and is late. */
const TRIED_MS = 120_000;
/** Of 500 alerts each; in as many rounds races that are over are left. */
const MOST_PAGES = 200;

interface Pass {
  /** Of accounts, which delay no other. */
  readonly failures: readonly unknown[];
  /** False: more alerts are left than one pass goes through. */
  readonly isWhole: boolean;
}

/** One pass over all pages and endings. */
export async function mailReachedAlerts(deps: AlertPassDeps): Promise<Pass> {
  const { store, now, wallMs } = deps;
  const failures: unknown[] = [];
  let after: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const found: Awaited<ReturnType<ReachedAlertStore['page']>> = await store.page(now(), after);
    failures.push(...(await writeAll(deps, found.reached)));
    after = found.after;
    if (after === null) break;
  }
  // Beside owners that are locked or fail, prices come first; what is opened is compared by the next pass.
  const reopened = await store.reopen(iso(now()), OPEN_ALERTS);
  failures.push(...reopened.failures);
  const isEnded = await allRounds(() => store.endOver(iso(now()), iso(wallMs())));
  return { failures, isWhole: after === null && reopened.isWhole && isEnded };
}

/** False: there may be more. */
async function allRounds(round: () => Promise<boolean>): Promise<boolean> {
  for (let done = 0; done < MOST_PAGES; done += 1) if (!(await round())) return true;
  return false;
}

async function writeAll(deps: AlertPassDeps, reached: readonly ReachedAlert[]): Promise<readonly unknown[]> {
  if (reached.length === 0) return [];
  const failures: unknown[] = [];
  const mailing = mailingOf(deps, await deps.linkSecret());
  const accounts = Map.groupBy(reached, ({ accountId }) => accountId);
  for (const [accountId, alerts] of accounts) {
    const ids = alerts.map(({ alertId }) => alertId);
    try {
      const { mailed, overBound, mailsOff } = await deps.store.write(accountId, ids, mailing);
      reachedAlerts.add(mailed, { outcome: 'mailed' });
      reachedAlerts.add(overBound, { outcome: 'over_bound' });
      reachedAlerts.add(mailsOff, { outcome: 'mails_off' });
      if (mailed > 0) deps.mailWritten();
    } catch (error) {
      reachedAlerts.add(ids.length, { outcome: 'failed' });
      failures.push(error);
    }
  }
  return failures;
}

/** A mail is of no use once the race has jumped, nor long after its price was seen. */
function mailingOf({ baseUrl, clock, now, wallMs }: AlertPassDeps, secret: Buffer): AlertMailing {
  return {
    now,
    wallMs,
    dayOf: (ms): Day => aetDay(ms),
    most: MAILED_ALERTS_PER_DAY,
    mailOf(email, alert, atMs) {
      const text = alertMail({ baseUrl, stopUrl: stopUrl('alerts', alert.accountId, { baseUrl, secret }) }, alert);
      const startMs = toWallMs(clock, Date.parse(alert.race.start_time));
      return mailTo(email, text, atMs, Math.min(Math.max(startMs, atMs + TRIED_MS), atMs + ALERT_NEWS_MS));
    },
  };
}

/** Until it is stopped, never two passes at once. `elapsedMs`: of a clock that no one sets. */
export function keepPriceAlerts(
  deps: AlertPassDeps,
  { everyMs = EVERY_MS, elapsedMs = () => performance.now() } = {},
): { stop(): Promise<void> } {
  for (const outcome of ['mailed', 'over_bound', 'mails_off', 'failed']) reachedAlerts.add(0, { outcome });
  let passedMs = elapsedMs();
  let pass: Promise<void> | null = null;
  const observe = (gauge: { observe(value: number): void }): void =>
    gauge.observe(Math.max(0, elapsedMs() - passedMs) / 1000);
  passAge.addCallback(observe);
  const timer = setInterval(() => {
    pass ??= mailReachedAlerts(deps)
      .then(({ failures, isWhole }) => {
        if (isWhole) passedMs = elapsedMs();
        if (failures.length > 0)
          deps.log.warn(
            { accounts: failures.length, failure: failureOf(failures[0]) },
            'the price alerts of some accounts were not written; they are tried again in seconds',
          );
      })
      .catch((error: unknown) =>
        deps.log.warn({ failure: failureOf(error) }, 'some price alerts were not compared; they will be in seconds'),
      )
      .finally(() => {
        pass = null;
      });
  }, everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      passAge.removeCallback(observe);
      await pass;
    },
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();
