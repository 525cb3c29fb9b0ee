// Audits of prices (A 4.13, D14): what a run states, and the rules that every reader of it needs. Pure.
import type { Day } from '../race/race';
import { RACING_SPORTS, type RacingSport } from '../race/sport';
import { uuidOf } from '../race/uuid';
import type { MatchMarket } from '../sports/sports';
import type { AuditedMarket } from './markets';

/** What an audit is about: the races of one code, or the matches of all sports. */
export type AuditedSport = RacingSport | 'sports';
export const AUDITED_SPORTS: readonly AuditedSport[] = [...RACING_SPORTS, 'sports'];

/** The main market of a race, which names an audit; its other markets are compared with it. */
export const AUDITED_MARKET = 'win';
/** Of matches. */
export const AUDITED_MARKET_OF_SPORTS = 'h2h';

/**
 * `ok`: every price agreed; `differs`: at least one did not; `empty`: no race was near enough, or no bookmaker could be
 * read.
 */
export const VERDICTS = ['ok', 'differs', 'empty'] as const;
export type Verdict = (typeof VERDICTS)[number];

/**
 * The fault of prices of one bookmaker on one race or match. `unread`: the bookmaker could not be read. `cross_check`:
 * for all its races, the shape of its prices.
 */
export const FINDING_STATUSES = ['diff', 'missing_api', 'missing_source', 'outlier', 'unread', 'cross_check'] as const;
export type FindingStatus = (typeof FINDING_STATUSES)[number];

/** A price is an outlier above this multiple of the consensus, and below one part in as many of it. */
export const OUTLIER_RATIO = 2;
/** Other bookmakers that must quote a runner for there to be a consensus. */
export const LEAST_OTHERS = 3;

/** Wall. A run that did not end by then failed. */
export const LONGEST_RUN_MS = 15 * 60_000;

export interface AuditFigures {
  /**
   * Prices that the API served, on the compared bookmakers and races; those that the readings have; those that both
   * have.
   */
  readonly apiRows: number;
  readonly sourceRows: number;
  readonly commonRows: number;
  readonly exactMatches: number;
  readonly diffRows: number;
  readonly missingApi: number;
  readonly missingSource: number;
  /** Greatest distance of a served price from the reading; null if there was nothing to compare. */
  readonly maxDelta: number | null;
  readonly booksChecked: number;
  readonly racesChecked: number;
  /** Served prices that deviate from the consensus, of any bookmaker on these races. */
  readonly outliers: number;
  readonly crossChecks: number;
}

export interface AuditedRace {
  readonly raceId: string;
  readonly venue: string;
  readonly raceNumber: number;
  /** Sydney day of its start. */
  readonly day: Day;
}

export type FindingMarket = AuditedMarket | MatchMarket;

/** The subject of a finding that does not concern a race. */
interface AuditedEvent {
  /** Two sides and the Sydney day of a match; the sport, `all races` and the Sydney day of a cross-check. */
  readonly key: readonly [string, string, string];
  /** Of a match; null of a cross-check. */
  readonly eventId: string | null;
}

/** `selection` is `number. name`, because two vacant boxes have one name. */
export interface ServedSelection {
  readonly selection: string;
  /** Null: none is served. */
  readonly price: number | null;
  /** Median of the other bookmakers' fresh prices; null of fewer than three. */
  readonly consensus: number | null;
  readonly deviationPct: number | null;
}

export interface Finding {
  readonly bookmakerKey: string;
  /** Exactly one of the two is null. */
  readonly race: AuditedRace | null;
  readonly event: AuditedEvent | null;
  /** Null: it is about no single market. */
  readonly market: FindingMarket | null;
  readonly status: FindingStatus;
  /**
   * Greatest distance among the selections: from the reading, of an outlier from the consensus; null of what is
   * missing.
   */
  readonly delta: number | null;
  readonly message: string;
  readonly api: readonly ServedSelection[];
  /** Prices of the reading by selection; null: the bookmaker shows none. */
  readonly source: Readonly<Record<string, number | null>>;
}

const NAMESPACE = '0d5e1c52-7f0b-4b3a-9a47-5b8c1e6d2f90';

/** One run of the workflow audits each sport once. */
export const auditRunId = (workflowRunId: string, sport: AuditedSport): string =>
  uuidOf(NAMESPACE, `${workflowRunId}/${sport}`);

export interface AuditOrder {
  readonly runId: string;
  readonly sportKey: AuditedSport;
}
