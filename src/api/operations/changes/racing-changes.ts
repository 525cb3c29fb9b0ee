// GET /v1/racing/changes (A 2.8, A 4.8). Never cached. All times come from the database's clock, in race time, because
// another process with another clock may serve the next request.

import { type RaceClock, toRaceMs, toWallMs } from '../../../domain/time/clock';
import { AppError, type InputProblem, invalid } from '../../../errors';
import type { ChangedRace } from '../../../store/reads/races/changes';
import type { Reads } from '../../../store/reads/reads';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { categories, category, country, includeUnresolved } from '../../wire/parameters';
import { readableInstant } from '../../wire/vocabulary';
import type { BetslipBoard, LinkedRace } from '../betslip/betslip-links';
import { exampleChanges, RacingChanges } from './changes-schema';
import { OLDEST_MS, SET_BACK_MS } from './feed';
import { presentChanges } from './present-changes';

/** A client's clock may be this far ahead at its first request, without missing a change. */
const AHEAD_MS = 60_000;

export const racingChanges = endpoint<{ betslip: BetslipBoard; clock: RaceClock; reads: Reads }>()({
  method: 'get',
  path: '/v1/racing/changes',
  operationId: 'racing_changes',
  tag: 'Racing',
  summary: 'Changes since an instant',
  description:
    'Races on the live board whose win prices, race details or scratchings changed since `since`, with the current values of the ' +
    'changed prices. To start, call this operation, fetch `next-to-go` as far ahead as you want to follow, then continue from the ' +
    '`server_time` of the first call. Send the `server_time` of each response as the next `since`. No change is missed, but a ' +
    'change near the boundary can be returned twice: deduplicate by (`race_id`, `name`, `bookmaker_key`, `updated_at`). A change ' +
    'of the place price or of a Top 2 to 4 price alone is returned with the next change of the win price. A race stays on the ' +
    'board until ten minutes after its jump.',
  auth: 'key',
  neverCached: true,
  cost: flat(2),
  query: {
    since: readableInstant(
      'Return changes from this instant on: the `server_time` of the previous response. At most 30 minutes ago, and a minute ahead.',
    ),
    categories,
    category,
    country,
    include_unresolved: includeUnresolved,
  },
  ok: { description: 'The races that changed.', schema: RacingChanges, example: exampleChanges },
  async handler({ query, rights, audience, nowMs: raceMs, services }) {
    const { clock, reads, betslip } = services;
    const sinceMs = Date.parse(query.since);
    const { nowMs, settledMs, races } = await reads.changes({
      at: new Date(raceMs).toISOString(),
      sinceMs: toWallMs(clock, sinceMs),
      oldestMs: OLDEST_MS / clock.speed,
      aheadMs: AHEAD_MS / clock.speed,
      categories: query.categories,
      countries: query.country,
      includeUnresolved: query.include_unresolved,
      bookmakers: audience.bookmakers,
    });
    if (races === null) throw invalid([outOfReach(sinceMs, toRaceMs(clock, nowMs))]);
    const serverTime = serverTimeOf(clock, nowMs, settledMs);
    const links = rights.betslip ? await betslip.linksOf(races.map(linked)) : null;
    return { body: { server_time: serverTime, races: presentChanges(races, audience, clock, links) } };
  },
});

const sinceProblem = (what: string): InputProblem => ({ parameter: 'since', detail: `since ${what}.` });

function outOfReach(sinceMs: number, nowMs: number): InputProblem {
  const now = new Date(nowMs).toISOString();
  if (sinceMs > nowMs) return sinceProblem(`is in the future; the current time is ${now}`);
  return sinceProblem(
    `is older than 30 minutes; the current time is ${now}. Fetch next-to-go and follow the changes from there`,
  );
}

/**
 * A write in progress sets it back. If that lasts longer than a client may look back, the request fails; no change is
 * skipped.
 */
function serverTimeOf(clock: RaceClock, nowMs: number, settledMs: number): string {
  const serverMs = toRaceMs(clock, settledMs) - SET_BACK_MS;
  if (serverMs < toRaceMs(clock, nowMs) - OLDEST_MS) {
    const detail =
      'A write has been in progress for so long that the list of changes would be incomplete. Fetch next-to-go instead.';
    throw new AppError('unavailable', detail, { retry_after_seconds: 30 });
  }
  return new Date(serverMs).toISOString();
}

const linked = ({ race_id, quotes }: ChangedRace): LinkedRace => ({ race_id, books: quotes });
