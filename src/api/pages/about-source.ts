// The source of the pages about the service: what operations declare, and what its own checks measured.
import { CHECK_KNOWN_FOR_MS } from '../../domain/time/staleness';
import type { Reads } from '../../store/reads/reads';
import type { AboutSource, CallCost, GatedCalls } from '../../web/about/model';
import { type Endpoint, flat } from '../kernel/endpoint/endpoint';

interface AboutDeps {
  readonly reads: Pick<Reads, 'uptime' | 'uptimeHistory'>;
  readonly endpoints: readonly Endpoint[];
  readonly contact: string | null;
  readonly speed: number;
}

export function createAboutSource({ reads, endpoints, contact, speed }: AboutDeps): AboutSource {
  const costs = endpoints.filter(costsAnything).map(costOf);
  const gates = gatesOf(endpoints);
  return {
    costs: () => costs,
    gates: () => gates,
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

/** The call itself may be free, and what it orders cost credits later: its text says so. */
const costsAnything = ({ cost }: Endpoint): boolean => cost.text !== flat(0).text;

const linkOf = ({ summary, operationId }: Endpoint) => ({
  summary,
  page: `/docs/${operationId.replaceAll('_', '-')}`,
});

const costOf = (one: Endpoint): CallCost => ({
  ...linkOf(one),
  method: one.method.toUpperCase(),
  path: one.path,
  cost: one.cost.text,
});

function gatesOf(endpoints: readonly Endpoint[]): readonly GatedCalls[] {
  const gated = endpoints.flatMap((one) => (one.gate ? [{ gate: one.gate, link: linkOf(one) }] : []));
  const groups = Map.groupBy(gated, ({ gate: { right, text } }) => right ?? text);
  return [...groups.values()].map((group) => {
    const { right = null, text } = group[0]!.gate;
    return { right, rule: text, calls: group.map(({ link }) => link) };
  });
}
