// The outcome for each horse that a backfill submission names (B 3, B 4.10). A horse is identified by its folded name,
// however it is named.
import type { Horse } from '../form/horse';

/** A horse whose page a registry can serve. */
export interface CollectedHorse {
  readonly input: string;
  readonly key: string;
  readonly name: string;
  /** Its codes, first the one that is read. */
  readonly refs: readonly string[];
}

export interface Sorted {
  /** In the order of the list. */
  readonly horses: readonly CollectedHorse[];
  /** Inputs, each once. */
  readonly notFound: readonly string[];
  /** Inputs that mean a horse which is already in the list. */
  readonly repeated: number;
}

/**
 * `found`: by the place of the input; null for a horse that was never seen. One without a code can't be read, so it is
 * not found either.
 */
export function sortInputs(inputs: readonly string[], found: readonly (Horse | null)[]): Sorted {
  const horses = new Map<string, CollectedHorse>();
  const notFound = new Set<string>();
  let repeated = 0;
  for (const [i, input] of inputs.entries()) {
    const horse = found[i];
    if (!horse || horse.ref === null) notFound.add(input);
    else if (horses.has(horse.key)) repeated += 1;
    else {
      const refs = [horse.ref, ...horse.refs.filter((ref) => ref !== horse.ref)];
      horses.set(horse.key, { input, key: horse.key, name: horse.name, refs });
    }
  }
  return { horses: [...horses.values()], notFound: [...notFound], repeated };
}
