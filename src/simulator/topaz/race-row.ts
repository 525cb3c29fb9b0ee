// A race of a meeting in Topaz' format: its runs from the acceptances on, and how each run ended once the authority has
// published its day.
import type { TopazRace, TopazRun } from '../../feeds/topaz/payload';
import type { PastRace, PastRunner } from '../registry/form/history';
import { dogIdOf, type OfficialRunner } from '../registry/official-field';
import { publishedResult } from '../registry/publication';
import type { Race, Runner } from '../world/race';
import { mix, unit } from '../world/random';
import { firstStartMs } from '../world/story/race-times';

type Official = PastRunner;
type Graded = Pick<Race, 'serial' | 'raceClass'>;

export function raceRow(race: Race, nowMs: number): TopazRace {
  const { stage, field } = publishedResult(race, nowMs);
  const runs = runsOf(race, field);
  return {
    raceId: race.serial,
    raceNumber: race.number,
    name: race.name.toUpperCase(),
    raceStart: new Date(firstStartMs(race)).toISOString(),
    distance: race.distanceM,
    isRaceResultEntered: stage === 'final',
    isAbandoned: stage === 'abandoned',
    // Occasionally a run appears twice.
    runs: unit(race.seed, 992) < 0.1 ? [...runs, runs[0]!] : runs,
  };
}

/** A race of which only the result remains. */
export const pastRaceRow = (race: PastRace): TopazRace => ({
  raceId: race.serial,
  raceNumber: race.number,
  name: race.name.toUpperCase(),
  raceStart: new Date(race.startMs).toISOString(),
  distance: race.distanceM,
  isRaceResultEntered: true,
  isAbandoned: false,
  runs: race.field.map((runner) => resultRow(race, runner, secondOf(race.field))),
});

/** A partial field lacks whole rows in some races, and in others only how the run ended. */
function runsOf(race: Race, field: readonly OfficialRunner[]): TopazRun[] {
  const entries = race.runners.filter(({ vacant }) => !vacant);
  if (field.length === 0) return entries.map((runner) => entryRow(race, runner));
  const hidden = unit(race.seed, 993) < 0.5;
  const official = new Map(field.map((runner) => [runner.number, runner]));
  return entries.flatMap((runner) => {
    const found = official.get(runner.number);
    if (found) return [resultRow(race, found, secondOf(field))];
    return hidden ? [] : [entryRow(race, runner)];
  });
}

const secondOf = <T extends Official>(field: readonly T[]): T | undefined =>
  field.filter(({ marginLengths }) => (marginLengths ?? 0) > 0).sort((a, b) => a.marginLengths! - b.marginLengths!)[0];

function entryRow(
  race: Graded,
  { number, name, barrier, trainer }: Pick<Runner, 'number' | 'name' | 'barrier' | 'trainer'>,
): TopazRun {
  return {
    runId: race.serial * 100 + number,
    dogId: dogIdOf(name),
    dogName: name.toUpperCase(),
    rugNumber: number,
    boxNumber: barrier,
    startPrice: null,
    place: null,
    unplaced: null,
    unplacedCode: null,
    abnormalResult: null,
    scratched: false,
    isLateScratching: false,
    resultTime: null,
    resultMargin: null,
    resultMarginLengths: null,
    trainerName: trainer,
    weightInKg: null,
    firstSplitTime: null,
    secondSplitTime: null,
    pir: null,
    raceType: race.raceClass,
    incomingGrade: null,
  };
}

const SECONDS_A_LENGTH = 0.07;

/** The winner's row has the margin of the second. A missing price is 0. */
function resultRow(race: Graded, official: Official, second: Official | undefined): TopazRun {
  const { position, status, abnormal, sp, timeS } = official;
  const margin = position === 1 ? (second?.marginLengths ?? null) : official.marginLengths;
  return {
    ...entryRow(race, official),
    startPrice: sp ?? 0,
    place: position,
    abnormalResult: abnormal,
    scratched: status === 'scratched' || status === 'late_scratching',
    isLateScratching: status === 'late_scratching',
    resultTime: timeS,
    resultMargin: margin === null ? null : Math.round(margin * SECONDS_A_LENGTH * 10_000) / 10_000,
    resultMarginLengths: margin === null ? null : `${margin.toFixed(2)}L`,
    ...(status === 'ran' && measured(race, official)),
  };
}

/** A fifth of the runs have a second split. */
const HAS_SECOND_SPLIT = 0.21;

/** A dog's weight differs by half a kilogram from race to race; the splits are fractions of its time. */
function measured({ serial }: Graded, { number, name, timeS }: Official) {
  const drawn = (what: number): number => unit(serial, 995 + what, number);
  const part = (share: number): number | null => (timeS === null ? null : Math.round(timeS * share * 100) / 100);
  return {
    weightInKg: Math.round((26 + (mix(dogIdOf(name), 7) % 90) / 10 + drawn(0) / 2) * 10) / 10,
    firstSplitTime: part(0.17 + 0.01 * drawn(1)),
    secondSplitTime: drawn(2) < HAS_SECOND_SPLIT ? part(0.5 + 0.02 * drawn(3)) : null,
    pir: timeS === null ? null : [4, 5, 6].map((mark) => 1 + Math.floor(drawn(mark) * 8)).join(''),
  };
}
