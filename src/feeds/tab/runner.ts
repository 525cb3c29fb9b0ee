// One TAB runner: two betting blocks (fixed, parimutuel) whose scratching statuses may differ. Prices remain on
// scratched runners.
import type { FeedRunner, FeedScratching } from '../../domain/race/feed-race';
import type { Drops } from '../reading/drops';
import { indicative, winAndPlace } from '../reading/legs';
import {
  countOf,
  flagOf,
  idOf,
  instantOf,
  type JsonObject,
  listOf,
  numberOf,
  positiveOf,
  rowOf,
  textOf,
} from '../reading/read';
import { readRunners } from '../reading/runners';

const KEYS = { number: ['runnerNumber'], name: 'runnerName' } as const;

export function runnersOf(race: JsonObject, drops: Drops): FeedRunner[] {
  const placeOffered = race.numberOfFixedOddsPlaces !== 0 && race.allowFixedOddsPlace !== false;
  const sheet = scratchingSheet(race);
  const read = (row: JsonObject, number: number, name: string): FeedRunner => {
    const fixed = rowOf(row.fixedOdds);
    const pari = rowOf(row.parimutuel);
    const scratching = scratchingOf(fixed, [fixed.bettingStatus, pari.bettingStatus, sheet.get(number)], drops);
    const place = placeOf(fixed, placeOffered && fixed.allowPlace !== false, drops);
    const suspended = /^suspended$/i.test(textOf(fixed.bettingStatus) ?? '');
    if (suspended) drops.add('runner_suspended');
    return {
      number,
      name,
      barrier: countOf(row.barrierNumber),
      jockey: textOf(row.riderDriverFullName) ?? textOf(row.riderDriverName),
      trainer: textOf(row.trainerFullName) ?? textOf(row.trainerName),
      weightKg: positiveOf(row.handicapWeight),
      form: textOf(row.last5Starts),
      runnerRef: null,
      emergency: flagOf(row.emergency),
      scratching,
      ...winAndPlace(fixed.returnWin, place, scratching !== null || suspended, drops),
      toteWin: scratching ? null : indicative(pari.returnWin),
      ...propositionOf(fixed),
    };
  };
  return readRunners(listOf(race.runners), KEYS, read, drops);
}

/** `returnPlace` may have a number although no fixed place is offered; it must not be published. */
function placeOf(fixed: JsonObject, offered: boolean, drops: Drops): unknown {
  if (offered) return fixed.returnPlace;
  if (positiveOf(fixed.returnPlace) !== null) drops.add('place_not_offered');
  return null;
}

/** TAB's own number of the runner's fixed-odds bet, the same for win and place. */
function propositionOf(fixed: JsonObject): Pick<FeedRunner, 'sourceIds'> {
  const id = idOf(fixed.propositionNumber);
  return id === null ? {} : { sourceIds: { win: id, place: id } };
}

function scratchingSheet(race: JsonObject): ReadonlyMap<number, string> {
  const sheet = new Map<number, string>();
  for (const raw of listOf(race.scratchings)) {
    const row = rowOf(raw);
    const number = countOf(row.runnerNumber);
    if (number) sheet.set(number, textOf(row.bettingStatus) ?? 'Scratched');
  }
  return sheet;
}

/** Scratched if any block says so; late if any block says late (the fixed block does, the parimutuel one may not). */
function scratchingOf(fixed: JsonObject, statuses: readonly unknown[], drops: Drops): FeedScratching | null {
  const late = statuses.includes('LateScratched');
  if (!late && !statuses.includes('Scratched')) return null;
  return {
    at: instantOf(fixed.scratchedTime),
    late,
    winDeduction: centsOf(fixed.winDeduction, drops),
    placeDeduction: centsOf(fixed.placeDeduction, drops),
  };
}

/** Whole cents in the dollar; 0 is a real deduction, for a long shot. */
function centsOf(value: unknown, drops: Drops): number | null {
  if (value == null) return null;
  const cents = numberOf(value);
  if (cents !== null && Number.isInteger(cents) && cents >= 0 && cents <= 100) return cents / 100;
  drops.add('deduction_not_in_cents');
  return null;
}
