// The premiership tables that a query selects (B 4.9). While one of them was never read the response is a 503, because
// an empty list would look like a person outside the top 20.
import type { Static } from '@sinclair/typebox';
import {
  PREMIERSHIP_SCOPES,
  PREMIERSHIP_STATES,
  PREMIERSHIP_TOP,
  type PremiershipRole,
  type PremiershipScope,
  type PremiershipState,
  seasonOf,
} from '../../../domain/registry/premiership';
import { aetDay } from '../../../domain/time/aet';
import { ageSeconds } from '../../../domain/time/staleness';
import { ExpectedRefusal } from '../../../errors';
import type { StoredPremiership } from '../../../store/reads/premierships';
import type { Reads } from '../../../store/reads/reads';
import type { Premiership } from './premiership-schema';

interface Selection {
  readonly name?: string;
  readonly state?: PremiershipState;
  readonly scope?: PremiershipScope;
  readonly season: 'current' | 'previous';
}

interface Standings {
  readonly body: Static<typeof Premiership>;
  readonly dataAgeSeconds: number | null;
}

/** The collection reads a page a second and a whole season in some minutes. */
const RETRY_AFTER_SECONDS = 30;

export async function premiershipStandings(
  reads: Pick<Reads, 'premierships'>,
  role: PremiershipRole,
  { name, state, scope, season }: Selection,
  nowMs: number,
): Promise<Standings> {
  const searched = {
    role,
    seasonStartYear: seasonOf(aetDay(nowMs)) - (season === 'previous' ? 1 : 0),
    state: state ?? (name === undefined ? 'AUS' : null),
    scope: scope ?? (name === undefined ? 'all' : null),
    name: name?.trim() ?? null,
  } as const;
  const tables = await reads.premierships(searched);
  mustBeRead(
    tables,
    (searched.state ? 1 : PREMIERSHIP_STATES.length) * (searched.scope ? 1 : PREMIERSHIP_SCOPES.length),
  );
  const found = tables.filter(({ rows }) => rows.length > 0);
  const readAt = (found.length > 0 ? found : tables).flatMap(({ scraped_at }) => scraped_at ?? []).sort();
  const body = {
    role,
    season_start_year: searched.seasonStartYear,
    state: searched.state,
    scope: searched.scope,
    name: searched.name,
    rows: found.flatMap(rowsOf),
    source: {
      feed: 'racing-australia-premierships',
      region: 'AU',
      sport: 'thoroughbred',
      scraped_at: readAt.at(-1) ?? null,
      top_n: PREMIERSHIP_TOP,
    },
  } as const;
  return { body: { ...body, rows: [...body.rows] }, dataAgeSeconds: ageSeconds(Date.parse(readAt[0]!), nowMs) };
}

/** A table that the registry does not publish is not waited for, unless it is the only one. */
function mustBeRead(tables: readonly StoredPremiership[], wanted: number): void {
  const settled = tables.filter(({ scraped_at, absent }) => scraped_at !== null || absent);
  if (settled.length === wanted && settled.some(({ scraped_at }) => scraped_at !== null)) return;
  throw new ExpectedRefusal('store_filling', 'The premiership tables are still being collected.', {
    retry_after_seconds: RETRY_AFTER_SECONDS,
  });
}

const rowsOf = ({ state, scope, period_from, period_to, rows }: StoredPremiership) =>
  rows.map(({ code, ...row }) => ({ state, scope, ...row, ra_code: code, period_from, period_to }));
