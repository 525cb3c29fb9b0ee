// Racing Australia's results: the full fields of Australian thoroughbreds (D25).
// Sources: pages of October 2025 kept by a public reader, and readers' code. Confidence is high for titles, columns, row classes, margins (lengths
// behind the winner, the winner's blank), prices and SB; medium for what counts as a starter, the other Finish codes and INTERIM, ABANDONED and
// "Meeting Abandoned."; low for the wording of a postponed or transferred meeting.
// Its use for wagering needs the owners' approval.
import { REGISTRY_STATES } from '../../../domain/registry/registry';
import type { ResultsRegistry } from '../../results-registry';
import { PATHS } from '../address';
import type { RegistrySite } from '../site';
import { mapResultsCalendar } from './calendar';
import { mapResults } from './results';
import { RESULTS_SOURCE } from './runner';

/** `site` must be the one that fetches the fields, so that both share its spacing. Regions are the states. */
export function createRacingAustraliaResults(site: RegistrySite): ResultsRegistry {
  return {
    source: RESULTS_SOURCE,
    category: 'horse',
    regions: REGISTRY_STATES,
    listings: (region, from, to, call) =>
      site.page(PATHS.resultsCalendar(region), (html) => mapResultsCalendar(html, from, to), call),
    meeting: (key, call) => site.page(PATHS.results(key), (html) => mapResults(html, key), call),
  };
}
