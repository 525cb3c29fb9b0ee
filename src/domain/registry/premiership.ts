// The registry's premierships: the leaders of a season by state and kind of meeting (B 2.8). Figures are as printed.
import type { Day } from '../race/race';
import { REGISTRY_STATES } from './registry';

export type PremiershipRole = 'jockey' | 'trainer';

/** `AUS` is the whole country. */
export const PREMIERSHIP_STATES = ['AUS', ...REGISTRY_STATES] as const;
export type PremiershipState = (typeof PREMIERSHIP_STATES)[number];

export const PREMIERSHIP_SCOPES = ['all', 'metro', 'provincial', 'country', 'picnic'] as const;
export type PremiershipScope = (typeof PREMIERSHIP_SCOPES)[number];

/** Only the first twenty of a table are kept. */
export const PREMIERSHIP_TOP = 20;

export interface PremiershipTable {
  readonly role: PremiershipRole;
  readonly state: PremiershipState;
  readonly scope: PremiershipScope;
  /** A season is from 1 August of this year to 31 July. */
  readonly seasonStartYear: number;
}

export interface PremiershipRow {
  /** From 1, in the table's order. */
  readonly rank: number;
  readonly name: string;
  /** The code in the person's link, the same as in acceptances and form; null if there is no link. */
  readonly code: string | null;
  readonly firsts: number | null;
  readonly seconds: number | null;
  readonly thirds: number | null;
  readonly fourths: number | null;
  readonly fifths: number | null;
  /** Dollars. */
  readonly prizeMoney: number | null;
  /** Wins per hundred starts, as printed. */
  readonly strikeRate: number | null;
  readonly starts: number | null;
}

export interface PremiershipPage {
  /** The period that the table covers; null if the page prints none. */
  readonly periodFrom: Day | null;
  readonly periodTo: Day | null;
  readonly rows: readonly PremiershipRow[];
}

/** The season of a day. */
export function seasonOf(day: Day): number {
  return Number(day.slice(0, 4)) - (day.slice(5, 7) < '08' ? 1 : 0);
}
