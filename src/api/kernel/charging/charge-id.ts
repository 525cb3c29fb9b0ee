// The id of a charge: a UUID that begins with its instant (version 7), so that the ledger's index grows at its end.
// Pure.

/** `ms`: epoch milliseconds, of which clocks have fractions. `random`: a UUID of version 4. */
export function chargeId(ms: number, random: string): string {
  const time = Math.floor(ms).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}
