// The full field of a run race as it is published (A 2.11). Types only. A missing field is null, never an empty array (rule 6).

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
}
