// The source of the pages about the service: what operations declare, and what its own checks measured.
import { CHECK_KNOWN_FOR_MS } from '../../domain/time/staleness';
import type { Reads } from '../../store/reads/reads';
import type { AboutSource, CallCost } from '../../web/about/model';
import type { Endpoint } from '../kernel/endpoint/endpoint';

interface AboutDeps {
  readonly reads: Pick<Reads, 'uptime' | 'uptimeHistory'>;
  readonly endpoints: readonly Endpoint[];
  readonly contact: string | null;
  readonly speed: number;
}

export function createAboutSource({ reads, endpoints, contact, speed }: AboutDeps): AboutSource {
  const costs = endpoints.flatMap(({ cost, method, path, summary, operationId }): CallCost[] =>
    cost.constant === 0
      ? []
      : [
          {
            method: method.toUpperCase(),
            path,
            summary,
            cost: cost.text,
            page: `/docs/${operationId.replaceAll('_', '-')}`,
          },
        ],
  );
  return {
    costs: () => costs,
    contact,
    async status(nowMs) {
      const asOf = new Date(nowMs).toISOString();
      const [all, { days, outages }] = await Promise.all([
        reads.uptime(asOf),
        reads.uptimeHistory(asOf, CHECK_KNOWN_FOR_MS * speed),
      ]);
      return {
        asOf,
        checks: all.checks,
        ok: all.ok,
        firstCheck: all.first_check,
        lastCheck: all.last_check,
        lastOk: all.last_ok,
        medianLatencyMs: all.median_latency_ms,
        days,
        outages,
      };
    },
  };
}
