// Whether the words of one name stand for the words of another, all of them and in order: written out, abbreviated
// (`Tor`, `Man`), by initials (`NY`, `GWS`), split or joined (`Trail Blazers`).

interface Alignment {
  /** Letters of the words that are written out. */
  readonly exact: number;
}

/** Null: a word of one of them stands for none of the other. */
export function align(short: readonly string[], long: readonly string[]): Alignment | null {
  const exact = alignFrom(short, long, 0, 0);
  return exact === null ? null : { exact };
}

type Step = readonly [short: number, long: number, exact: number];

/** The most letters that are written out in any way to align the rest. */
function alignFrom(short: readonly string[], long: readonly string[], i: number, j: number): number | null {
  if (i === short.length || j === long.length) return i === short.length && j === long.length ? 0 : null;
  let most: number | null = null;
  for (const [ahead, along, exact] of stepsAt(short, long, i, j)) {
    const rest = alignFrom(short, long, i + ahead, j + along);
    if (rest !== null) most = Math.max(most ?? 0, exact + rest);
  }
  return most;
}

function stepsAt(short: readonly string[], long: readonly string[], i: number, j: number): readonly Step[] {
  const word = short[i]!;
  const other = long[j]!;
  const steps: Step[] = [];
  if (word === other || `${word}s` === other || word === `${other}s`) steps.push([1, 1, word.length]);
  else if (isElided(word, other)) steps.push([1, 1, word.length - 1]);
  else if (abbreviates(word, other)) steps.push([1, 1, 0]);
  if (i + 1 < short.length && word + short[i + 1] === other) steps.push([2, 1, other.length]);
  if (j + 1 < long.length && other + long[j + 1] === word) steps.push([1, 2, word.length]);
  for (let k = 1; k <= word.length && j + k <= long.length; k++) {
    if (k > 1 && abbreviatesAll(word, long.slice(j, j + k))) steps.push([1, k, 0]);
    // `NYY Yankees`: the letter of the nickname too, which follows.
    const next = long[j + k]?.[0];
    const isLed = i === 0 && i + 1 < short.length && next !== undefined && word.endsWith(next);
    if (isLed && abbreviatesAll(word.slice(0, -1), long.slice(j, j + k))) steps.push([1, k, 0]);
  }
  return steps;
}

/**
 * `Tor`, `Wsh` and `Phila`. Of four letters and more only the beginning of a word: `Iran` is no abbreviation of
 * `Ireland`.
 */
function abbreviates(word: string, other: string): boolean {
  if (word.length >= other.length || word[0] !== other[0]) return false;
  if (other.startsWith(word)) return true;
  if (word.length > 3) return false;
  let at = 0;
  for (const letter of other) if (letter === word[at]) at++;
  return at === word.length;
}

/** `B'mouth`, `M'gladbach`: the first letter and the end. */
const isElided = (word: string, other: string): boolean =>
  word.length >= 5 && word.length < other.length && word[0] === other[0] && other.endsWith(word.slice(1));

/** `OKC`, `STL`: some letters of each word, of all in their order. */
function abbreviatesAll(word: string, others: readonly string[]): boolean {
  const [first, ...rest] = others;
  if (first === undefined || word.length < others.length || word.length > LONGEST_CODE) return false;
  if (rest.length === 0) return begins(word, first);
  const lengths = Array.from({ length: word.length - rest.length }, (_, i) => i + 1);
  return lengths.some((length) => begins(word.slice(0, length), first) && abbreviatesAll(word.slice(length), rest));
}

/** Whether a word is the other or abbreviates it, as `ST` of `STL` does. */
const begins = (word: string, other: string): boolean => word === other || abbreviates(word, other);

const LONGEST_CODE = 4;
