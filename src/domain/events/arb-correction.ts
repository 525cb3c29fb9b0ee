// What `arb.corrected` states: an announced arb was none, because its legs are prices of two matches (D66). Pure.

export interface AnnouncedArb {
  /** Of the `arb.opportunity`. */
  readonly eventId: string;
  readonly sport: string;
  /** As that event has them. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The facts of the correction: those of the arb, with its id and why it was none. */
export const correctionOf = ({ eventId, facts }: AnnouncedArb): Readonly<Record<string, unknown>> => ({
  ...facts,
  corrects: eventId,
  reason: 'different_matches',
});
