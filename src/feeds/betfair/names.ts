// Reads what Betfair puts into names and other books send as fields: the saddlecloth number from the runner's name;
// race number, distance and class from the market's. Pure; an unreadable part is null, never guessed.
import type { Category } from '../../domain/race/race';
import { countOf, textOf } from '../reading/read';

export interface RunnerName {
  /** Null if there is no prefix; the runner is then joined by name. */
  readonly number: number | null;
  readonly name: string | null;
  /** The prefix is not a saddlecloth number (`0.`). */
  readonly badNumber: boolean;
}

/** `7. Baldrick` is 7, Baldrick. */
export function runnerNameOf(value: unknown): RunnerName {
  const text = textOf(value) ?? '';
  const prefix = /^(\d+)\.(?:\s+|$)/.exec(text);
  const number = prefix ? countOf(prefix[1]) : null;
  const name = textOf(prefix ? text.slice(prefix[0].length) : text);
  return { number, name, badNumber: prefix !== null && number === null };
}

export interface RaceName {
  readonly raceNumber: number;
  readonly distanceM: number;
  /** `Hcap`, `Pace M`; null if the name ends with the distance. */
  readonly raceClass: string | null;
}

/** `R7 1100m Hcap`. */
export function raceNameOf(value: unknown): RaceName | null {
  const found = /^R(\d{1,2})\s+(\d{3,4})m(?:\s+(.+))?$/.exec(textOf(value) ?? '');
  const raceNumber = found && countOf(found[1]);
  const distanceM = found && countOf(found[2]);
  return raceNumber && distanceM ? { raceNumber, distanceM, raceClass: textOf(found[3]) } : null;
}

const GREYHOUND = '4339';
const HORSE_OR_HARNESS = '7';

/**
 * Event type 7 covers horses and harness; only harness classes contain Pace or Trot. Without a class the code is
 * unknown: null.
 */
export function categoryOf(eventTypeId: string | null, raceClass: string | null): Category | null {
  if (eventTypeId === GREYHOUND) return 'greyhound';
  if (eventTypeId !== HORSE_OR_HARNESS || raceClass === null) return null;
  return /\b(pace|trot)/i.test(raceClass) ? 'harness' : 'horse';
}
