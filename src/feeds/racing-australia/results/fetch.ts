// Racing Australia's results, the full fields of Australian thoroughbreds (D25). High confidence in titles, columns, row classes, margins
// (lengths behind the winner, the winner's blank), prices and SB: pages of October 2025 kept by a public reader. Medium in what counts as a
// starter, in the other Finish codes and in INTERIM, ABANDONED and "Meeting Abandoned." (readers' code); low in how a page words a meeting
// that is postponed or transferred. Its use for wagering needs the owners' approval.
import { REGISTRY_STATES } from '../../../domain/registry/registry';
import type { ResultsRegistry } from '../../results-registry';
import { PATHS } from '../address';
import type { RegistrySite } from '../site';
import { mapResultsCalendar } from './calendar';
import { mapResults } from './results';
import { RESULTS_SOURCE } from './runner';

/** `site` is the one that the fields are read through, so that both keep its spacing. Regions are the states. */
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
