// The time span of a request for past sports prices.
import type { InputProblem } from '../../../errors';
import { unknownBookmakers } from '../../kernel/endpoint/rules';
import type { Audience } from '../../kernel/endpoint/visibility';
import { pageAddress } from '../../kernel/http/response/next-page';
import { endOf, instantOf, startOf } from '../archive/pages/archive-query';

const USUAL_DAYS = 7;
const MOST_DAYS = 31;
const DAY_MS = 86_400_000;

interface Sent {
  readonly from?: string;
  readonly to?: string;
  readonly bookmakers?: readonly string[];
}

interface Page extends Sent {
  readonly market?: string;
  readonly event_ids?: readonly string[];
  readonly offset: number;
}

interface Context {
  readonly audience: Audience;
  readonly nowMs: number;
  readonly given: ReadonlySet<string>;
}

/** `until` is exclusive. Default: the last seven days. */
export function spanOf({ from, to }: Sent, nowMs: number): { readonly from: string; readonly until: string } {
  const untilMs = to === undefined ? nowMs + 1 : endOf(to);
  return {
    from: instantOf(from === undefined ? untilMs - USUAL_DAYS * DAY_MS : startOf(from)),
    until: instantOf(untilMs),
  };
}

/**
 * The address of the page after one of `count` matches: over the same span, so that neither time nor new matches shift
 * a page.
 */
export function nextPage(
  address: string,
  { market, bookmakers, event_ids, offset }: Page,
  { from, until }: ReturnType<typeof spanOf>,
  count: number,
): string {
  const to = instantOf(Date.parse(until) - 1);
  return pageAddress(address, { market, bookmakers, event_ids }, { from, to, offset: offset + count });
}

/** What the schema of the parameters cannot express. */
export function spanRules(query: Sent, { audience, nowMs, given }: Context): InputProblem[] {
  const { from, to, bookmakers } = query;
  const problems = unknownBookmakers(bookmakers, audience);
  // An unreadable one has its own problem.
  if (from === undefined || (to === undefined && given.has('to'))) return problems;
  const spanMs = (to === undefined ? nowMs + 1 : endOf(to)) - startOf(from);
  const end = to === undefined ? 'now' : `to (${to})`;
  if (spanMs <= 0) problems.push({ parameter: 'from', detail: `from (${from}) must not be after ${end}.` });
  // A Sydney day may have 25 hours.
  if (spanMs > MOST_DAYS * DAY_MS + DAY_MS / 24)
    problems.push({ parameter: 'from', detail: `from (${from}) to ${end} is more than ${MOST_DAYS} days.` });
  return problems;
}
