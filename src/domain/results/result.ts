// The full field of a run race as published (A 2.11). Types only. A missing field is null, never an empty array (rule
// 6).

/** One runner of a full field. Field names are the wire's, because the row is stored and served as one JSON value. */
export interface ResultRunner {
  readonly number: number;
  readonly name: string;
  readonly box: number | null;
  readonly position: number | null;
  readonly status: 'ran' | 'scratched' | 'late_scratching' | 'reserve';
  readonly dead_heat: boolean;
  readonly jockey: string | null;
  readonly trainer: string | null;
  readonly sp: number | null;
  readonly sp_note: string | null;
  readonly margin: string | null;
  readonly time_s: number | null;
  readonly abnormal: string | null;
  readonly runner_ref: string | null;
  readonly origin: string;
  /**
   * What the registry printed about the run besides its result (B 2.6, B 2.7); absent if it printed nothing, and in
   * fields stored before it was read.
   */
  readonly measured?: Measured;
}

/** Names are those of the run store's columns. What the registry's page does not have is left out. */
export interface Measured {
  /** A horse's allotted weight, or a greyhound's own. */
  readonly weight_kg?: number;
  readonly carried_kg?: number;
  readonly first_split_s?: number;
  readonly second_split_s?: number;
  /** The time of the race, repeated in each of its rows. */
  readonly last_600m_s?: number;
  /** Positions in running, as printed. */
  readonly pir?: string;
  readonly grade?: string;
}

/** Null if none of the facts is known. */
export function measuredOf(facts: { readonly [K in keyof Measured]: Measured[K] | null }): Measured | null {
  const known = Object.entries(facts).filter(([, value]) => value !== null);
  return known.length === 0 ? null : (Object.fromEntries(known) as Measured);
}
