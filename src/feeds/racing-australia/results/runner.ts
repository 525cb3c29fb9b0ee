// One row of a results table as a runner of the field. Its number, class, Finish and weight decide whether it ran.

import { asPrice } from '../../../domain/prices/price';
import { runnerRefOf } from '../../../domain/registry/registry';
import type { FieldSource } from '../../../domain/results/field-coverage';
import { measuredOf, type ResultRunner } from '../../../domain/results/result';
import { countOf, positiveOf } from '../../reading/read';
import { cellText, type TableRow } from '../page';
import type { ResultTitleFacts } from '../race-title';
import { jockeyIn, linkedCode, numberIn } from '../runner-cells';
import { type Finish, readFinish } from './finish';

export const RESULTS_SOURCE: FieldSource = 'racing_australia';

/** `doubt`: the row is contradictory or has an unknown code, so its race is not final. */
export interface ReadResultRunner {
  readonly runner: ResultRunner;
  readonly doubt: 'finish_missing' | 'finish_code_unknown' | 'scratched_with_finish' | null;
}

/** Null if the row has no runner. */
export function readResultRunner(
  row: TableRow,
  scratchedRow: boolean,
  race: Pick<ResultTitleFacts, 'winnerTimeS' | 'last600mS'>,
): ReadResultRunner | null {
  const text = (name: string): string | null => cellText(row.get(name)?.text);
  const numbered = numberIn(row);
  const name = text('horse');
  if (numbered === null || name === null) return null;
  const finish = readFinish(text('finish'));
  const price = readPrice(text('startingprice'));
  const carried = text('weight') !== null || price.sp !== null;
  const runner: ResultRunner = {
    number: numbered.number,
    name,
    box: countOf(text('bar')),
    ...statusOf(finish, { scratchedRow, carried, emergency: numbered.emergency }),
    // Set once the whole race is read.
    dead_heat: false,
    jockey: jockeyIn(row).jockey,
    trainer: text('trainer'),
    ...price,
    margin: text('margin'),
    // The page has only the winner's time, and no other runner's can be derived from it.
    time_s: finish.kind === 'placed' && finish.position === 1 && !isBehind(text('margin')) ? race.winnerTimeS : null,
    runner_ref: runnerRefOf(linkedCode(row, 'horse', 'horsecode')),
    origin: RESULTS_SOURCE,
    ...measured(text('weight'), race.last600mS),
  };
  return { runner, doubt: doubtOf(finish, scratchedRow, carried) };
}

/** `58kg (cd 58.5kg)`: the allotted weight, and the carried weight if they differ. */
const WEIGHT = /^(\d{2}(?:\.\d{1,2})?)\s*kg(?:\s*\(cd\s*(\d{2}(?:\.\d{1,2})?)\s*kg\))?/i;

function measured(weight: string | null, last600mS: number | null): Pick<ResultRunner, 'measured'> {
  const [, allotted, carried] = WEIGHT.exec(weight ?? '') ?? [];
  const facts = measuredOf({
    weight_kg: positiveOf(allotted ?? null),
    carried_kg: positiveOf(carried ?? null),
    last_600m_s: last600mS,
  });
  return facts ? { measured: facts } : {};
}

/** A winner with a margin behind another runner won on protest. */
const isBehind = (margin: string | null): boolean => /[1-9]/.test(margin ?? '');

interface RowFacts {
  readonly scratchedRow: boolean;
  /** It has a weight or a starting price, so it was in the race at weighing out. */
  readonly carried: boolean;
  readonly emergency: boolean;
}

/**
 * An emergency without a weight and a price did not start and is a reserve, whether it is SB or not; with either of
 * them it was in the race.
 */
function statusOf(finish: Finish, { scratchedRow, carried, emergency }: RowFacts) {
  const ran =
    finish.kind === 'placed' || finish.kind === 'unplaced' || (!scratchedRow && carried && finish.kind !== 'out');
  const position = finish.kind === 'placed' ? finish.position : null;
  if (ran) return { status: 'ran', position, abnormal: finish.kind === 'unplaced' ? finish.abnormal : null } as const;
  if (emergency && !carried) return { status: 'reserve', position: null, abnormal: null } as const;
  const abnormal = finish.kind === 'out' ? finish.abnormal : null;
  return { status: 'scratched', position: null, abnormal } as const;
}

function doubtOf(finish: Finish, scratchedRow: boolean, carried: boolean): ReadResultRunner['doubt'] {
  if (finish.kind === 'unknown') return 'finish_code_unknown';
  if (scratchedRow && (finish.kind === 'placed' || finish.kind === 'unplaced')) return 'scratched_with_finish';
  return finish.kind === 'blank' && !scratchedRow && carried ? 'finish_missing' : null;
}

/** `$4.60F`: F is the favourite, EF an equal favourite. Unknown is null, never 0 (A 2.11 rule 2). */
function readPrice(text: string | null): { sp: number | null; sp_note: string | null } {
  const [, dollars, note = ''] = /^\$\s*(\d[\d,]*(?:\.\d+)?)\s*(E?F)?$/i.exec(text ?? '') ?? [];
  const sp = asPrice(dollars?.replaceAll(',', ''));
  return sp === null ? { sp, sp_note: null } : { sp, sp_note: note.toUpperCase() || null };
}
