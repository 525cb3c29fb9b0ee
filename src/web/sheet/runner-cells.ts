// What names a runner in every table: number and cloth, name, connections, and why it does not run.
import type { PersonRole } from '../../domain/race/person';
import type { RunnerRow, ShownScratching } from '../board/model';
import { centsText, lastRunsText, ordinalText } from '../format';
import { type Fragment, type Html, html } from '../html';
import { personName, runnerName, startTime, tag } from '../race-parts';
import { sortHead } from './column-head';
import type { Shown } from './shown';

export const runnerHeads = (): Html =>
  html`${sortHead('no', 'c-no', html`<abbr title="Number">No</abbr>`)}${sortHead('runner', 'c-runner', 'Runner')}`;

/** `columns`: how many follow. */
export function runnerCells(shown: Shown, runner: RunnerRow, columns: number): Html {
  const { race, nowMs } = shown;
  const { number, name, scratching } = runner;
  const why = scratching && scratchingText(scratching, nowMs);
  return html`<td class="c-no" data-value="${number}"><span class="cloth cloth-${race.category}-${number}">${number}</span></td><th scope="row" class="c-runner" data-value="${name}">${runnerText(shown, runner)}</th>${why && html`<td class="c-out" colspan="${columns}"><span>${why}</span></td>`}`;
}

function runnerText(shown: Shown, runner: RunnerRow): Html {
  const { race, named } = shown;
  const name = runner.scratching
    ? html`<s class="name">${runner.name}</s>`
    : html`<span class="name">${named ? runnerName(race, runner.name) : runner.name}</span>`;
  const barrier =
    race.category === 'greyhound' || runner.barrier === null
      ? null
      : html` <span class="barrier"><span class="vh">barrier </span>(${runner.barrier})</span>`;
  const finished = runner.position !== null && html` ${tag('place', ordinalText(runner.position))}`;
  return html`${name}${barrier}${finished}${runner.emergency && html` ${tag('quiet', 'emergency')}`}${runner.favourite && html` ${tag('fav', 'fav')}`}<span class="who">${connections(shown, runner)}</span>`;
}

/** Jockey or driver, trainer, weight and form. */
export function connections({ race, named }: Shown, runner: RunnerRow): Html {
  const person = (role: PersonRole, name: string): Fragment => (named ? personName(race, role, name) : name);
  const rider = race.category === 'harness' ? 'Driver' : 'Jockey';
  const parts = [
    runner.jockey && html`<abbr title="${rider}">${rider[0]}:</abbr>\u00a0${person('rider', runner.jockey)}`,
    runner.trainer && html`<abbr title="Trainer">T:</abbr>\u00a0${person('trainer', runner.trainer)}`,
    runner.weightKg && html`${runner.weightKg}\u00a0kg`,
    runner.form && html`<abbr title="Form, latest last: ${runner.form}">F:</abbr>\u00a0${lastRunsText(runner.form)}`,
  ].filter((part) => part instanceof Object);
  return html`${parts.map((part) => html`<span>${part}</span>`)}`;
}

function scratchingText({ atMs, late, winDeduction, placeDeduction }: ShownScratching, nowMs: number): Html {
  const at = atMs !== null && html` ${startTime(atMs, nowMs)}`;
  const off = deductionText(winDeduction, placeDeduction);
  return html`Scratched${at}${late && html` ${tag('warn', 'late')}`}${off !== null && html`<span class="deduction">${off}</span>`}`;
}

/** Null while no book publishes it. */
function deductionText(win: number | null, place: number | null): string | null {
  if (!win && !place) return win === null && place === null ? null : 'no deduction';
  const parts = [win !== null && `${centsText(win)} win`, place !== null && `${centsText(place)} place`];
  return `deduction ${parts.filter(Boolean).join(', ')}`;
}
