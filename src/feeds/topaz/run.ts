// Maps one run of a Topaz race. An incomplete run is dropped, and the caller must learn that the field lacks it.
import { asPrice } from '../../domain/prices/price';
import { isVacantBox } from '../../domain/race/runner';
import { measuredOf, type ResultRunner } from '../../domain/results/result';
import type { Drops } from '../reading/drops';
import { countOf, idOf, type JsonObject, positiveOf, textOf } from '../reading/read';

export const ORIGIN = 'topaz';

/** Rug numbers above the eight boxes belong to reserves. */
const BOXES = 8;

/** Terms of reference-shapes §3.4, by the registry's folded text. */
const ABNORMAL: ReadonlyMap<string, string> = new Map([
  ['fell', 'Fell'],
  ['pulledup', 'PulledUp'],
  ['disqualified', 'Disqualified'],
  ['tailedoff', 'TailedOff'],
  ['stayedinbox', 'StayedInBox'],
]);
/** Last of the field by a long way: the only mishap that keeps its place. */
const FINISHED = 'TailedOff';

export interface RunRead {
  readonly runner: ResultRunner;
  /** Whether the end of the run is reported. True for every runner that did not start. */
  readonly ended: boolean;
}

/** An empty box listed as a run. */
export function isVacant(run: JsonObject): boolean {
  const name = textOf(run.dogName);
  return name !== null && isVacantBox(name);
}

/**
 * Null (counted) if it has no number or name, or if it is both scratched and placed. Dead heats are found for the whole
 * field (field.ts).
 */
export function readRun(run: JsonObject, drops: Drops): RunRead | null {
  const number = countOf(run.rugNumber);
  const name = textOf(run.dogName);
  if (number === null || name === null) {
    drops.add(number === null ? 'rug_unreadable' : 'dog_name_unreadable');
    return null;
  }
  const end = endOf(run);
  const status = statusOf(run, number, end);
  if (status !== 'ran' && end.place !== null) {
    drops.add('placed_and_scratched');
    return null;
  }
  if (status === 'ran' && end.explained && end.abnormal === null) drops.add('abnormal_unknown');
  const runner = { number, name, status, ...factsOf(run, end, drops) };
  return { runner, ended: status !== 'ran' || end.place !== null || end.explained };
}

interface End {
  readonly place: number | null;
  readonly abnormal: string | null;
  /** The registry gives a reason for having no place, even one that we cannot map. */
  readonly explained: boolean;
}

function endOf(run: JsonObject): End {
  const reasons = [run.abnormalResult, run.unplaced, run.unplacedCode].flatMap((raw) => textOf(raw) ?? []);
  const abnormal = reasons.map((reason) => ABNORMAL.get(folded(reason))).find((one) => one !== undefined) ?? null;
  return { place: countOf(run.place), abnormal, explained: reasons.length > 0 };
}

const folded = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

/** A reserve without a box did not run, whether or not the registry also marks it as scratched. */
function statusOf(run: JsonObject, rug: number, { place, abnormal }: End): ResultRunner['status'] {
  if (run.isLateScratching === true) return 'late_scratching';
  if (rug > BOXES && countOf(run.boxNumber) === null && place === null && abnormal === null) return 'reserve';
  return run.scratched === true ? 'scratched' : 'ran';
}

function factsOf(
  run: JsonObject,
  { place, abnormal }: End,
  drops: Drops,
): Omit<ResultRunner, 'number' | 'name' | 'status'> {
  const placed = abnormal === null || abnormal === FINISHED;
  if (!placed && place !== null) drops.add('place_of_unplaced');
  const dogId = idOf(run.dogId);
  return {
    box: countOf(run.boxNumber),
    position: placed ? place : null,
    dead_heat: false,
    jockey: null,
    trainer: textOf(run.trainerName),
    ...startingPriceOf(run, drops),
    // The winner's row repeats the margin of the second, so it is not read.
    margin: place === 1 ? null : marginOf(run, drops),
    time_s: positiveOf(run.resultTime),
    abnormal,
    runner_ref: dogId === null || dogId === '0' ? null : `grv:${dogId}`,
    origin: ORIGIN,
    ...measured(run),
  };
}

const IN_RUNNING = /^[\w ,/-]{1,30}$/;

function measured(run: JsonObject): Pick<ResultRunner, 'measured'> {
  const inRunning = idOf(run.pir);
  const facts = measuredOf({
    weight_kg: positiveOf(run.weightInKg),
    first_split_s: positiveOf(run.firstSplitTime),
    second_split_s: positiveOf(run.secondSplitTime),
    pir: inRunning !== null && IN_RUNNING.test(inRunning) ? inRunning : null,
    grade: textOf(run.raceType) ?? textOf(run.incomingGrade),
  });
  return facts ? { measured: facts } : {};
}

const PRICE = /^\$?(\d+(?:\.\d+)?)\s*(F|EF)?$/i;

/** 0 means none. The favourite is read only from the older text format (`$2.40F`), never derived from prices. */
function startingPriceOf(
  run: JsonObject,
  drops: Drops,
): { readonly sp: number | null; readonly sp_note: string | null } {
  const sent = run.startPrice ?? run.startingPrice ?? null;
  const [, digits, note] = PRICE.exec(typeof sent === 'number' ? `${sent}` : (textOf(sent) ?? '')) ?? [];
  const sp = asPrice(digits);
  if (sp !== null) return { sp, sp_note: note?.toUpperCase() ?? null };
  if (sent !== null && sent !== '' && Number(digits) !== 0) drops.add('sp_unreadable');
  return { sp: null, sp_note: null };
}

const MARGIN = /^\d+(\.\d+)?L$/i;

/** To the winner, in lengths, as sent. Seconds (`resultMargin`) are never converted to lengths. */
function marginOf(run: JsonObject, drops: Drops): string | null {
  const margin = textOf(run.resultMarginLengths);
  if (margin === null || MARGIN.test(margin)) return margin;
  drops.add('margin_unreadable');
  return null;
}
