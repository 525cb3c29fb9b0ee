// The page of one past race: its result, the course of its prices, each book's close, and the value of the best price
// along the way.
import { aetDay } from '../../domain/time/aet';
import { type MeetingCell, raceMeeting } from '../board/meeting';
import { type Fragment, type Html, html } from '../html';
import { meetingStrip } from '../meetings/meeting-strip';
import { noResult, outcomeCard } from '../outcomes';
import { jumpTime, pastDayPath, pastRacePath, raceName, racePath, startTime, timeAt } from '../race-parts';
import { hourPanel } from '../sheet/hour-panel';
import { sheetHead } from '../sheet/race-sheet';
import { closesTable } from './closes-table';
import { marksTable } from './marks-table';
import type { PastRace } from './model';
import { dayText, WITHOUT_SENTENCE } from './words';

export const pastRaceTitle = ({ sheet }: PastRace, nowMs: number): string =>
  `${raceName(sheet)}, ${dayText(aetDay(sheet.startMs), aetDay(nowMs))}: prices, closing lines and result`;

export function pastRaceMain(past: PastRace, nowMs: number): Html {
  const { sheet, result } = past;
  const day = aetDay(sheet.startMs);
  const head = sheetHead(sheet, { nowMs, level: 1, linked: false }, times(past, nowMs));
  const meeting = raceMeeting(past.meeting, nowMs);
  return html`<p class="back"><a href="${pastDayPath(day)}">Races of ${dayText(day, aetDay(nowMs))}</a></p>
${meeting && meetingStrip(meeting, sheet.raceId, nowMs, pagePath)}
<section class="panel sheet past" id="past-${sheet.raceId}" aria-labelledby="sheet-title">
${head}
${sheet.onBoard ? stillOn(past) : [result ? outcomeCard(result, 2) : noResult(sheet, nowMs), archived(past, nowMs)]}
</section>
${!sheet.onBoard && past.closes.some(({ cells }) => cells.length > 0) && legend()}`;
}

/** A race that has run leads to its own page of the past. */
const pagePath = ({ raceId, stands }: MeetingCell): string =>
  stands === 'ahead' ? racePath(raceId) : pastRacePath(raceId);

const stillOn = ({ sheet }: PastRace): Html =>
  html`<p class="empty">This race is not past yet. Its <a href="${racePath(sheet.raceId)}">own page</a> has its prices; what is kept of it is written once it has left the board, 10 minutes after the jump.</p>`;

function archived(past: PastRace, nowMs: number): Fragment {
  const { sheet, outcome, books, source } = past;
  const hasClose = past.closes.some(({ close }) => close !== null);
  const hasHour = sheet.runners.some(({ hour }) => hour !== null);
  return [
    outcome === null &&
      html`<p class="why">The archive of this race is not written yet: it follows within the hour.</p>`,
    outcome !== null && outcome !== 'closed' && html`<p class="why">${WITHOUT_SENTENCE[outcome]}</p>`,
    hasHour && hourPanel(sheet, { nowMs, level: 2, pricesPath: `${pastRacePath(sheet.raceId)}/prices` }),
    books.length > 0 &&
      html`<h2 class="market-title">${hasClose ? 'Closing lines' : 'Last-seen prices'}<span class="h-note">win prices up to the jump</span></h2>${closesTable(past)}`,
    hasClose && marksTable(past),
    hasHour && html`<p class="formula">${WHENCE[source]} ${GAPS}</p>`,
  ];
}

const WHENCE: Readonly<Record<PastRace['source'], string>> = {
  ticks: 'Prices as captured; after 45 days the permanent archive has them.',
  archive: 'Prices of the permanent archive.',
};

const GAPS =
  'A price that a book took back, and followed with another one, is shown until that one; without a closing line, until it was last seen.';

/** A race that did not run has only its advertised start. */
function times({ sheet: { state, startMs, jumpedMs, jumpBasis } }: PastRace, nowMs: number): Html {
  const day = dayText(aetDay(startMs), aetDay(nowMs));
  if (state === 'abandoned' || jumpedMs === null)
    return html`<p class="clock"><span class="big">${timeAt(startMs)}</span><span class="clock-label">advertised start, ${day}</span></p>`;
  return html`<p class="clock"><span class="big">${jumpTime(jumpedMs, jumpBasis)}</span><span class="clock-label">jumped ${day}, advertised ${startTime(startMs, startMs)}</span></p>`;
}

const legend =
  (): Html => html`<section class="legend" aria-labelledby="legend-title"><h2 id="legend-title" class="vh">How to read the closes</h2>
<ul>
<li><span class="key best">4.20</span> <span>the runner’s best close, placeholders left out</span></li>
<li><span class="key">poll 9m</span> <span>a closing line: the price was captured 9 minutes before the jump, and a later poll still saw it within 300 seconds of the jump</span></li>
<li><span class="key">tick 40s</span> <span>a closing line that only its own capture saw, 40 seconds before the jump</span></li>
<li><span class="key is-old">seen 11m</span> <span>no closing line: the book’s price was last seen 11 minutes before the jump</span></li>
<li><span class="key suspect">51.00</span> <span>placeholder: 21 or more, and at least 4 times the median of three or more other books</span></li>
<li><span class="key">–</span> <span>nothing captured</span></li>
</ul></section>`;
