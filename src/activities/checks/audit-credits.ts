// Audits the credits that have changed since they were audited last, of this month and the last, a page of accounts
// at a time. It only reads what charges write, and holds no lock of theirs. A run that takes too long is continued by
// the next, which begins with what was audited the longest ago.
import { periodAt } from '../../plans/credits';
import type { ActivityDeps } from '../deps';

type AuditDeps = Pick<ActivityDeps, 'log' | 'wallMs'> & {
  readonly stores: Pick<ActivityDeps['stores'], 'creditAudits'>;
};

export interface CreditsAudited {
  readonly accounts: number;
  readonly faults: number;
  /** Whether it came to the end of what has changed. */
  readonly isWhole: boolean;
}

const PAGE = 20;
/** Of one run. */
const WITHIN_MS = 20 * 60_000;
const MOST_LOGGED = 20;

export async function auditChangedCredits(
  { stores: { creditAudits }, log, wallMs }: AuditDeps,
  alive: () => void = () => undefined,
  page = PAGE,
): Promise<CreditsAudited> {
  const startMs = wallMs();
  const at = new Date(startMs).toISOString();
  const since = periodAt(periodAt(startMs).startMs - 1).id;
  const faults: string[] = [];
  let accounts = 0;
  let isWhole = true;
  for (const month of await creditAudits.months(since)) {
    let audited = page;
    while (audited === page && isWhole) {
      alive();
      const found = await creditAudits.audit({ month, at, most: page });
      audited = found.accounts;
      accounts += audited;
      faults.push(...found.faults);
      isWhole = wallMs() - startMs < WITHIN_MS;
    }
  }
  await creditAudits.forget(since);
  if (faults.length > 0)
    log.error({ count: faults.length, faults: faults.slice(0, MOST_LOGGED) }, 'credits do not add up');
  if (!isWhole) log.warn({ accounts }, 'the audit of credits goes on in the next hour');
  return { accounts, faults: faults.length, isWhole };
}
