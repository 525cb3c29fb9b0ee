// The id of a charge: a UUID that starts with its instant (version 7), so that the ledger's index grows at its end.
// Pure.

/** `ms`: epoch milliseconds, possibly with a fraction. `random`: a version 4 UUID. */
export function chargeId(ms: number, random: string): string {
  const time = Math.floor(ms).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}
