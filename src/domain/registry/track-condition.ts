// Splits a track condition, which feeds send as one text, into going and rating (A 2.9). The raw string is published
// beside them.

/** `going` as the registry names it; `goingRating` 1 to 12, or null if the feed has none. */
export interface Going {
  readonly going: string | null;
  readonly goingRating: number | null;
}

const UNKNOWN: Going = { going: null, goingRating: null };
/** Values without a condition; some feeds send the literal `None`. */
const NOTHING = new Set(['', 'none', 'null', 'na', 'unknown', 'tba', 'nil']);
const WORDS: ReadonlyMap<string, string> = new Map([
  ['gd', 'Good'],
  ['sft', 'Soft'],
  ['hvy', 'Heavy'],
  ['frm', 'Firm'],
  ['fst', 'Fast'],
  ['slw', 'Slow'],
  ['awt', 'Synthetic'],
  ['synth', 'Synthetic'],
  ['poly', 'Synthetic'],
  ['polytrack', 'Synthetic'],
  ['tapeta', 'Synthetic'],
  ['all weather', 'Synthetic'],
]);

const titled = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * `Good (4)`, `Good4`, `GOOD4`, `Good 4` are Good 4; `HVY8` is Heavy 8; `AWT` is Synthetic without a rating; null,
 * empty and the literal `None` are unknown. A word not listed is kept in its own spelling with one capital. A number
 * outside 1 to 12 is no rating.
 */
export function splitCondition(raw: string | null): Going {
  const [, letters = '', digits] =
    /^([a-z\s/-]*)(?:\(?\s*(\d{1,2})\s*\)?)?$/.exec((raw ?? '').trim().toLowerCase()) ?? [];
  const word = letters.replace(/[\s/-]+/g, ' ').trim();
  if (NOTHING.has(word.replaceAll(' ', ''))) return UNKNOWN;
  const rating = digits === undefined ? 0 : Number(digits);
  return { going: WORDS.get(word) ?? titled(word), goingRating: rating >= 1 && rating <= 12 ? rating : null };
}

/** Whether the raw string states a condition at all: null, empty and the literal `None` do not. */
export function statesCondition(raw: string | null): raw is string {
  return raw !== null && !NOTHING.has(raw.toLowerCase().replace(/[\s/-]+/g, ''));
}

/**
 * Whether two raw strings mean the same, so that two spellings of one rating are never a change (A 2.9). Losing the
 * rating is a change.
 */
export function sameCondition(a: string | null, b: string | null): boolean {
  return meaningOf(a) === meaningOf(b);
}

/** A text that cannot be split, e.g. `Good to Soft (Soft in places)`, is compared as a whole. */
function meaningOf(raw: string | null): string | null {
  if (!statesCondition(raw)) return null;
  const { going, goingRating } = splitCondition(raw);
  return going === null
    ? raw
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, ' ')
        .trim()
    : `${going} ${goingRating}`;
}
