// How the fills of an hour are shared between a widget's usual set and the single races or matches that its readers
// request, so that neither one network nor one program takes all of them.

export interface FillShares {
  /** Fills of single races or matches in an hour. The rest is for the usual set alone. */
  readonly singles: number;
  /** Of them, one network of readers. */
  readonly ofNetwork: number;
  /** Of them, one network by requests without the token of the widget's page. */
  readonly ofNetworkWithoutToken: number;
  /** Of them, all requests without the token. */
  readonly withoutToken: number;
}

/** The usual set is filled once a minute at most. */
const MOST_IN_RESERVE = 60;

/**
 * `most`: charged fills that any 60 minutes, or a month, may have. With one alone there is nothing to keep in reserve.
 */
export function fillShares(most: number): FillShares {
  const singles = most - Math.min(MOST_IN_RESERVE, Math.floor(most / 2));
  const part = (of: number): number => Math.max(1, Math.floor(singles / of));
  return { singles, ofNetwork: part(4), ofNetworkWithoutToken: part(8), withoutToken: part(2) };
}
