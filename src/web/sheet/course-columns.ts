// The course of a runner's best price, as columns and, on a phone, as a line under the runner: first seen with how long
// before the start, at each mark, and how far the market has moved. A dash has its reason; no price is ever filled in.
import { FLUCTUATION_MARKS, type FluctuationMark, type PricedAt } from '../board/course/course';
import type { RaceSheet, RunnerRow } from '../board/model';
import { priceText, signedPercentText, timeText, UNKNOWN, zoneText } from '../format';
import { type Html, html } from '../html';
import { sortHead } from './column-head';
import { directionOf } from './market-text';

const minutesOf = (mark: FluctuationMark): string => mark.slice(1);

export const courseHeads = (): Html =>
  html`${sortHead('first', 'c-first', html`First<span class="vh"> seen</span>`, 'The first best price captured, and how many minutes before the advertised start')}${FLUCTUATION_MARKS.map(
    (mark) =>
      sortHead(
        mark,
        'c-mark',
        html`${minutesOf(mark)}<span class="vh"> minutes out</span>`,
        `The best price ${minutesOf(mark)} minutes before the advertised start`,
      ),
  )}`;

export const moveHead = (): Html =>
  sortHead('move', 'c-move', 'Move', 'Change of the consensus since an hour before the start, in percent of the price');

/** Number of columns, with that of the move. */
export const COURSE_COLUMNS = FLUCTUATION_MARKS.length + 2;

const minutesBefore = ({ atMs }: PricedAt, { startMs }: RaceSheet): number => Math.round((startMs - atMs) / 60_000);

export function courseCells({ fluctuations: { first, marks } }: RunnerRow, race: RaceSheet): Html {
  const opened =
    first === null
      ? html`<td class="c-first none" data-value="" title="No price is captured yet"><span class="vh">no price captured </span>${UNKNOWN}</td>`
      : html`<td class="c-first" data-value="${first.price}" title="First captured ${timeText(first.atMs)} ${zoneText(first.atMs)}, ${minutesBefore(first, race)} minutes before the advertised start">${priceText(first.price)}<span class="ago">${minutesBefore(first, race)}m</span></td>`;
  return html`${opened}${FLUCTUATION_MARKS.map((mark) => markCell(mark, marks[mark], race))}`;
}

function markCell(mark: FluctuationMark, price: number | null, race: RaceSheet): Html {
  if (price === null) return html`<td class="c-mark none" data-value="" title="${whyNone(mark, race)}">${UNKNOWN}</td>`;
  return html`<td class="c-mark" data-value="${price}">${priceText(price)}</td>`;
}

const whyNone = (mark: FluctuationMark, { marksReached }: RaceSheet): string =>
  marksReached.includes(mark) ? 'No price stood then' : `Not yet read ${minutesOf(mark)} minutes before the start`;

/** Of the consensus, where the hour has one to compare with. */
export function moveCell({ hour }: RunnerRow): Html {
  if (hour === null || hour.movePct === null)
    return html`<td class="c-move none" data-value="" title="No consensus from an hour out to compare with">${UNKNOWN}</td>`;
  return html`<td class="c-move${directionOf(hour.signal)}" data-value="${hour.movePct}">${signedPercentText(hour.movePct, 0)}</td>`;
}

/** On a phone, under the runner. */
export function courseLine(runner: RunnerRow, race: RaceSheet): Html {
  const { first, marks } = runner.fluctuations;
  const opened = first === null ? 'First' : html`First <span class="ago">${minutesBefore(first, race)}m</span>`;
  const shown = FLUCTUATION_MARKS.filter((mark) => mark !== 't60' || marks.t60 !== null);
  const fair = runner.consensus;
  return html`<dl class="course"><div><dt>${opened}</dt><dd>${priceText(first?.price ?? null)}</dd></div>${shown.map(
    (mark) =>
      html`<div${marks[mark] === null && html` title="${whyNone(mark, race)}"`}><dt>${minutesOf(mark)}<span class="vh"> minutes out</span></dt><dd>${priceText(marks[mark])}</dd></div>`,
  )}<div class="fair"><dt>Consensus</dt><dd>${priceText(fair?.price ?? null)}</dd></div></dl>`;
}
