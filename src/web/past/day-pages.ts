// The lists of past races: the days with their coverage, and the races of one day.
import type { Day } from '../../domain/race/race';
import { addDays } from '../../domain/time/aet';
import { UNKNOWN } from '../format';
import { type Fragment, type Html, html } from '../html';
import { countryTag, pastDayPath, pastRacePath, raceLabel, startTime, tag } from '../race-parts';
import type { DayView, PastDay, PastDays, PastRaceRow } from './model';
import { counted, dayText, reasonsText, WITHOUT } from './words';

export function daysMain({ days, since, older }: PastDays, today: Day): Html {
  const none = html`<p class="empty">No race has been run yet.</p>`;
  return html`<p class="back"><a href="/live">Live board</a></p>
<section class="panel past-list" aria-labelledby="page-title"><header class="list-head"><h1 id="page-title">Past races</h1><p>Price paths, closing lines, results and closing line value, kept for ever. Days are those of Sydney. ${days.some(isMostlyUnpriced) && sinceText(since, today)}</p></header>
${days.length === 0 ? none : daysTable(days, today)}
</section>
${older !== null && html`<p class="older"><a href="/past?until=${older}">Older days</a></p>`}`;
}

const isMostlyUnpriced = ({ archived, without: { no_prices: unpriced = 0 } }: PastDay): boolean =>
  2 * unpriced > archived;

const sinceText = (since: Day | null, today: Day): string =>
  since === null
    ? 'No closing line has been collected yet.'
    : `This service has collected closing lines since ${dayText(since, today)}.`;

const daysTable = (
  days: readonly PastDay[],
  today: Day,
): Html => html`<table class="days"><caption class="vh">Days, newest first, with what is archived of each</caption>
<thead><tr><th scope="col">Day</th><th scope="col" class="num">Races</th><th scope="col" class="num">Archived</th><th scope="col" class="num">With close</th><th scope="col" class="without">Without a close</th></tr></thead>
<tbody>${days.map((day) => dayRow(day, today))}</tbody></table>`;

function dayRow(day: PastDay, today: Day): Html {
  const missing = day.archived < day.run && html` ${tag('warn', `${day.run - day.archived} to come`)}`;
  const reasons = reasonsText(day);
  return html`<tr><th scope="row"><a href="${pastDayPath(day.day)}">${dayText(day.day, today)}</a></th><td class="num">${day.run}</td><td class="num">${day.archived}${missing}</td><td class="num">${day.closed}</td><td class="without${reasons === '' && ' none'}">${reasons || UNKNOWN}</td></tr>`;
}

export function dayMain({ coverage, races, since, before }: DayView, today: Day): Html {
  const { day } = coverage;
  const next = addDays(day, 1);
  return html`<p class="back"><a href="/past">Past races</a></p>
<section class="panel past-list" aria-labelledby="page-title"><header class="list-head"><h1 id="page-title">Races of ${dayText(day, today)}</h1><p>${coverageSentence(coverage)}${isMostlyUnpriced(coverage) && ` ${sinceText(since, today)}`}</p></header>
${races.length === 0 ? html`<p class="empty">No race of this day has left the board.</p>` : html`<ol class="past-races">${races.map(raceRow)}</ol>`}
</section>
<nav class="days-nav" aria-label="Other days">${before !== null && dayLink('before', before, today)}${next <= today && dayLink('after', next, today)}</nav>`;
}

const dayLink = (side: string, day: Day, today: Day): Html =>
  html`<a class="${side}" href="${pastDayPath(day)}">${dayText(day, today)}</a>`;

/** `8 races have left the board: 8 archived, 6 with a closing line. Without one: 1 abandoned, 1 no price captured.` */
function coverageSentence(coverage: PastDay): string {
  const { run, archived, closed } = coverage;
  if (run === 0) return 'Coverage of a day is counted as its races leave the board.';
  const reasons = reasonsText(coverage);
  const have = `${archived} archived, ${closed} with a closing line`;
  return `${counted(run, 'race')} ${run === 1 ? 'has' : 'have'} left the board: ${have}.${reasons && ` Without one: ${reasons}.`}`;
}

const raceRow = (race: PastRaceRow): Html =>
  html`<li><a href="${pastRacePath(race.raceId)}"><span class="p-at">${startTime(race.startMs, race.startMs)}</span><span class="p-race">${raceLabel(race)}${countryTag(race.country)}</span><span class="p-won">${wonText(race)}</span><span class="p-closes">${closesText(race)}</span></a></li>`;

function wonText({ resultStatus, winners, country }: PastRaceRow): Fragment {
  if (resultStatus === 'abandoned') return tag('bad', 'Abandoned');
  if (winners.length === 0) return html`<span class="p-none">${country === 'HK' ? UNKNOWN : 'no result'}</span>`;
  const names = winners.map(({ number, name }) => `${number} ${name ?? UNKNOWN}`).join(' = ');
  return html`${tag('place', '1st')} ${names}${resultStatus === 'interim' && html` ${tag('warn', 'Interim')}`}`;
}

function closesText({ outcome, closes, books }: PastRaceRow): Html {
  if (outcome === null) return tag('warn', 'not archived yet');
  if (outcome === 'closed')
    return html`${counted(closes, 'close')}<span class="p-books">, ${counted(books, 'book')}</span>`;
  return outcome === 'abandoned' ? html`${UNKNOWN}` : tag('quiet', WITHOUT[outcome]);
}
