// Opens a few betslip links of each book, as a customer would (A 2.4 rule 6). A book whose links do not open is served
// without links until a later check passes. A book without a live race is not checked.

import { bookmaker } from '../../domain/bookmakers';
import { betslipUrl } from '../../domain/prices/betslip';
import { stillWanted } from '../activity-context';
import { type ActivityDeps, instantNow } from '../deps';

export interface LinkReport {
  readonly checked: readonly string[];
  readonly failing: readonly string[];
}

const RACES_PER_BOOK = 3;
const LONGEST_MS = 10_000;

type LinkDeps = Pick<ActivityDeps, 'betslip' | 'now' | 'log'> & {
  readonly stores: Pick<ActivityDeps['stores'], 'betslip'>;
};

/** `longestMs`: wall milliseconds that one link may take. */
export async function checkBetslipLinks(deps: LinkDeps, longestMs = LONGEST_MS): Promise<LinkReport> {
  const links = await liveLinks(deps);
  const checked: string[] = [];
  const failing: string[] = [];
  for (const [bookmakerKey, urls] of links) {
    stillWanted();
    const reasons = await Promise.all(urls.map((url) => whyShut(url, longestMs)));
    const failed = reasons.filter((reason) => reason !== null);
    // One link may name a race that closed a moment ago, so the book fails only when half of its links do.
    const ok = failed.length * 2 < urls.length;
    const result = { at: instantNow(deps), ok, links: urls.length, failed: failed.length, message: failed[0] ?? null };
    await deps.stores.betslip.recordCheck({ bookmakerKey, ...result });
    if (!ok) deps.log.warn({ book: bookmakerKey, ...result }, 'betslip links do not open');
    checked.push(bookmakerKey);
    if (!ok) failing.push(bookmakerKey);
  }
  return { checked, failing };
}

async function liveLinks({ stores, betslip, now }: LinkDeps): Promise<ReadonlyMap<string, readonly string[]>> {
  const at = instantNow({ now });
  const links = new Map<string, string[]>();
  for (const { bookmakerKey, runner } of await stores.betslip.sample(Object.keys(betslip), at, RACES_PER_BOOK)) {
    const url = betslipUrl(betslip[bookmakerKey]!, bookmaker(bookmakerKey)!.betslip!, runner, 'win');
    if (url) links.set(bookmakerKey, [...(links.get(bookmakerKey) ?? []), url]);
  }
  return links;
}

/** Null when the link opens. A redirect counts as open: an app's link sends a desktop browser to a download page. */
async function whyShut(url: string, longestMs: number): Promise<string | null> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(longestMs) });
    await response.body?.cancel();
    return response.status < 400 ? null : `${url}: ${response.status}`;
  } catch (error) {
    return `${url}: ${(error as Error).message}`;
  }
}
