// How many guesses a password needs of someone who tries common passwords, expected words, sequences and repetitions,
// alone and joined: a coarse form of zxcvbn (D. Wheeler, "zxcvbn: Low-Budget Password Strength Estimation", USENIX
// Security 2016), with its list of 49,000 common passwords. A list of long passwords alone would miss `monkeydragon12`.
// Linear in the length of the text; the text is at most 256 characters long. Pure.
import { dictionary } from '@zxcvbn-ts/language-common';

/** Below so many guesses (10^6) a program that may guess online for months gets there. */
const LEAST_LOG10 = 6;

/** Places in the list, from 1: the more common, the sooner it is tried. */
const RANKS = new Map(dictionary['passwords-common'].map((word, i) => [word, i + 1]));
const SHORTEST = 3;
const LONGEST = 32;

// Decimal logarithms of guesses.
const CHARACTER = 1;
const SEQUENCE = 1;
const YEAR = 2;
const TWICE = Math.log10(2);

const ROWS = [
  '1234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
];
/** Neighbours on the keyboard, in both directions. */
const NEIGHBOURS = new Set(
  ROWS.flatMap((row) => [...row].flatMap((key, i) => [row[i + 1] && key + row[i + 1], row[i - 1] && key + row[i - 1]])),
);
/** A digit or sign in place of a letter. */
const LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** `text`: in lower case. `expected`: words that are tried before all others. */
export function isEasilyGuessed(text: string, expected: ReadonlySet<string>): boolean {
  const plain = text.replace(/[013457@$!]/g, (sign) => LETTERS[sign]!);
  const sequences = sequencesOf(text);
  /** Of each beginning of the text the decimal logarithm of the guesses, by the cheapest way to make it of parts. */
  const cheapest = [0];
  for (let end = 1; end <= text.length; end++) {
    let least = cheapest[end - 1]! + CHARACTER;
    for (let start = end - 1; start >= Math.max(0, end - LONGEST); start--) {
      const cost = costOf({ text, plain, start, end }, expected, sequences);
      if (cost !== null) least = Math.min(least, cheapest[start]! + cost);
    }
    cheapest.push(least);
    // Every later part begins at one of these.
    if (cheapest.length > LONGEST && cheapest.slice(-LONGEST).every((cost) => cost >= LEAST_LOG10)) return false;
  }
  return cheapest[text.length]! < LEAST_LOG10;
}

interface Part {
  readonly text: string;
  /** The text with letters for signs. */
  readonly plain: string;
  readonly start: number;
  readonly end: number;
}

/** Null: no guesser tries this part as a whole. */
function costOf(
  { text, plain, start, end }: Part,
  expected: ReadonlySet<string>,
  sequences: readonly number[],
): number | null {
  const part = text.slice(start, end);
  const length = end - start;
  if (start >= length && text.slice(start - length, start) === part) return 0;
  if (length < SHORTEST) return null;
  const letters = plain.slice(start, end);
  if (expected.has(part)) return 0;
  if (expected.has(letters)) return TWICE;
  if (length <= sequences[end - 1]!) return SEQUENCE;
  if (/^(?:19|20)\d\d$/.test(part)) return YEAR;
  const rank = Math.min(RANKS.get(part) ?? Infinity, 2 * (RANKS.get(letters) ?? Infinity));
  return rank === Infinity ? null : Math.log10(rank);
}

/** Of each character how long the longest sequence is that ends with it: `aaa`, `abc`, `321`, `qwe`. */
function sequencesOf(text: string): number[] {
  const byKind = STEPS.map((isStep) => {
    let length = 0;
    return [...Array(text.length).keys()].map(
      (i) => (length = i > 0 && isStep(text[i - 1]!, text[i]!) ? length + 1 : 1),
    );
  });
  return [...Array(text.length).keys()].map((i) => Math.max(...byKind.map((lengths) => lengths[i]!)));
}

const stepBy =
  (step: number) =>
  (a: string, b: string): boolean =>
    b.charCodeAt(0) - a.charCodeAt(0) === step;
const STEPS = [stepBy(-1), stepBy(0), stepBy(1), (a: string, b: string): boolean => NEIGHBOURS.has(a + b)];
