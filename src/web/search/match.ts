// Whether a text is the beginning of a name, and how near it is: by words in any order, or by letters alone from the
// beginning of a word, so that `obrien`, `o brien` and `O'Brien` are one. Pure.
import { foldText } from '../../domain/race/venue';

export interface Query {
  readonly words: readonly string[];
  /** Its letters and digits alone. */
  readonly letters: string;
}

export interface SearchName {
  readonly words: readonly string[];
  /** The letters from the beginning of each word to the end. */
  readonly tails: readonly string[];
}

const MOST_WORDS = 6;

export function searchQuery(text: string): Query {
  const words = foldText(text).split(' ').filter(Boolean);
  return { words: words.slice(0, MOST_WORDS), letters: words.join('') };
}

export function searchName(name: string): SearchName {
  const words = foldText(name).split(' ');
  return { words, tails: words.map((_, i) => words.slice(i).join('')) };
}

/** 0: the whole name; 1: each word is one of its words; 2: beginnings. Null: it is no match. */
export function nearness({ words, tails }: SearchName, query: Query): number | null {
  if (tails[0] === query.letters) return 0;
  if (query.words.every((word) => words.includes(word))) return 1;
  const begins = query.words.every((word) => words.some((one) => one.startsWith(word)));
  return begins || tails.some((tail) => tail.startsWith(query.letters)) ? 2 : null;
}
