// A parsed JSON value as flat slices of limited size, so that the thread that takes it over has turns in between,
// whatever its shape. The value is unchanged, including the order of members, -0, and a member named `__proto__`.

type Primitive = string | number | boolean | null;

export interface Slice {
  /**
   * Of each value, a container before what it contains: 0 a primitive, -n a list of n - 1 items, n an object whose
   * names are the n-th ones.
   */
  readonly kinds: Int32Array;
  /** In order. */
  readonly primitives: readonly Primitive[];
  /** The names of objects that no earlier slice has, in the order of their numbers. */
  readonly names: readonly (readonly string[])[];
}

/** A slice is taken over in a millisecond or two. */
const SLICE_VALUES = 2048;

/** Sends the slices of a value of limited depth, one after another. */
export function sendSlices(value: unknown, send: (slice: Slice) => void, most = SLICE_VALUES): void {
  const numbers = new Map<string, number>();
  let kinds: number[] = [];
  let primitives: Primitive[] = [];
  let names: string[][] = [];
  const cut = (): void => {
    send({ kinds: Int32Array.from(kinds), primitives, names });
    [kinds, primitives, names] = [[], [], []];
  };
  const numberOf = (own: string[]): number => {
    const text = JSON.stringify(own);
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, numbers.size + 1);
    names.push(own);
    return numbers.size;
  };
  const walk = (one: unknown): void => {
    if (kinds.length >= most) cut();
    if (typeof one !== 'object' || one === null) {
      kinds.push(0);
      primitives.push(one as Primitive);
    } else if (Array.isArray(one)) {
      kinds.push(-one.length - 1);
      one.forEach(walk);
    } else {
      const own = Object.keys(one);
      kinds.push(numberOf(own));
      for (const name of own) walk((one as Record<string, unknown>)[name]);
    }
  };
  walk(value);
  cut();
}

export interface Joiner {
  add(slice: Slice): void;
  /** After the last slice. */
  value(): unknown;
}

interface Open {
  readonly holder: unknown[] | Record<string, unknown>;
  /** Null: a list. */
  readonly names: readonly string[] | null;
  readonly size: number;
  filled: number;
}

/** Builds the value from its slices, added in order. */
export function createJoiner(): Joiner {
  const names: (readonly string[])[] = [];
  const whole: unknown[] = [];
  const open: Open[] = [{ holder: whole, names: null, size: 1, filled: 0 }];
  const begun = (kind: number): Open =>
    kind < 0
      ? { holder: [], names: null, size: -kind - 1, filled: 0 }
      : { holder: {}, names: names[kind - 1]!, size: names[kind - 1]!.length, filled: 0 };
  return {
    add(slice) {
      names.push(...slice.names);
      let next = 0;
      for (const kind of slice.kinds) {
        const inner = kind === 0 ? null : begun(kind);
        place(open.at(-1)!, inner ? inner.holder : slice.primitives[next++]);
        if (inner) open.push(inner);
        while (open.length > 1 && open.at(-1)!.filled === open.at(-1)!.size) open.pop();
      }
    },
    value: () => whole[0],
  };
}

function place(into: Open, value: unknown): void {
  const { holder, names } = into;
  const at = into.filled++;
  if (names === null) (holder as unknown[]).push(value);
  // An assignment would change the object's prototype.
  else if (names[at] === '__proto__')
    Object.defineProperty(holder, '__proto__', { value, writable: true, enumerable: true, configurable: true });
  else (holder as Record<string, unknown>)[names[at]!] = value;
}
