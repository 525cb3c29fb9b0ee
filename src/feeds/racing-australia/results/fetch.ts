// Racing Australia's results: the full fields of Australian thoroughbreds (D25).
// Sources: pages of October 2025 saved by a public reader, and readers' code. Confidence is high for titles, columns,
// row classes, margins (lengths behind the winner, the winner's blank), prices and SB; medium for what counts as a
// starter, the other Finish codes and INTERIM, ABANDONED and "Meeting Abandoned."; low for the wording of a postponed
// or transferred meeting. Its use for wagering needs the owners' approval.
import { REGISTRY_STATES } from '../../../domain/registry/registry';
import { addDays } from '../../../domain/time/aet';
import type { ResultsRegistry } from '../../results-registry';
import { PATHS } from '../address';
import type { RegistrySite } from '../site';
import { mapResultsCalendar } from './calendar';
import { mapResults } from './results';
import { RESULTS_SOURCE } from './runner';

/** The calendar covers about a month. */
const DAYS_LISTED = 31;

/** `site` must be the site that fetches the fields, so that both share its spacing. Regions are the states. */
export function createRacingAustraliaResults(site: RegistrySite): ResultsRegistry {
  return {
    source: RESULTS_SOURCE,
    category: 'horse',
    regions: REGISTRY_STATES,
    beginsOn: (today) => addDays(today, -DAYS_LISTED),
    listings: (region, from, to, call, purpose) =>
      site.page(PATHS.resultsCalendar(region), (html) => mapResultsCalendar(html, from, to), call, purpose),
    meeting: (key, call, purpose) => site.page(PATHS.results(key), (html) => mapResults(html, key), call, purpose),
  };
}
