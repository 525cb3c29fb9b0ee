// Runs the tests for every registry on Racing Australia's results.
import { createRacingAustraliaResults } from '../../../src/feeds/racing-australia/results/fetch';
import { createRegistrySite } from '../../../src/feeds/racing-australia/site';
import { testResultsRegistry } from '../results-registry';
import { finishers, RESULTS_CALENDAR, RESULTS_KEY, resultsPage } from './results-pages';

testResultsRegistry({
  name: 'Racing Australia',
  create: (endpoint, now) =>
    createRacingAustraliaResults(createRegistrySite({ endpoint, now, wait: async () => undefined })),
  answers: (url) => ({
    type: 'text/html; charset=utf-8',
    body: url.includes('Calendar')
      ? RESULTS_CALENDAR
      : resultsPage([
          { number: 1, rows: finishers(8) },
          { number: 2, rows: finishers(5) },
        ]),
  }),
  listing: { key: RESULTS_KEY, day: '2026-11-20', region: 'VIC', venue: 'Sportsbet-Ballarat' },
  refPrefix: 'ra:',
});
