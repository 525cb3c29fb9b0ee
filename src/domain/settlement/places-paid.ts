// How many places a place bet pays, from the size of the field. The race's own word (`places_paid`) outranks this: see field-size.ts.

/**
 * Places paid to place in a field of `starters`: three from eight, two from five, and below that place betting is not offered: 0.
 * Source: WA Betting Control Regulations 1978 r. 3(1) "place bet"; the bookmakers' own rules say the same (docs/settlement.md).
 */
export function placesPaid(starters: number): 0 | 2 | 3 {
  if (starters >= 8) return 3;
  return starters >= 5 ? 2 : 0;
}
