// Who may read the archive (B 4.1 to 4.3): Plus and above all of it, Standard by plan and by the day its key was issued
// (D11), others a free 403 with sample rows. The window that cuts rows is part of the caller's rights, under which
// responses are shared (D35).
import { AppError } from '../../../../errors';
import { PLANS, type Plan, planNamed } from '../../../../plans/plans';
import { accessTo, RIGHTS, type Right } from '../../../../plans/rights';
import { isUnreachable } from '../../../../store/pg/unreachable';
import type { ArchiveReads } from '../../../../store/reads/archive/archive-reads';
import type { SampleRace } from '../../../../store/reads/archive/sample-race';
import type { Reads } from '../../../../store/reads/reads';
import type { SharedAnswers } from '../../../../store/redis/shared-answers';
import type { Gate } from '../../../kernel/endpoint/endpoint';
import { exceptionsOf, planGate, planRequired } from '../../../kernel/endpoint/plan-gate';
import { upgradeUrl } from '../../../kernel/endpoint/upgrade';
import { type ArchiveQuery, isOlderThan } from './archive-query';

/** The services that the operations serving archive rows are bound to. */
export interface ArchiveServices {
  readonly reads: Pick<Reads, 'archive'>;
  readonly sharedAnswers: SharedAnswers;
  readonly baseUrl: string;
}

/** Some rows of this race, as customers get them. */
type SampleRows = (race: SampleRace, archive: ArchiveReads) => Promise<readonly object[]>;

const WINDOW_HEADER = 'X-Archive-Window-Days';
const SAMPLE_CACHED_MS = 60_000;

/** `sampled`: the rows of the sample; operations with one right may have different rows. */
export function archiveGate(
  name: 'archive' | 'price_paths',
  sample: SampleRows,
  sampled: string = name,
): Gate<ArchiveQuery, unknown, unknown, ArchiveServices> {
  const { title, least, ...right }: Right = RIGHTS[name];
  const { text, errors } = planGate(name);
  const enough = planNamed(least)!;
  const also = exceptionsOf(RIGHTS[name]);
  return {
    right: name,
    text: `${text} The 403 of other keys has a \`sample\` of rows.`,
    errors: right.window ? [...errors, 'archive_window'] : errors,
    headers: right.window
      ? { [WINDOW_HEADER]: 'Number of days back that this key reads. Absent if it reads all.' }
      : {},
    headersOfSome: true,
    async check({ caller: { plan, issuedAt }, query, nowMs, setHeader, baseUrl, services }) {
      const access = accessTo(name, plan, issuedAt);
      if (access === null) {
        const rows = await sampleOf(sampled, sample, services, nowMs);
        const { id } = answering(name, query, nowMs) ?? enough;
        throw planRequired(title, enough, plan, baseUrl, also, { sample: rows, required_plan: id });
      }
      if (access.days === null) return;
      setHeader(WINDOW_HEADER, String(access.days));
      if (isOlderThan(access.days, query, nowMs)) throw outside(access.days, plan, enough, baseUrl);
    },
  };
}

/** The cheapest plan on which the same request has rows; null if that depends on the race that it names. */
function answering(name: 'archive' | 'price_paths', query: ArchiveQuery, nowMs: number) {
  if (query.race_id !== undefined) return null;
  // As bought now: without what older keys keep.
  const issuedAt = new Date(nowMs).toISOString();
  return PLANS.find((plan) => {
    const access = accessTo(name, plan, issuedAt);
    return access && (access.days === null || !isOlderThan(access.days, query, nowMs));
  });
}

function outside(days: number, { title }: Plan, enough: Plan, baseUrl: string): AppError {
  const detail = `The ${title} plan reads the last ${days} days of the archive; all that you selected is older. The ${enough.title} plan and above read all of it.`;
  return new AppError('archive_window', detail, { required_plan: enough.id, upgrade_url: upgradeUrl(baseUrl) });
}

/** Rows of the newest race with a result; empty if there is none, absent while the database is unavailable. */
async function sampleOf(
  name: string,
  sample: SampleRows,
  { sharedAnswers, reads: { archive } }: ArchiveServices,
  nowMs: number,
): Promise<readonly object[] | undefined> {
  const read = async (): Promise<readonly object[]> => {
    const race = await archive.sampleRace();
    return race ? sample(race, archive) : [];
  };
  try {
    return (await sharedAnswers.get(`sample of ${name}`, SAMPLE_CACHED_MS, nowMs, read)).value;
  } catch (error) {
    if (isUnreachable(error)) return undefined;
    throw error;
  }
}
