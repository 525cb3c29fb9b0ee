// Betslip members in the words of the wire (A 2.3, A 2.4 rule 6): there for Plus and above, null where there is no link.

export interface BetslipLinks {
  readonly win: string | null;
  readonly place: string | null;
  /** The links open the book's app only. */
  readonly appOnly: boolean;
}

/** The links of one runner at one book, null where there are none. */
export type BetslipLookup = (raceId: string, bookmaker: string, number: number) => BetslipLinks | null;

/** `links`: the books' whose prices are spoken of, win and place; `app_only` is the win link's, or the place link's where it alone is. */
export function betslipMembers(win: BetslipLinks | null, place: BetslipLinks | null) {
  const [winUrl, placeUrl] = [win?.win ?? null, place?.place ?? null];
  const appOnly = winUrl !== null ? win!.appOnly : placeUrl !== null ? place!.appOnly : null;
  return { betslip_win_url: winUrl, betslip_place_url: placeUrl, betslip_app_only: appOnly };
}
