// The findings of the audit of a push of sports: its figures, and each fault by bookmaker, match and market.

import { MARKETS, type MatchMarket } from '../sports/sports';
import { aetDay } from '../time/aet';
import type { AuditFigures, Finding } from './audit';
import { distance } from './comparison';
import type { MatchCell } from './second-reader/pushed-matches';

export interface ReadMatch {
  readonly match: {
    readonly eventId: string;
    readonly homeTeam: string;
    readonly awayTeam: string;
    readonly commenceTime: string;
  };
  readonly bookmakerKey: string;
  readonly cells: readonly MatchCell[];
}

type Fault = 'diff' | 'missing_api' | 'missing_source';

function faultOf({ api, source }: MatchCell): Fault | null {
  if (api === source) return null;
  if (api === null) return 'missing_api';
  return source === null ? 'missing_source' : 'diff';
}

export function matchFigures(read: readonly ReadMatch[]): AuditFigures {
  const cells = read.flatMap((one) => one.cells);
  const having = (fault: Fault | null): number => cells.filter((cell) => faultOf(cell) === fault).length;
  const deltas = cells.flatMap(({ api, source }) => distance(api, source) ?? []);
  return {
    apiRows: cells.filter(({ api }) => api !== null).length,
    sourceRows: cells.filter(({ source }) => source !== null).length,
    commonRows: deltas.length,
    exactMatches: having(null),
    diffRows: having('diff'),
    missingApi: having('missing_api'),
    missingSource: having('missing_source'),
    maxDelta: deltas.length === 0 ? null : Math.max(...deltas),
    booksChecked: new Set(read.map(({ bookmakerKey }) => bookmakerKey)).size,
    racesChecked: read.length,
    outliers: 0,
    crossChecks: 0,
  };
}

export const matchFindings = (read: readonly ReadMatch[]): readonly Finding[] =>
  read.flatMap((one) => MARKETS.flatMap((market) => FAULTS.flatMap((status) => findingOf(one, market, status) ?? [])));

const FAULTS = ['diff', 'missing_api', 'missing_source'] as const;
const NAMES: Readonly<Record<MatchMarket, string>> = { h2h: 'head-to-head', spreads: 'handicap', totals: 'total' };
const ENDINGS: Readonly<Record<Fault, string>> = {
  diff: 'served differently from what the bookmaker pushed.',
  missing_api: 'pushed by the bookmaker and not served.',
  missing_source: 'served that the bookmaker did not push.',
};

function findingOf({ match, bookmakerKey, cells }: ReadMatch, market: MatchMarket, status: Fault): Finding | null {
  const own = cells.filter((cell) => cell.market === market && faultOf(cell) === status);
  if (own.length === 0) return null;
  const { eventId, homeTeam, awayTeam, commenceTime } = match;
  const count = own.length === 1 ? `1 ${NAMES[market]} price is` : `${own.length} ${NAMES[market]} prices are`;
  return {
    bookmakerKey,
    race: null,
    event: { key: [homeTeam, awayTeam, aetDay(Date.parse(commenceTime))], eventId },
    market,
    status,
    delta: status === 'diff' ? Math.max(...own.map(({ api, source }) => distance(api, source)!)) : null,
    message: `${count} ${ENDINGS[status]}`,
    api: own.map(({ selection, api }) => ({ selection, price: api, consensus: null, deviationPct: null })),
    source: Object.fromEntries(own.map(({ selection, source }) => [selection, source])),
  };
}
