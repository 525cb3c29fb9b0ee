// The brands of one affiliates API: same ids, same shape, each host its own prices.

export interface EntainBrand {
  readonly bookmakerKey: string;
  /** Where its race pages are: the documented deep link is `/racing/<meetingName>/<event_id>/…`. */
  readonly site: string;
}

export const ENTAIN_BRANDS: readonly EntainBrand[] = [
  { bookmakerKey: 'ladbrokes_au', site: 'https://www.ladbrokes.com.au' },
  { bookmakerKey: 'neds', site: 'https://www.neds.com.au' },
];
