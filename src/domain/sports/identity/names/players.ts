// Players as books name them: `Carlos Alcaraz`, `Alcaraz, Carlos`, `C. Alcaraz`, `Alcaraz C.`, `Alcaraz Garfia C.`, and
// pairs with a slash. A full first name that differs is another player; initials and surnames alone prove nothing
// without the other side.
import { slugOf } from './letters';
import { type Likeness, strongest, weakest } from './likeness';
import { squashed } from './words';

/** The tennis and fighting sports. */
const OF_PLAYERS = new Set(['tennis_atp', 'tennis_wta', 'mma']);

export const isOfPlayers = (sportKey: string): boolean => OF_PLAYERS.has(sportKey);

/** Without seed and country: `[1]`, `(ESP)`. */
export const withoutRemarks = (name: string): string => name.replace(/\([^)]*\)|\[[^\]]*\]/g, ' ');

const partnersOf = (name: string): readonly string[] =>
  withoutRemarks(name)
    .split(/\/|&|\+|\s+and\s+/i)
    .filter((one) => slugOf(one) !== '');

export interface Player {
  readonly full: readonly string[];
  /** First letters of names that are not written out. `Zh.` is one of two letters. */
  readonly initials: readonly string[];
}

/** One, or two of a pair. */
export const playersOf = (name: string): readonly Player[] => partnersOf(name).map(playerOf);

export function likenessOfPlayers(ours: readonly Player[], theirs: readonly Player[]): Likeness {
  if (ours.length !== theirs.length || ours.length === 0 || ours.length > 2) return 'different';
  const pairings = ours.length === 1 ? [theirs] : [theirs, theirs.toReversed()];
  return strongest(pairings.map((order) => weakest(ours.map((one, i) => likeness(one, order[i]!)))));
}

function playerOf(text: string): Player {
  const full: string[] = [];
  const initials: string[] = [];
  // A dot ends an initial: `J.M.`, `Zh.`
  const spaced = text.replaceAll('.', '. ');
  for (const part of spaced.split(/[\s,-]+/)) {
    const word = squashed(slugOf(part));
    if (word === '') continue;
    if (word.length === 1 || (part.endsWith('.') && word.length === 2)) initials.push(word);
    else if (/^[A-Z]{2}$/.test(part)) initials.push(...word);
    else full.push(word);
  }
  return { full, initials };
}

/** `O Connell` beside `O'Connell` is no initial. */
function joinedAs({ full, initials }: Player, other: Player): Player {
  const word = other.full.find((one) => initials.includes(one[0]!) && full.includes(one.slice(1)));
  if (word === undefined) return { full, initials };
  const at = initials.indexOf(word[0]!);
  return { full: full.with(full.indexOf(word.slice(1)), word), initials: initials.toSpliced(at, 1) };
}

/** Of two players. */
function likeness(one: Player, other: Player): Likeness {
  const a = joinedAs(one, other);
  const b = joinedAs(other, one);
  if (a.initials.length + b.initials.length === 0 && isSameText(a.full, b.full)) return 'same';
  const shared = a.full.filter((word) => b.full.includes(word));
  if (!shared.some(({ length }) => length > 1)) return 'different';
  const [left, right] = [rest(a, shared), rest(b, shared)];
  // Names that only one of them has: `Alcaraz`, `Carlos Alcaraz Garfia`.
  if (left.length === 0 || right.length === 0) return 'compatible';
  const [few, many] = left.length <= right.length ? [left, right] : [right, left];
  return isCovered(few, many) ? 'compatible' : 'different';
}

/** The same words in any order, or joined: `Soon Woo Kwon`. */
const isSameText = (a: readonly string[], b: readonly string[]): boolean =>
  a.toSorted().join(' ') === b.toSorted().join(' ') || (a.join('') === b.join('') && a.join('').length > 5);

const rest = ({ full, initials }: Player, shared: readonly string[]): readonly string[] => {
  const left = [...full];
  for (const word of shared) if (left.includes(word)) left.splice(left.indexOf(word), 1);
  return [...left, ...initials];
};

/** Each of the few has another of the many. */
function isCovered(few: readonly string[], many: readonly string[]): boolean {
  const [first, ...others] = few;
  if (first === undefined) return true;
  return many.some((one, i) => mayBeOneName(first, one) && isCovered(others, many.toSpliced(i, 1)));
}

/** An initial and its name; `Alex` and `Alexander`. */
function mayBeOneName(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length <= 2) return long.startsWith(short) || (long.length <= 2 && long[0] === short[0]);
  return long.startsWith(short) || (short.length >= 5 && long.startsWith(short.slice(0, 5)));
}
