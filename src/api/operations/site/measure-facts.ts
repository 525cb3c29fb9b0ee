// Public facts about the platform (A 4.14), from the counts of the archive, `/v1/health`, `/v1/uptime` and the
// declarations of the operations. A fact that cannot be measured is left out and named; if nothing was measured the
// response is a 503, whatever is declared.
import type { Static } from '@sinclair/typebox';
import { visibleToCustomers } from '../../../domain/bookmakers';
import { aetDay } from '../../../domain/time/aet';
import type { ArchiveCoverage } from '../../../store/reads/archive/coverage';
import type { ConnectorHealthRow } from '../../../store/reads/connectors/connector-health';
import type { UptimeRow } from '../../../store/reads/connectors/uptime';
import type { Reads } from '../../../store/reads/reads';
import type { SharedAnswers } from '../../../store/redis/shared-answers';
import { roundPct } from '../../wire/rounded';
import { presentUptime } from '../connectors/present-health';
import type { PlatformFacts as Schema } from './platform-facts-schema';
import { recomputed, standsFor } from './recomputed';
import { missingOf, unmeasurable } from './unmeasurable';

export type MeasuredFacts = Static<typeof Schema>;
type Facts = MeasuredFacts['facts'];

const FORM = 'platform facts 1';
const DAY_MS = 86_400_000;

const NO_PRICES = 'The archive has no prices yet.';
const NO_CHECK = 'The probe has recorded no check in the last 30 days.';
const REASONS: Readonly<Record<Exclude<keyof Facts, 'operations_served'>, string>> = {
  bookmakers_collected: 'No bookmaker has been polled yet.',
  races_archived: NO_PRICES,
  closing_lines_archived: NO_PRICES,
  prices_archived: NO_PRICES,
  archive_first_day: NO_PRICES,
  uptime_30d_pct: NO_CHECK,
  probe_latency_median_ms: 'No check of the probe has passed in the last 30 days.',
};

interface FactsDeps {
  readonly reads: Pick<Reads, 'archive' | 'connectorHealth' | 'uptime'>;
  readonly shared: SharedAnswers;
  /** In the OpenAPI document. */
  readonly operations: number;
}

/** Throws the 503 of a platform without any measurement. */
export function createPlatformFacts({
  reads,
  shared,
  operations,
}: FactsDeps): (nowMs: number) => Promise<MeasuredFacts> {
  return recomputed(FORM, shared, async (nowMs) => {
    const as_of = new Date(nowMs).toISOString();
    const [archived, polled, uptime] = await Promise.all([
      reads.archive.coverage(),
      reads.connectorHealth(),
      reads.uptime(as_of),
    ]);
    const measured = { ...ofBooks(polled, nowMs), ...ofArchive(archived, as_of), ...ofProbe(uptime) };
    const unavailable = missingOf(measured, REASONS);
    if (Object.keys(measured).length === 0) throw unmeasurable(unavailable);
    const operations_served = { value: operations, as_of, measured: 'Counted in the document at /openapi.json.' };
    const facts = { ...measured, operations_served };
    return { as_of, recomputed_after_s: standsFor({ unavailable }), facts, unavailable };
  });
}

function ofBooks(rows: readonly ConnectorHealthRow[], nowMs: number): Facts {
  const books = rows.filter(({ connector }) => visibleToCustomers(connector));
  if (books.length === 0) return {};
  const value = books.filter(({ last_ok_at: at }) => at !== null && nowMs - Date.parse(at) < DAY_MS).length;
  const measured = 'Bookmakers with a successful poll or push in the last 24 hours.';
  return { bookmakers_collected: { value, as_of: new Date(nowMs).toISOString(), measured } };
}

function ofArchive({ archive_from, categories }: ArchiveCoverage, as_of: string): Facts {
  if (archive_from === null) return {};
  const exact = (count: 'races' | 'rows' | 'prices', what: string) => ({
    value: categories.reduce((sum, one) => sum + one[count], 0),
    as_of,
    measured: `${what}, counted exactly as each race is archived.`,
  });
  return {
    races_archived: exact('races', 'Races of which the archive has prices'),
    closing_lines_archived: exact('rows', 'Rows of closing-lines: one for each race, runner and bookmaker'),
    prices_archived: exact('prices', 'Rows of price-paths: captured prices'),
    archive_first_day: {
      value: aetDay(Date.parse(archive_from)),
      as_of,
      measured: 'Sydney day on which the first race of the archive started.',
    },
  };
}

function ofProbe(row: UptimeRow): Facts {
  const { last_check: as_of, median_latency_ms: latency } = row;
  if (as_of === null) return {};
  const { uptime_30d_pct: uptime, measures, checks } = presentUptime(row, '', Date.parse(as_of), 1);
  return {
    ...(uptime !== null && { uptime_30d_pct: { value: uptime, as_of, measured: `${measures} ${checks} probes.` } }),
    ...(latency !== null && { probe_latency_median_ms: { value: roundPct(latency), as_of, measured: LATENCY } }),
  };
}

const LATENCY =
  'Median round trip of the probes of the service’s own health endpoint that passed in the last 30 days, from inside the service: the network between ' +
  'the service and you is not in it.';
