// The horses and dogs of the world: each is the same animal in every race that it runs. Pure in the seed and the
// animal's index in its list of names.
import type { Category } from '../../../domain/race/race';
import { mix, normal, sequence } from '../random';
import { COATS, FIRST_WORDS, SECOND_WORDS } from '../words';
import { type Person, trainerOf } from './people';

export interface Animal {
  readonly name: string;
  readonly sex: string;
  readonly coat: string;
  readonly sire: string;
  readonly dam: string;
  /** Whole years on a day of racing: a racing year begins on 1 August. */
  readonly age: number;
  readonly trainer: Person;
  readonly prizeMoney: number;
  /** Standard normal; above 0 is better than most. */
  readonly ability: number;
}

/**
 * Animals of two lists never share a name: `plain` begins with a word of the first list, `swapped` with one of the
 * second.
 */
export type NameOrder = 'plain' | 'swapped';

export const NAMES = FIRST_WORDS.length * SECOND_WORDS.length;

/** `index` from 0 to `NAMES`: the animal's index in the list. */
export function animalOf(seed: number, category: Category, order: NameOrder, index: number): Animal {
  const own = mix(seed, 83, order === 'plain' ? 0 : 1, index);
  const draw = sequence(own);
  const dog = category === 'greyhound';
  return {
    name: nameOf(index, order),
    sex: draw.pick(dog ? ['d', 'b'] : ['g', 'g', 'm', 'h']),
    coat: draw.pick(COATS),
    sire: nameOf(mix(own, 1), 'plain'),
    dam: nameOf(mix(own, 2), 'plain'),
    age: dog ? draw.between(2, 4) : draw.between(3, 8),
    trainer: trainerOf(seed, category, draw.next()),
    prizeMoney: draw.between(0, 900) * 125,
    ability: normal(own, 3),
  };
}

/** Coprime with the number of pairs, so that every pair is used once before any repeats. */
const STRIDE = 9_931;

const pairAt = (index: number): number => (index * STRIDE) % NAMES;

/** Each name is one string, by pair, for all days on which it occurs. */
const made: Record<NameOrder, (string | undefined)[]> = { plain: new Array(NAMES), swapped: new Array(NAMES) };

function nameOf(index: number, order: NameOrder): string {
  const pair = pairAt(index);
  const known = made[order][pair];
  if (known !== undefined) return known;
  const first = FIRST_WORDS[pair % FIRST_WORDS.length]!;
  const second = SECOND_WORDS[Math.floor(pair / FIRST_WORDS.length)]!;
  const name = order === 'swapped' ? `${second} ${first}` : `${first} ${second}`;
  made[order][pair] = name;
  return name;
}

const placesIn = (words: readonly string[]) => new Map(words.map((word, i) => [word, i]));
const FIRST = placesIn(FIRST_WORDS);
const SECOND = placesIn(SECOND_WORDS);

/** All names of both lists: no word is in both lists, so a name belongs to one animal. */
export const ANIMALS = 2 * NAMES;

/** The number of an animal among all, from its index in its list. */
export const numberAt = (order: NameOrder, index: number): number => pairAt(index) + (order === 'plain' ? 0 : NAMES);

/** The number of a name among all, below `ANIMALS`; -1 if no animal has it. */
export function numberOf(name: string): number {
  const plain = pairOf(name);
  if (plain >= 0) return plain;
  const [second, first] = name.split(' ');
  const [i, j] = [FIRST.get(first!), SECOND.get(second!)];
  return i === undefined || j === undefined ? -1 : NAMES + i + FIRST_WORDS.length * j;
}

/** The pair of words of a plain name: the same name always has the same pair. */
export function pairOf(name: string): number {
  const [first, second] = name.split(' ');
  return (FIRST.get(first!) ?? -1) + FIRST_WORDS.length * (SECOND.get(second!) ?? -1);
}
