// The contents of `arb.corrected`: an announced arb was not one, because its legs are prices of two matches (D66).
// Pure.

export interface AnnouncedArb {
  /** Of the `arb.opportunity`. */
  readonly eventId: string;
  readonly sport: string;
  /** As that event has them. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The facts of the correction: those of the arb, with its id and the reason. */
export const correctionOf = ({ eventId, facts }: AnnouncedArb): Readonly<Record<string, unknown>> => ({
  ...facts,
  corrects: eventId,
  reason: 'different_matches',
});
