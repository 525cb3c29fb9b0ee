// The betslip members (A 2.3, A 2.4 rule 6): present for Plus and above, null without a link.

export interface BetslipLinks {
  readonly win: string | null;
  readonly place: string | null;
  /** The links open the book's app only. */
  readonly appOnly: boolean;
}

/** The links of one runner at one book, null where there are none. */
export type BetslipLookup = (raceId: string, bookmaker: string, number: number) => BetslipLinks | null;

/**
 * Win and place may come from different books. `betslip_app_only` describes the win link, or the place link if there is
 * no win link.
 */
export function betslipMembers(win: BetslipLinks | null, place: BetslipLinks | null) {
  const winUrl = win?.win ?? null;
  const placeUrl = place?.place ?? null;
  const appOnly = winUrl !== null ? win!.appOnly : placeUrl !== null ? place!.appOnly : null;
  return { betslip_win_url: winUrl, betslip_place_url: placeUrl, betslip_app_only: appOnly };
}
