// Removes what has expired of sessions, links and mails: at the start of every API process and once an hour, in small statements.
import { failureOf } from './mail/transport';

export interface HousekeepingDeps {
  /** Removes a bounded number of rows; true: there may be more. */
  readonly expired: { remove(at: string): Promise<boolean> };
  /** Wall clock, epoch milliseconds. */
  wallMs(): number;
  readonly log: { warn(fields: object, message: string): void };
}

const HOUR_MS = 3_600_000;
const MOST_ROUNDS = 50;

export function startHousekeeping({ expired, wallMs, log }: HousekeepingDeps): { stop(): void } {
  const run = async (): Promise<void> => {
    try {
      for (let round = 0; round < MOST_ROUNDS && (await expired.remove(new Date(wallMs()).toISOString())); round++);
    } catch (error) {
      log.warn({ failure: failureOf(error) }, 'what has expired was not removed; it will be in an hour');
    }
  };
  void run();
  const timer = setInterval(() => void run(), HOUR_MS).unref();
  return { stop: () => clearInterval(timer) };
}
