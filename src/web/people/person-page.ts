// One jockey, driver or trainer: who it is as far as is known, the rides to come with their best price, what came of
// the latest, and the premierships.
import type { Day } from '../../domain/race/race';
import { splitCondition } from '../../domain/registry/track-condition';
import { aetDay } from '../../domain/time/aet';
import { ordinalText, UNKNOWN } from '../format';
import { type Fragment, type Html, html } from '../html';
import { priceLine } from '../past/price-line';
import { bestNowCell } from '../past/runner/best-cell';
import { recordText } from '../past/runner/record-text';
import { dayText } from '../past/words';
import {
  clockAt,
  codeIcon,
  countdown,
  countryTag,
  pastRacePath,
  personPath,
  raceLabel,
  racePath,
  runnerName,
  startTime,
  tag,
} from '../race-parts';
import type { ComingRide, PersonView, PremiershipPlace, RideOfPerson, RunOfPerson } from './model';
import { isAbandoned } from './people';

interface PersonOptions {
  readonly nowMs: number;
  readonly today: Day;
}

/** `Jockey`, `Driver` where every ride is of harness races, `Trainer`. */
function roleOf({ role, coming, done, earlier, runs }: PersonView): 'Jockey' | 'Driver' | 'Trainer' {
  if (role === 'trainer') return 'Trainer';
  const rides = [...coming, ...done, ...earlier];
  return runs.length === 0 && rides.length > 0 && rides.every(({ race }) => race.category === 'harness')
    ? 'Driver'
    : 'Jockey';
}

export const personTitle = (view: PersonView): string =>
  `${view.name}, ${roleOf(view).toLowerCase()}: rides and results`;

export function personMain(view: PersonView, options: PersonOptions): Html {
  const { nowMs, today } = options;
  const runners = view.role === 'trainer' ? 'Runners' : 'Rides';
  return html`<header class="day-head"><h1 id="page-title">${view.name} <span class="kind">${roleOf(view)}</span></h1>
<p>${whoText(view)}</p><p>${recordSentence(view, today)}As of ${clockAt(nowMs)}.</p></header>
<section class="panel person" aria-labelledby="coming-title"><h2 id="coming-title">${runners} to come</h2>
${view.coming.length === 0 ? html`<p class="empty">None is on a card.</p>` : html`<ol class="runs rides-to-come">${view.coming.map((ride) => comingRow(ride, nowMs))}</ol>`}</section>
${view.done.length > 0 && html`<section class="panel person" aria-labelledby="done-title"><h2 id="done-title">Last seven days</h2><ol class="runs">${view.done.map((ride) => rideRow(ride, startTime(ride.race.startMs, nowMs)))}</ol></section>`}
${view.earlier.length > 0 && html`<section class="panel person" aria-labelledby="earlier-title"><h2 id="earlier-title">Earlier cards</h2><ol class="runs">${view.earlier.map((ride) => rideRow(ride, html`${dayText(aetDay(ride.race.startMs), today)}`))}</ol></section>`}
${view.runs.length > 0 && html`<section class="panel person" aria-labelledby="runs-title"><h2 id="runs-title">Earlier</h2><ol class="runs">${view.runs.map((run) => runRow(run, today))}</ol></section>`}
${premierships(view, today)}
<p class="formula">${NOTE}</p>`;
}

const NOTE =
  'Best prices are those of the bookmakers compared here, with the age of the quote. The line is the books’ consensus price from an hour before the advertised start to the jump. Runs of thoroughbreds and greyhounds are stored when the full field of their race is collected; those of harness races are not.';

/** Whether this is one person, and how that is known. */
function whoText({ role, address, known, name }: PersonView): Fragment {
  const does = role === 'trainer' ? 'trains' : 'rides or drives';
  if ('code' in address)
    return `The Australian thoroughbred registry’s ${name}, code ${address.code}: what it does not attribute to this person is left out.`;
  const all = `Everyone who ${does} under this name, as cards print it: books give no more than a name.`;
  if (known.length === 0) return all;
  const people = known.map(
    (one, i) => html`${i > 0 && ', '}<a href="${personPath(role, one.code)}">${one.name} (${one.code})</a>`,
  );
  return html`${all} ${known.length === 1 ? 'The thoroughbred registry has one person of it here' : `The thoroughbred registry has ${known.length} people of it, who are not added up`}: ${people}.`;
}

const recordSentence = ({ record }: PersonView, today: Day): string =>
  record === null ? '' : `Stored runs: ${recordText(record, dayText(record.since, today))}. `;

const rideCell = ({ race, number, runner, scratched }: RideOfPerson): Html =>
  html`<span class="r-who"><span class="cloth cloth-${race.category}-${number}">${number}</span> ${scratched ? html`<s>${runner}</s>` : runnerName(race, runner)}</span>`;

function comingRow(ride: ComingRide, nowMs: number): Html {
  const { race, scratched, best } = ride;
  const abandoned = isAbandoned(ride);
  return html`<li><span class="r-day">${startTime(race.startMs, nowMs)}</span><span class="r-race"><a href="${racePath(race.raceId)}">${raceLabel(race)}</a>${countryTag(race.country)}<span class="r-facts">${!abandoned && countdown(race.startMs, nowMs)}</span></span>${rideCell(ride)}<span class="r-finish">${scratched ? tag('quiet', 'Scratched') : abandoned && ABANDONED}</span>${scratched || abandoned ? html`<span class="r-prices"></span>` : bestNowCell(best, nowMs)}</li>`;
}

function rideRow(ride: RideOfPerson, day: Html): Html {
  const { race, prices } = ride;
  return html`<li><span class="r-day">${day}</span><span class="r-race"><a href="${pastRacePath(race.raceId)}">${raceLabel(race)}</a>${countryTag(race.country)}</span>${rideCell(ride)}<span class="r-finish">${finishText(ride)}</span><span class="r-prices">${priceLine(prices)}</span></li>`;
}

const ABANDONED = tag('bad', 'Abandoned');

function finishText(ride: RideOfPerson): Fragment {
  const { scratched, resultStatus, position } = ride;
  if (scratched) return tag('quiet', 'Scratched');
  if (isAbandoned(ride)) return ABANDONED;
  if (position !== null)
    return html`${tag('place', ordinalText(position))}${resultStatus === 'interim' && html` ${tag('warn', 'Interim')}`}`;
  return resultStatus === null ? 'no result yet' : UNKNOWN;
}

function runRow(run: RunOfPerson, today: Day): Html {
  const label = html`${codeIcon(run.category)}<span class="venue">${run.venue}</span> <span class="no">R${run.race_number}</span>`;
  const race = run.race_id === null ? label : html`<a href="${pastRacePath(run.race_id)}">${label}</a>`;
  const { going, goingRating } = splitCondition(run.track_condition);
  const facts = [run.distance_m !== null && `${run.distance_m} m`, going && `${going} ${goingRating ?? ''}`.trim()];
  return html`<li><span class="r-day">${dayText(run.meeting_date, today)}</span><span class="r-race">${race}<span class="r-facts">${facts.filter(Boolean).join(' · ')}</span></span><span class="r-who"><span class="cloth cloth-${run.category}-${run.number}">${run.number}</span> ${run.name}</span><span class="r-finish">${finishOfRun(run)}</span><span class="r-prices">${priceLine(run.prices)}</span></li>`;
}

function finishOfRun({ status, position, field_size, abnormal }: RunOfPerson): Fragment {
  if (status !== 'ran') return tag('quiet', status === 'reserve' ? 'Reserve' : 'Scratched');
  if (position === null) return abnormal ?? UNKNOWN;
  return html`${tag('place', ordinalText(position))}${field_size !== null && ` of ${field_size}`}`;
}

const SCOPES: Readonly<Record<PremiershipPlace['scope'], string>> = {
  all: 'All meetings',
  metro: 'Metropolitan',
  provincial: 'Provincial',
  country: 'Country',
  picnic: 'Picnic',
};

function premierships({ standings, known }: PersonView, today: Day): Html | false {
  if (standings.length === 0) return false;
  const several = known.length > 1;
  return html`<section class="panel person" aria-labelledby="premierships-title"><h2 id="premierships-title">Premierships of the season</h2>
<div class="scroller" role="region" aria-label="Premierships" tabindex="0"><table class="standings"><caption class="vh">Places in the registry’s premierships</caption>
<thead><tr>${several && html`<th scope="col">Code</th>`}<th scope="col">Table</th><th scope="col">Meetings</th><th scope="col" class="num">Place</th><th scope="col" class="num">Wins</th><th scope="col" class="num">Starts</th><th scope="col">Days</th></tr></thead>
<tbody>${standings.map((row) => standingRow(row, several, today))}</tbody></table></div>
<p class="formula">Of Australian thoroughbred racing; only the first 20 of each table are stored. A dead heat counts as a half.</p></section>`;
}

function standingRow(
  { code, state, scope, rank, firsts, starts, from, to }: PremiershipPlace,
  several: boolean,
  today: Day,
): Html {
  const days = from !== null && to !== null ? `${dayText(from, today)} to ${dayText(to, today)}` : UNKNOWN;
  return html`<tr>${several && html`<td>${code ?? UNKNOWN}</td>`}<th scope="row">${state === 'AUS' ? 'Australia' : state}</th><td>${SCOPES[scope]}</td><td class="num">${ordinalText(rank)}</td><td class="num">${firsts ?? UNKNOWN}</td><td class="num">${starts ?? UNKNOWN}</td><td>${days}</td></tr>`;
}
