// GET /v1/uptime (A 4.13; shapes 3.8). Public and free.

import type { RaceClock } from '../../../domain/time/clock';
import type { Reads } from '../../../store/reads/reads';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { Uptime } from './health-schema';
import { presentUptime } from './present-health';

export const uptimeStats = endpoint<{ baseUrl: string; clock: RaceClock; reads: Reads }>()({
  method: 'get',
  path: '/v1/uptime',
  operationId: 'uptime_stats',
  tag: 'Health',
  summary: 'Measured uptime over the last 30 days',
  description:
    'The share of health checks that passed. Null, never a substitute figure, if nothing was measured. No key is required.',
  auth: 'none',
  cost: flat(0),
  ok: {
    description: 'The measured uptime.',
    schema: Uptime,
    example: {
      uptime_30d_pct: 99.965,
      checks: 8640,
      probe_target: 'https://api.example.com/healthz',
      measures: 'Share of probes of the service’s own health endpoint that were answered in time.',
      note: 'Measured by a probe inside the service.',
      last_check: '2026-11-21T03:00:00.000Z',
      last_status: 'ok',
      monitor_stale: false,
      last_check_age_min: 2.5,
      window_first_check: '2026-10-22T03:05:00.000Z',
      window_span_days: 29.998,
    },
  },
  async handler({ nowMs, services }) {
    const row = await services.reads.uptime(new Date(nowMs).toISOString());
    return { body: presentUptime(row, `${services.baseUrl}/healthz`, nowMs, services.clock.speed) };
  },
});
