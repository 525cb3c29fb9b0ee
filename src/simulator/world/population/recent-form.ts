// The form figures of an animal: where it finished in its last runs (`3x1240`), from the world's own races. Figures only; the registry's history has the
// runs themselves. The world begins about three months back: nothing before that ever ran.
import { LRUCache } from 'lru-cache';
import type { Day } from '../../../domain/race/race';
import { addDays } from '../../../domain/time/aet';
import type { Meeting, Mishap, Race } from '../race';
import { sequence } from '../random';
import { ANIMALS, numberOf } from './animals';

export interface RecentForm {
  /** Oldest first, at most ten; empty for a first starter. */
  before(day: Day, name: string): string;
}

/** The first day of the month three months before: 92 to 123 days back. */
export function worldBegins(today: Day): Day {
  const date = new Date(`${today.slice(0, 7)}-01`);
  date.setUTCMonth(date.getUTCMonth() - 3);
  return date.toISOString().slice(0, 10);
}

/** The days on which an animal that is on the card of `day` had its turn, newest first. */
export function turnsBefore(day: Day, turnDays: number): Day[] {
  const turns: Day[] = [];
  const begins = worldBegins(day);
  for (let turn = addDays(day, -turnDays); turn >= begins; turn = addDays(turn, -turnDays)) turns.push(turn);
  return turns;
}

/** Figures of an animal that has no past race in the world. */
export function drawnForm(seed: number): string {
  const draw = sequence(seed);
  const starts = draw.between(2, MOST_RUNS);
  return Array.from({ length: starts }, (_, i) => (i === 1 && starts > 4 ? 'x' : String(draw.between(1, 8)))).join('');
}

const MOST_RUNS = 10;
const DAYS_CACHED = 150;
/** By the animal's number: the character of its figure, 0 for none. A byte each, because there are a hundred days of thousands of animals. */
type Figures = Uint8Array;

/** `meetings`: the card of a day, built without the form of its runners. */
export function createRecentForm(meetings: (day: Day) => readonly Meeting[], turnDays: number): RecentForm {
  const days = new LRUCache<Day, Figures>({ max: DAYS_CACHED });
  const figuresOf = (day: Day): Figures => {
    const figures = days.get(day) ?? figuresOn(meetings(day));
    days.set(day, figures);
    return figures;
  };
  return {
    before(day, name) {
      const animal = numberOf(name);
      const figures = turnsBefore(day, turnDays).map((turn) => figuresOf(turn)[animal]!);
      return String.fromCharCode(...figures.filter(Boolean).slice(0, MOST_RUNS).reverse());
    },
  };
}

function figuresOn(meetings: readonly Meeting[]): Figures {
  const figures = new Uint8Array(ANIMALS);
  for (const { races } of meetings)
    for (const race of races)
      for (const [name, figure] of figuresIn(race)) figures[numberOf(name)] = figure.charCodeAt(0);
  return figures;
}

const MISHAPS: Readonly<Record<Mishap, string | null>> = {
  Fell: 'F',
  PulledUp: 'P',
  Disqualified: 'D',
  StayedInBox: 'L',
  TailedOff: null,
};

function figuresIn({ runners, story }: Race): [string, string][] {
  if (story.abandoned) return [];
  return runners.flatMap(({ number, name, vacant }) => {
    const position = story.settled.find((placing) => placing.number === number)?.position;
    const mishap = story.mishaps.find((one) => one.number === number);
    const figure =
      (mishap && MISHAPS[mishap.what]) ?? (position === undefined ? null : position < 10 ? `${position}` : '0');
    return vacant || figure === null ? [] : [[name, figure]];
  });
}
