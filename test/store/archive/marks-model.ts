// The figures of the marks, worked out again from the polls themselves and the archived closes: no code of the service.

/** One reply of one book. */
export interface Reply {
  readonly book: string;
  readonly atMs: number;
  /** By runner, in the order of their numbers. */
  readonly wins: readonly (number | null)[];
  readonly status: 'CLOSED' | 'OPEN' | 'SUSPENDED' | null;
  /** The start that it reports; null: none. */
  readonly startMs: number | null;
}

export interface Past {
  readonly replies: readonly Reply[];
  readonly listedMs: number;
  readonly jumpMs: number;
  /** Runners of the field, from 0. */
  readonly field: readonly number[];
  /** The best close of each runner; null: none. */
  readonly closes: readonly (number | null)[];
  /** Seconds before the start from which a book is polled as live; others always are. */
  readonly liveWithin: Readonly<Record<string, number>>;
  readonly compared: readonly string[];
}

export type Figures = Readonly<Record<string, readonly number[]>>;

interface Seen extends Reply {
  /** What is on offer of what was captured. */
  readonly shown: readonly (number | null)[];
}

/** Every reply with what it leaves on offer, and the start that was known last. */
function seenOf({ replies, listedMs }: Past): { readonly seen: readonly Seen[]; readonly startMs: number } {
  let startMs = listedMs;
  let isMarketClosed = false;
  const captured = new Map<string, (number | null)[]>();
  const seen = replies.map((reply): Seen => {
    if (reply.book === 'ladbrokes_au' && reply.startMs !== null) startMs = reply.startMs;
    if (reply.book === 'pointsbetau' && reply.status !== null) isMarketClosed = reply.status === 'CLOSED';
    const captures = reply.atMs >= startMs - 3_600_000 && reply.status !== 'CLOSED' && !isMarketClosed;
    const before = captured.get(reply.book) ?? reply.wins.map(() => null);
    const now = reply.wins.map((win, i) => (captures && win !== null ? win : before[i]!));
    captured.set(reply.book, now);
    const shown = reply.wins.map((win, i) => (reply.status !== 'CLOSED' && win === now[i] ? win : null));
    return { ...reply, shown };
  });
  return { seen, startMs };
}

const middle = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(half)]! : (sorted[half - 1]! + sorted[half]!) / 2;
};

/** Books whose price is no real one: at least 21, and four times the middle of at least three others. */
function fakes(prices: ReadonlyMap<string, number>): readonly string[] {
  return [...prices].flatMap(([book, price]) => {
    const others = [...prices].filter(([other]) => other !== book).map(([, one]) => one);
    return others.length >= 3 && price >= 21 && price >= 4 * middle(others) ? [book] : [];
  });
}

/** Probabilities p^k that sum to 1, by halving. */
function fairOf(prices: readonly number[]): readonly number[] {
  if (prices.length === 1) return [1];
  let [low, high] = [0, 200];
  for (let i = 0; i < 200; i++) {
    const k = (low + high) / 2;
    if (prices.reduce((all, price) => all + (1 / price) ** k, 0) > 1) low = k;
    else high = k;
  }
  return prices.map((price) => (1 / price) ** low);
}

/** By `book minutes`, in the order of the columns of `archived_marks`. */
export function figuresOf(past: Past): Figures {
  const { seen, startMs } = seenOf(past);
  const found: Record<string, readonly number[]> = {};
  for (const minutes of [30, 10, 5, 1]) {
    const atMs = past.jumpMs - minutes * 60_000;
    const books = past.compared.flatMap((book) => {
      const until = seen.filter((one) => one.book === book && one.atMs <= atMs);
      const last = until.at(-1);
      if (!last) return [];
      const prices = past.field.map((i) => last.shown[i]!);
      if (prices.every((price) => price === null)) return [];
      const limit = startMs - atMs <= (past.liveWithin[book] ?? 10_800) * 1000 + 999 ? 120 : 1800;
      const isStale = Math.floor((atMs - last.atMs) / 1000) > limit;
      return [{ book, prices, isStale, n: prices.filter((price) => price !== null).length }];
    });
    Object.assign(found, atMark(past, minutes, books));
  }
  return found;
}

interface Offer {
  readonly book: string;
  readonly prices: readonly (number | null)[];
  readonly isStale: boolean;
  readonly n: number;
}

function atMark({ field, closes }: Past, minutes: number, books: readonly Offer[]): Record<string, readonly number[]> {
  const fresh = books.filter(({ isStale }) => !isStale);
  const real = field.map((_, i) => {
    const prices = new Map(
      fresh.flatMap(({ book, prices }) => (prices[i] == null ? [] : [[book, prices[i]!] as const])),
    );
    const fake = fakes(prices);
    return { prices: new Map([...prices].filter(([book]) => !fake.includes(book))), fake };
  });
  const priced = field.flatMap((_, i) => (fresh.some(({ prices }) => prices[i] !== null) ? [i] : []));
  const whole = fresh
    .filter(({ book }) => priced.every((i) => real[i]!.prices.has(book)))
    .map(({ book }) => fairOf(priced.map((i) => real[i]!.prices.get(book)!)));
  const medians = priced.map((_, i) => (whole.length < 2 ? null : middle(whole.map((one) => one[i]!))));
  const total = medians.reduce<number>((all, one) => all + (one ?? 0), 0);
  const fair = field.map((_, i) => {
    const median = medians[priced.indexOf(i)] ?? null;
    return median === null ? null : total / median;
  });
  const rows = books.map(({ book, isStale, n }) => {
    const own = field.flatMap((_, i) => (real[i]!.prices.has(book) ? [i] : []));
    const compared = own.filter((i) => real[i]!.prices.size > 1);
    const sharing = (i: number): number => {
      const all = [...real[i]!.prices.values()];
      return real[i]!.prices.get(book) === Math.max(...all) ? all.filter((one) => one === Math.max(...all)).length : 0;
    };
    const against = (value: (i: number) => number | null): readonly number[] => {
      const measured = own.filter((i) => value(i) !== null);
      const off = measured.map((i) => Math.round((real[i]!.prices.get(book)! / value(i)! - 1) * 10_000));
      return [measured.length, off.reduce((all, one) => all + one, 0)];
    };
    const figures = [
      n,
      n,
      isStale ? n : 0,
      isStale ? 0 : real.filter(({ fake }) => fake.includes(book)).length,
      compared.length,
      compared.filter((i) => sharing(i) > 0).length,
      compared.filter((i) => sharing(i) === 1).length,
      ...against((i) => closes[field[i]!]!),
      ...against((i) => fair[i]!),
    ];
    return [`${book} ${minutes}`, figures] as const;
  });
  return Object.fromEntries(rows);
}
