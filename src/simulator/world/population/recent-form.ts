// The form figures of an animal: its places in its last runs (`3x1240`), from the world's own races. Only figures: the
// registry's history has the runs themselves. The world begins about three months back: nothing before that ever ran.
import { LRUCache } from 'lru-cache';
import type { Day } from '../../../domain/race/race';
import { addDays } from '../../../domain/time/aet';
import type { Mishap, PlannedMeeting, PlannedRace, Race } from '../race';
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
/** A plan takes 0.4 MB, and is needed again only while the cards of the following days are built. */
const PLANS_CACHED = { max: 45, ttl: 600_000, updateAgeOnGet: true, ttlAutopurge: true } as const;
/**
 * By the animal's number: the character of its figure. One byte each, because there are a hundred days of thousands of
 * animals.
 */
type Figures = Uint8Array;
const UNKNOWN = 0;
const NONE = 1;

/** The races of a day, and which of them each animal runs in: by the animal's number, counted from 1; 0 if in none. */
interface DayPlan {
  readonly races: readonly PlannedRace[];
  readonly raceOf: Uint16Array;
}

/** `plan`: the card of a day. Of a past day only those races are built in which a requested animal ran. */
export function createRecentForm(plan: (day: Day) => readonly PlannedMeeting[], turnDays: number): RecentForm {
  const days = new LRUCache<Day, Figures>({ max: DAYS_CACHED, memoMethod: () => new Uint8Array(ANIMALS) });
  const plans = new LRUCache<Day, DayPlan>({ ...PLANS_CACHED, memoMethod: (day) => planOf(plan(day)) });
  const turns = new LRUCache<Day, readonly Day[]>({
    max: PLANS_CACHED.max,
    memoMethod: (day) => turnsBefore(day, turnDays),
  });
  const figureOf = (day: Day, animal: number): number => {
    const figures = days.memo(day);
    if (figures[animal] === UNKNOWN) learn(figures, plans.memo(day), animal);
    return figures[animal]!;
  };
  return {
    before(day, name) {
      const animal = numberOf(name);
      const figures: number[] = [];
      for (const turn of turns.memo(day)) {
        const figure = figureOf(turn, animal);
        if (figure !== NONE && figures.push(figure) === MOST_RUNS) break;
      }
      return String.fromCharCode(...figures.reverse());
    },
  };
}

function planOf(meetings: readonly PlannedMeeting[]): DayPlan {
  const races = meetings.flatMap((one) => one.races);
  const raceOf = new Uint16Array(ANIMALS);
  races.forEach(({ animals }, i) => {
    for (const animal of animals) raceOf[animal] = i + 1;
  });
  return { races, raceOf };
}

/** Records the figures of all runners in the race of an animal. */
function learn(figures: Figures, { races, raceOf }: DayPlan, animal: number): void {
  figures[animal] = NONE;
  const race = races[raceOf[animal]! - 1];
  if (!race) return;
  for (const one of race.animals) figures[one] = NONE;
  for (const [name, figure] of figuresIn(race.build())) figures[numberOf(name)] = figure.charCodeAt(0);
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
