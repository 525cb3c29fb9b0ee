// A race of a meeting in Topaz' format: its runs from the acceptances on, and how each ended once the authority has published its day.
import type { TopazRace, TopazRun } from '../../feeds/topaz/payload';
import { dogIdOf, type OfficialRunner } from '../registry/official-field';
import { publishedResult } from '../registry/publication';
import type { Race, Runner } from '../world/race';
import { unit } from '../world/random';
import { firstStartMs } from '../world/story/race-times';

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

/** A partial field lacks whole rows in some races, and only how the run ended in others. */
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

const secondOf = (field: readonly OfficialRunner[]): OfficialRunner | undefined =>
  field.filter(({ marginLengths }) => (marginLengths ?? 0) > 0).sort((a, b) => a.marginLengths! - b.marginLengths!)[0];

function entryRow(race: Race, runner: Runner): TopazRun {
  return {
    runId: race.serial * 100 + runner.number,
    dogId: dogIdOf(runner.name),
    dogName: runner.name.toUpperCase(),
    rugNumber: runner.number,
    boxNumber: runner.barrier,
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
    trainerName: runner.trainer,
  };
}

const SECONDS_A_LENGTH = 0.07;

/** The winner's row has the second's margin. A missing price is 0. */
function resultRow(race: Race, official: OfficialRunner, second: OfficialRunner | undefined): TopazRun {
  const { position, status, abnormal, sp, timeS, barrier } = official;
  const margin = position === 1 ? (second?.marginLengths ?? null) : official.marginLengths;
  return {
    ...entryRow(race, official.runner),
    boxNumber: barrier,
    startPrice: sp ?? 0,
    place: position,
    abnormalResult: abnormal,
    scratched: status === 'scratched' || status === 'late_scratching',
    isLateScratching: status === 'late_scratching',
    resultTime: timeS,
    resultMargin: margin === null ? null : Math.round(margin * SECONDS_A_LENGTH * 10_000) / 10_000,
    resultMarginLengths: margin === null ? null : `${margin.toFixed(2)}L`,
  };
}
