// Reads the premiership tables that are due, one page after another, and stores each at once: a failed page is noted
// and read again later. Behind a wall it makes no further call.
import { type PremiershipTable, seasonOf } from '../../domain/registry/premiership';
import { premiershipsDue } from '../../domain/registry/premierships-due';
import { REGISTRY } from '../../domain/registry/registry';
import { aetDay } from '../../domain/time/aet';
import type { FeedReply } from '../../feeds/feed';
import { unlessCancelled } from '../activity-context';
import type { ActivityDeps } from '../deps';
import { healthOf } from '../polling/poll-book';
import { failureKind, LIMITED_FOR_MS, registryUnavailable } from './registry-failure';

export interface PremiershipsReport {
  readonly read: number;
  readonly failed: number;
}

type PremiershipDeps = Pick<ActivityDeps, 'now' | 'registry'> & {
  readonly stores: Pick<ActivityDeps['stores'], 'premierships' | 'health'>;
};

/** This many failures in a row are the site's, not the pages': the rest of the group waits for the next attempt. */
const GIVE_UP_AFTER = 3;

/** `alive` is called after every page. Rejects if pages failed that an attempt soon may bring. */
export async function collectPremierships(deps: PremiershipDeps, alive: () => void): Promise<PremiershipsReport> {
  const { registry, stores } = deps;
  const counts = { read: 0, failed: 0 };
  let missing = 0;
  if (!registry) return counts;
  const season = seasonOf(aetDay(deps.now()));
  for (const group of premiershipsDue(await stores.premierships.readings([season, season - 1]), deps.now())) {
    let inARow = 0;
    for (const table of group) {
      if (inARow === GIVE_UP_AFTER) break;
      const reply = await unlessCancelled(registry.premiership(table));
      alive();
      const isMissing = (await store(deps, table, reply)) === 'missing';
      inARow = isMissing ? inARow + 1 : 0;
      counts[reply.kind === 'failed' ? 'failed' : 'read'] += 1;
      missing += Number(isMissing);
      if (reply.kind !== 'failed' || !isMissing) continue;
      const kind = failureKind(reply);
      if (kind === 'walled') return counts;
      if (kind === 'paused')
        throw registryUnavailable('a pause before the next table', reply.retryAfterMs ?? LIMITED_FOR_MS);
    }
  }
  if (missing > 0) throw registryUnavailable(`${missing} premiership tables could not be read`);
  return counts;
}

/** `absent`: the page came without the table; `missing`: no page came. */
async function store(
  { stores: { premierships, health } }: PremiershipDeps,
  table: PremiershipTable,
  reply: FeedReply<Parameters<typeof premierships.save>[1]>,
): Promise<'stored' | 'absent' | 'missing'> {
  const absent = reply.kind === 'failed' && reply.reason === 'malformed';
  const written = reply.kind === 'ok' ? await premierships.save(table, reply.value, reply.observedAt) : false;
  if (reply.kind === 'failed') await premierships.noteTried(table, reply.observedAt, absent);
  await health.recordPolls([healthOf({ bookmakerKey: REGISTRY }, reply, Number(written))]);
  if (reply.kind !== 'failed') return 'stored';
  return absent ? 'absent' : 'missing';
}
