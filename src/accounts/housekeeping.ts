// Removes what has expired of sessions, links, keys and mails, those in files too: at the start of every API process
// and once an hour, in small statements. Every five minutes it writes the mails of what owners were not mailed about
// yet.
import { failureOf } from './mail/transport';

export interface HousekeepingDeps {
  /** Removes a bounded number of rows; true: there may be more. */
  readonly expired: { remove(at: string): Promise<boolean> };
  /** Mails in files; null: mails are not written to files. */
  readonly folder: { removeBefore(at: string): Promise<void> } | null;
  /** Writes the mails of what owners should look after. */
  readonly notices: (nowMs: number) => Promise<void>;
  /** Wall clock, epoch milliseconds. */
  wallMs(): number;
  readonly log: { warn(fields: object, message: string): void };
}

const HOUR_MS = 3_600_000;
const NOTICES_EVERY_MS = 300_000;
const MOST_ROUNDS = 50;
/** As long as the rows of mails. */
const FILES_KEPT_MS = 7 * 24 * HOUR_MS;

export function startHousekeeping({ expired, folder, notices, wallMs, log }: HousekeepingDeps): { stop(): void } {
  const run = async (): Promise<void> => {
    try {
      for (let round = 0; round < MOST_ROUNDS && (await expired.remove(new Date(wallMs()).toISOString())); round++);
      await folder?.removeBefore(new Date(wallMs() - FILES_KEPT_MS).toISOString());
    } catch (error) {
      log.warn({ failure: failureOf(error) }, 'what has expired was not removed; it will be in an hour');
    }
  };
  const mail = (): Promise<void> =>
    notices(wallMs()).catch((error: unknown) =>
      log.warn(
        { failure: failureOf(error) },
        'some owners were not mailed about their accounts; they will be in five minutes',
      ),
    );
  void run();
  void mail();
  const timers = [setInterval(() => void run(), HOUR_MS), setInterval(() => void mail(), NOTICES_EVERY_MS)];
  for (const timer of timers) timer.unref();
  return { stop: () => timers.forEach(clearInterval) };
}
