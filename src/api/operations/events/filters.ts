// The filters of a webhook after a change: members that are not sent keep their value.
import type { EventKind } from '../../../domain/events/event';
import { invalid } from '../../../errors';
import type { WebhookFilters } from '../../../store/webhooks/webhooks';

/** The filters in a request; an absent one is unchanged. */
export type FilterChange = { readonly [K in keyof WebhookFilters]?: WebhookFilters[K] | undefined };

export const NO_FILTERS: WebhookFilters = {
  events: [],
  sports: [],
  countries: [],
  venues: [],
  minEdgePct: null,
  bookmakers: [],
  minMovePct: null,
};

/** Throws if the minimum edge, or the minimum move, would filter nothing. */
export function filtersOf(stored: WebhookFilters, wanted: FilterChange): WebhookFilters {
  const filters = {
    events: [...new Set(wanted.events ?? stored.events)],
    sports: [...new Set(wanted.sports ?? stored.sports)],
    countries: [...new Set(wanted.countries ?? stored.countries)],
    venues: [...new Set(wanted.venues ?? stored.venues)],
    minEdgePct: wanted.minEdgePct === undefined ? stored.minEdgePct : wanted.minEdgePct,
    bookmakers: [...new Set(wanted.bookmakers ?? stored.bookmakers)],
    minMovePct: wanted.minMovePct === undefined ? stored.minMovePct : wanted.minMovePct,
  };
  const { events, minEdgePct, minMovePct } = filters;
  requireKind(minEdgePct, '/min_edge_pct', 'arb.opportunity', events);
  requireKind(minMovePct, '/min_move_pct', 'odds.change', events);
  return filters;
}

function requireKind(least: number | null, pointer: string, kind: EventKind, events: readonly string[]): void {
  if (least === null || events.length === 0 || events.includes(kind)) return;
  throw invalid([{ pointer, detail: `${pointer} is only for webhooks whose events include ${kind}.` }]);
}
