// Who wins which prize: dead-heaters share theirs, and places after the last prize win nothing.
interface Finisher {
  readonly number: number;
  readonly position: number | null;
}

/** Dollars, rounded to cents. */
export function prizeOf(prizes: readonly number[], field: readonly Finisher[], { position }: Finisher): number {
  if (position === null) return 0;
  const level = field.filter((one) => one.position === position).length;
  const shared = prizes.slice(position - 1, position - 1 + level).reduce((sum, prize) => sum + prize, 0);
  return Math.round((shared / level) * 100) / 100;
}
