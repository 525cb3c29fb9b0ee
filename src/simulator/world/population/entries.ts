// Which animals race on a day. An animal's turn comes every few days (`turnDays`), at most a week, so that it rests
// between two runs and most animals have ten runs in three months. The day's animals are dealt to its races in an order
// drawn for the day. Pure in the seed, the day and the interval.
import type { Day } from '../../../domain/race/race';
import { hashText, mix, shuffled } from '../random';
import type { Track } from '../tracks';
import { type Animal, animalOf, NAMES, type NameOrder, numberAt } from './animals';
import { drawnForm } from './recent-form';

/** An animal on the card of a day. */
export interface Entrant extends Animal {
  /** Its last runs before the day, oldest first. */
  form(): string;
}

/** Animals of the pool of a track, one after another. */
export interface Entries {
  next(track: Track): Entrant;
}

/** The animals of one race. */
interface Hand {
  /** Their numbers among all. */
  readonly animals: readonly number[];
  /** Starts from the first again at each call. An animal is drawn only when it is taken. */
  open(): Entries;
}

export interface DayEntries extends Entries {
  /** The next `count` animals of the pool of a track. */
  deal(track: Track, count: number): Hand;
}

interface Pool {
  readonly order: NameOrder;
  /** The most animals that a day needs, per race of the whole card; a test compares it with four hundred days. */
  readonly perRace: number;
}

/** Australia's horses never race in New Zealand, and neither country's horses race abroad. */
const POOLS = {
  horse: { order: 'plain', perRace: 4.6 },
  greyhound: { order: 'plain', perRace: 3.7 },
  harness: { order: 'swapped', perRace: 2.2 },
  nzHorse: { order: 'swapped', perRace: 1.5 },
  nzHarness: { order: 'swapped', perRace: 0.8 },
} as const satisfies Record<string, Pool>;
type PoolName = keyof typeof POOLS;

/** Kept out of the pools: the animals of races that are not on the drawn card. */
const STRANGERS = 600;
/** Short days deviate more from the average. */
const SPARE = 40;
const ABROAD_A_DAY = 330;
const ABROAD_DAYS = 9;
const LONGEST_TURN_DAYS = 7;
const DAY_MS = 86_400_000;

const racesADay = (intervalMinutes: number): number => 1440 / intervalMinutes;
const sizeOf = (pool: PoolName, intervalMinutes: number): number =>
  Math.ceil(POOLS[pool].perRace * racesADay(intervalMinutes)) + SPARE;

/** Days from an animal's turn to its next. */
export function turnDaysOf(intervalMinutes: number): number {
  const plain = sizeOf('horse', intervalMinutes) + sizeOf('greyhound', intervalMinutes);
  return Math.min(LONGEST_TURN_DAYS, Math.floor((NAMES - STRANGERS) / plain));
}

export interface EntriesRequest {
  readonly seed: number;
  readonly day: Day;
  readonly intervalMinutes: number;
  /** The last runs of an animal that is on the card of `day`. */
  formOf(animal: Animal, track: Track): string;
}

export function createEntries({ seed, day, intervalMinutes, formOf }: EntriesRequest): DayEntries {
  const dayNumber = Math.round(Date.parse(day) / DAY_MS);
  const turnDays = turnDaysOf(intervalMinutes);
  const decks = new Map<PoolName | 'abroad', { readonly order: NameOrder; readonly first: number; deck: number[] }>();
  const open = (pool: PoolName | 'abroad') => {
    const { order, first, size } =
      pool === 'abroad' ? abroadOn(dayNumber) : poolOn(pool, dayNumber % turnDays, intervalMinutes, turnDays);
    const all = Array.from({ length: size }, (_, i) => i);
    const opened = { order, first, deck: shuffled(mix(seed, hashText(`${day} ${pool}`)), all) };
    decks.set(pool, opened);
    return opened;
  };
  const deal = (track: Track, count: number): Hand => {
    const pool = poolOf(track);
    const { order, first, deck } = decks.get(pool) ?? open(pool);
    if (deck.length < count) throw new Error(`the ${pool} pool is too small for ${day}`);
    const dealt = deck
      .splice(deck.length - count)
      .reverse()
      .map((card) => first + card);
    const drawn = (index: number): Entrant => {
      const animal = animalOf(seed, track.category, order, index);
      return { ...animal, form: () => formOf(animal, track) };
    };
    const taken = (): Entries => {
      const left = dealt.values();
      return { next: () => drawn(left.next().value!) };
    };
    return { animals: dealt.map((index) => numberAt(order, index)), open: taken };
  };
  return { deal, next: (track) => deal(track, 1).open().next(track) };
}

function poolOf({ abroad, country, category }: Track): PoolName | 'abroad' {
  if (abroad !== null) return 'abroad';
  if (category === 'greyhound') return 'greyhound';
  if (country === 'NZ') return category === 'horse' ? 'nzHorse' : 'nzHarness';
  return category;
}

interface PoolOfDay {
  readonly order: NameOrder;
  /** The index of the pool's first animal in the list of names. */
  readonly first: number;
  readonly size: number;
}

/** Pools of the same order follow one another, each with a part for every turn. */
function poolOn(pool: PoolName, turn: number, intervalMinutes: number, turnDays: number): PoolOfDay {
  const { order } = POOLS[pool];
  const names = Object.keys(POOLS) as PoolName[];
  const before = names.slice(0, names.indexOf(pool)).filter((one) => POOLS[one].order === order);
  const size = sizeOf(pool, intervalMinutes);
  const start = before.reduce((sum, one) => sum + sizeOf(one, intervalMinutes) * turnDays, 0);
  return { order, first: start + turn * size, size };
}

/** Taken from the end of the swapped names. */
const abroadOn = (dayNumber: number): PoolOfDay => ({
  order: 'swapped',
  first: NAMES - (1 + (dayNumber % ABROAD_DAYS)) * ABROAD_A_DAY,
  size: ABROAD_A_DAY,
});

/** Animals of races that are not on the drawn card: the n-th stranger of a seed. They have no past. */
export function strangersFrom(seed: number, firstIndex: number): Entries {
  let dealt = 0;
  return {
    next({ category }) {
      const index = NAMES - 1 - ((firstIndex + dealt++) % STRANGERS);
      return { ...animalOf(seed, category, 'plain', index), form: () => drawnForm(mix(seed, 89, index)) };
    },
  };
}
