// Which scenarios are on, for which book, race or venue, and until when.
// The only state of the faults: everything else is a pure function of the world and these switches, so the same
// switches at the same instants give the same world.

export interface Switch {
  readonly scenario: string;
  /** Null: every book. */
  readonly book: string | null;
  /** The world's own id of a race; null: every race. */
  readonly race: string | null;
  /** A track by its plain name; null: every track. */
  readonly venue: string | null;
  /** Race time, epoch ms; 0 for a switch that was on at the start, so that a restart gives the same world. */
  readonly fromMs: number;
  /** Null: until it is switched off. */
  readonly untilMs: number | null;
}

export interface Switches {
  /** Replaces a switch of the same scenario, book, race and venue. */
  on(one: Switch): void;
  /** Removes the scenario's switches of one book, or of every book (null); of every scenario if null. */
  off(scenario: string | null, book: string | null): void;
  /** The switches of a book at an instant, oldest first. The same list object while nothing changes. */
  of(book: string, nowMs: number): readonly Switch[];
  all(nowMs: number): readonly Switch[];
}

const NONE: readonly Switch[] = [];

const isSame = (a: Switch, b: Switch): boolean =>
  a.scenario === b.scenario && a.book === b.book && a.race === b.race && a.venue === b.venue;

export function createSwitches(initial: readonly Switch[] = []): Switches {
  let current: readonly Switch[] = initial;
  const lists = new Map<string, readonly Switch[]>();
  const change = (next: readonly Switch[]): void => {
    current = next;
    lists.clear();
  };
  const all = (nowMs: number): readonly Switch[] => {
    if (current.some((one) => isOver(one, nowMs))) change(current.filter((one) => !isOver(one, nowMs)));
    return current;
  };
  return {
    all,
    on: (one) => change([...current.filter((other) => !isSame(one, other)), one]),
    off: (scenario, book) =>
      change(current.filter((one) => !isNamed(one.scenario, scenario) || !isNamed(one.book, book))),
    of: (book, nowMs) => {
      if (current.length === 0 || all(nowMs).length === 0) return NONE;
      const forBook = lists.get(book) ?? current.filter((one) => one.book === null || one.book === book);
      lists.set(book, forBook);
      return forBook;
    },
  };
}

const isOver = ({ untilMs }: Switch, nowMs: number): boolean => untilMs !== null && nowMs >= untilMs;
const isNamed = (value: string | null, wanted: string | null): boolean => wanted === null || value === wanted;
