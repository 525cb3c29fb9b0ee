// GET /v1/racing/results (A 2.11, A 4.11).

import { Type } from '@sinclair/typebox';
import { aetDayBounds } from '../../../domain/time/aet';
import type { InputProblem } from '../../../errors';
import type { Reads } from '../../../store/reads/reads';
import type { ResultsSpan } from '../../../store/reads/results/results';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { oneMore, pageByOffset } from '../../kernel/http/response/next-page';
import { categories, category, choice, countryAlone, limit, offset, venue } from '../../wire/parameters';
import { presentResult } from './present-result';
import { exampleResult } from './result-example';
import { RaceResult, ResultStatus } from './result-schema';

const PATH = '/v1/racing/results';
/** Results collection began on this meeting day (A 2.11 rule 7). */
const RESULTS_FROM = '2026-08-15';
const HOUR_MS = 3_600_000;

export const raceResults = endpoint<{ baseUrl: string; reads: Reads }>()({
  method: 'get',
  path: PATH,
  operationId: 'race_results',
  tag: 'Racing',
  summary: 'Results of recent races',
  description:
    'Placings, dividends, deductions and, if available, the full field: newest advertised start first, then by `race_id`. Paging ' +
    'never skips or repeats a row while the data does not change. Settle only on `final`, and on each runner’s `status`. A ' +
    '`country` filter excludes results whose country is unknown. A country without a results feed (HK) has no rows.',
  auth: 'key',
  cost: flat(2),
  query: {
    hours_back: Type.Integer({
      default: 24,
      minimum: 1,
      maximum: 168,
      description: `How many hours back to look, by advertised start. Results begin on ${RESULTS_FROM}.`,
    }),
    date: Type.Optional(
      Type.String({
        format: 'date',
        description: `One meeting day (Australia/Sydney), ${RESULTS_FROM} or later. Cannot be combined with an \`hours_back\` other than 24.`,
      }),
    ),
    categories,
    category,
    venue,
    country: countryAlone,
    status: Type.Optional(choice(ResultStatus, { description: 'Only results with this status. Default: all.' })),
    limit: limit(50, 200),
    offset,
  },
  exclusive: [['hours_back', 'date']],
  rules: ({ date }) => notBeforeCollection(date),
  paged: true,
  ok: {
    description: 'The results, newest advertised start first.',
    schema: Type.Array(RaceResult),
    example: [exampleResult],
  },
  async handler({ query, audience, nowMs, services }) {
    const { status } = query;
    const filters = { categories: query.categories, venues: query.venue, countries: query.country, status };
    const { limit: most, offset: skip } = oneMore(query);
    const found = await services.reads.results({ ...spanOf(query, nowMs), ...filters, limit: most, offset: skip });
    const { rows, next } = pageByOffset(`${services.baseUrl}${PATH}`, query, found);
    const now = new Date(nowMs).toISOString();
    return { next, body: rows.map((row) => presentResult(row, audience, now)) };
  },
});

function notBeforeCollection(date: string | undefined): InputProblem[] {
  if (date === undefined || date >= RESULTS_FROM) return [];
  return [
    { parameter: 'date', detail: `date must be ${RESULTS_FROM} or later: results are collected from that day on.` },
  ];
}

function spanOf({ date, hours_back }: { date?: string; hours_back: number }, nowMs: number): ResultsSpan {
  if (date !== undefined) return { day: date };
  const iso = (ms: number) => new Date(ms).toISOString();
  const from = Math.max(nowMs - hours_back * HOUR_MS, aetDayBounds(RESULTS_FROM).startMs);
  // A meeting abandoned before its races has results before their starts.
  return { from: iso(from), until: iso(nowMs + 168 * HOUR_MS) };
}
