// GET /coverage-report.json (A 4.14). Public and free; the page /coverage-report shows the same.

import { ageSeconds } from '../../../domain/time/staleness';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { CoverageReport } from './coverage-report-schema';
import { exampleCoverageReport } from './examples';
import type { MeasuredCoverage } from './measure-coverage';

export const coverageReport = endpoint<{ coverageReport: (nowMs: number) => Promise<MeasuredCoverage> }>()({
  method: 'get',
  path: '/coverage-report.json',
  operationId: 'coverage_report',
  tag: 'Site',
  summary: 'What the service covers',
  description:
    'By code, country and bookmaker, the share of the races of the last seven Sydney days that have prices; the completeness of results; and what the ' +
    'archive has. Computed again every 30 minutes: `as_of` states when. A part that cannot be measured is null and named in `unavailable`; if no part can ' +
    'be measured, the response is a 503 that names them all. No key is required.',
  auth: 'none',
  cost: flat(0),
  ok: { description: 'The report.', schema: CoverageReport, example: exampleCoverageReport },
  async handler({ nowMs, services }) {
    const body = await services.coverageReport(nowMs);
    return { body, dataAgeSeconds: ageSeconds(Date.parse(body.as_of), nowMs) };
  },
});
