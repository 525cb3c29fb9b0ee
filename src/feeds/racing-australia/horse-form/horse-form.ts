// A horse's form page: name, profile, career and runs. Null if it is not the page of a horse.
import type { HorseForm, HorseProfile } from '../../../domain/form/horse-form';
import { countDrops } from '../../reading/drops';
import { openPage, type Page, type Piece } from '../../reading/html';
import type { Mapped } from '../../transport/reply';
import { dashedDay } from '../address';
import { cellText, spaced } from '../page';
import { readCareer } from './career';
import { readRun } from './run';
import { DETAILS, LABELS, NAME, RUNS } from './selectors';

/** `code`: the registry's code for which the page was requested. */
export function mapHorseForm(html: string, code: string): Mapped<HorseForm> | null {
  const $ = openPage(html);
  const name = cellText($(NAME).first().text());
  if (name === null) return null;
  const drops = countDrops();
  const cells = labelled($);
  const runs = $(RUNS)
    .toArray()
    .flatMap((row) => {
      const run = readRun($, $(row));
      if (run === 'unreadable') drops.add('form_run_unreadable');
      return run === null || run === 'unreadable' ? [] : [run];
    });
  const career = cellOf(cells, LABELS.career);
  const form = {
    name: name.replace(/\s*\(Late:.*$/i, ''),
    runnerCode: code,
    profile: readProfile($, cells),
    career: career && readCareer(spaced($, career).slice(0, LONGEST_CAREER)),
    // The page prints the oldest run first; a page in the other order is sorted too.
    runs: runs.sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0)),
  };
  return { value: form, bookAt: null, dropped: drops.counts() };
}

const LONGEST_CAREER = 2000;

const folded = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

/** The cell beside each label of the details. */
function labelled($: Page): ReadonlyMap<string, Piece> {
  const rows = $(`${DETAILS} tr`)
    .toArray()
    .map((row) => $(row));
  return new Map(rows.map((row) => [folded(row.children('th').first().text()), row.children('td').first()]));
}

const cellOf = (cells: ReadonlyMap<string, Piece>, labels: readonly string[]): Piece | null =>
  labels.map((label) => cells.get(label)).find((cell) => cell !== undefined) ?? null;

/** Bounds the work of the expression. */
const LONGEST_IDENTITY = 1000;
/** `3yo Bay Gelding D.O.B: 29-Oct-2022 by SIRE from DAM View Pedigree`. */
const IDENTITY = /(\d+yo.*?)\s+D\.?O\.?B\.?:?\s*(\S+)\s+by\s+(.+?)\s+from\s+(.+?)(?:\s+View\b.*)?$/i;

function readProfile($: Page, cells: ReadonlyMap<string, Piece>): HorseProfile {
  const identity = spaced($, $(NAME).first().parent()).slice(0, LONGEST_IDENTITY);
  const [, ageSex, born, sire, dam] = IDENTITY.exec(identity) ?? [];
  const trainer = cellOf(cells, LABELS.trainer);
  const trainerText = trainer ? spaced($, trainer) : '';
  const textIn = (labels: readonly string[]): string | null => {
    const cell = cellOf(cells, labels);
    return cell && cellText(spaced($, cell));
  };
  return {
    ageSex: cellText(ageSex),
    colours: textIn(LABELS.colours),
    dam: cellText(dam),
    dob: born ? dashedDay(born) : null,
    lastGearChange: textIn(LABELS.gear),
    sire: cellText(sire),
    trainer: cellText(trainerText.replace(/ ?\([^()]*\)$/, '')),
    trainerLocation: cellText(/\(([^()]*)\)\s*$/.exec(trainerText)?.[1]),
  };
}
