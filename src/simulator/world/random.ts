// Randomness without state: every draw is a hash of its subject (seed, race, runner, book, step), so it has the same
// value at any instant, in any order and after a restart. Never use the system's random source here.

/** An unsigned 32-bit hash of a text (FNV-1a, then avalanched). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return avalanche(hash);
}

/** An unsigned 32-bit hash of up to four whole numbers and a seed. */
export function mix(seed: number, a: number, b = 0, c = 0, d = 0): number {
  let hash = avalanche(seed ^ Math.imul(a + 1, 0x9e3779b1));
  hash = avalanche(hash ^ Math.imul(b + 1, 0x85ebca77));
  hash = avalanche(hash ^ Math.imul(c + 1, 0xc2b2ae3d));
  return avalanche(hash ^ Math.imul(d + 1, 0x27d4eb2f));
}

function avalanche(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** A number in [0, 1), determined by the arguments. */
export function unit(seed: number, a: number, b = 0, c = 0, d = 0): number {
  return mix(seed, a, b, c, d) / 4294967296;
}

/** A standard normal draw, determined by the arguments (Box-Muller). */
export function normal(seed: number, a: number, b = 0, c = 0): number {
  const radius = Math.sqrt(-2 * Math.log(1 - unit(seed, a, b, c, 1)));
  return radius * Math.cos(2 * Math.PI * unit(seed, a, b, c, 2));
}

/** Smooth noise in [-1, 1] along `position`: draws at whole numbers, eased between them. */
export function smoothNoise(seed: number, a: number, position: number): number {
  const step = Math.floor(position);
  const along = position - step;
  const eased = along * along * (3 - 2 * along);
  const from = unit(seed, a, step & 0xffffff) * 2 - 1;
  const to = unit(seed, a, (step + 1) & 0xffffff) * 2 - 1;
  return from + (to - from) * eased;
}

/** A sequence of draws (mulberry32) to build one thing in a fixed order. */
export interface Sequence {
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  chance(probability: number): boolean;
}

export function sequence(seed: number): Sequence {
  return new Mulberry(seed);
}

/**
 * A class, because a day takes tens of thousands of sequences: four closures for each would cost more than the draws.
 */
class Mulberry implements Sequence {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    const { state } = this;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  }

  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)]!;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }
}

/** The list in an order drawn from `seed`; the list itself is unchanged. */
export function shuffled<T>(seed: number, list: readonly T[]): T[] {
  const order = sequence(seed);
  const copy = [...list];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = order.between(0, i);
    [copy[i], copy[j]] = [copy[j]!, copy[i]!];
  }
  return copy;
}

/** A UUID (with version and variant bits of v4) for one thing of the world. */
export function uuidOf(seed: number, about: string): string {
  const base = mix(seed, hashText(about));
  const hex = [1, 2, 3, 4].map((word) => mix(base, word).toString(16).padStart(8, '0')).join('');
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
