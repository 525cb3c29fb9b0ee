// One runner: its record over the stored runs, and for each run the race, the finish, who rode or trained it, and how
// its price moved.
import type { Category, Day } from '../../../domain/race/race';
import { splitCondition } from '../../../domain/registry/track-condition';
import { ordinalText, priceText, UNKNOWN } from '../../format';
import { type Fragment, type Html, html } from '../../html';
import {
  CODE_NAMES,
  clockAt,
  codeIcon,
  countdown,
  countryTag,
  pastRacePath,
  personName,
  personOfRun,
  raceLabel,
  racePath,
  startTime,
  tag,
} from '../../race-parts';
import { priceLine } from '../price-line';
import { counted, dayText } from '../words';
import { bestNowCell } from './best-cell';
import { registryPage, startsBy } from './form';
import type { PricedStart, RunnerRun, RunnerView } from './model';
import { recordText } from './record-text';

export const runnerTitle = ({ name, key }: RunnerView): string => `Runs of ${name ?? key}`;

export function runnerMain(view: RunnerView, today: Day, nowMs: number): Html {
  const { category, name, key, runs, runsTotal } = view;
  return html`<p class="back"><a href="/live">Live board</a></p>
<section class="panel runner" aria-labelledby="page-title"><header class="list-head"><h1 id="page-title">${codeIcon(category)}${name ?? key}</h1><p>${recordSentence(view, today)}</p></header>
${coming(view, nowMs)}
${runs.length > 0 && html`<h2 class="market-title">Runs</h2><ol class="runs">${runs.map((run) => runRow(run, category, today))}</ol>`}
<p class="formula">${runsTotal > runs.length && `The latest ${runs.length} runs are shown. `}${NOTE}</p>
</section>
${registryPage(view, nowMs)}
${startsBy(view, today)}`;
}

function coming({ coming: starts }: RunnerView, nowMs: number): Html | false {
  return (
    starts.length > 0 &&
    html`<h2 class="market-title">Today and tomorrow<span class="h-note">best win price, as of ${clockAt(nowMs)}</span></h2><ol class="runs rides-to-come">${starts.map((start) => comingRow(start, nowMs))}</ol>`
  );
}

function comingRow({ race, scratched, barrier, jockey, trainer, best }: PricedStart, nowMs: number): Html {
  const who: Fragment[] = [
    barrier !== null && `${race.category === 'greyhound' ? 'box' : 'barrier'} ${barrier}`,
    jockey && html`<abbr title="Jockey">J:</abbr> ${personName(race, 'rider', jockey)}`,
    trainer && html`<abbr title="Trainer">T:</abbr> ${personName(race, 'trainer', trainer)}`,
  ];
  return html`<li><span class="r-day">${startTime(race.startMs, nowMs)}</span><span class="r-race"><a href="${racePath(race.raceId)}">${raceLabel(race)}</a>${countryTag(race.country)}<span class="r-facts">${countdown(race.startMs, nowMs)}</span></span><span class="r-who">${listed(who)}</span><span class="r-finish">${scratched && tag('quiet', 'Scratched')}</span>${scratched ? html`<span class="r-prices"></span>` : bestNowCell(best, nowMs)}</li>`;
}

const NOTE =
  'Runs are listed within an hour after the full field of their race was collected: this is no career record, and animals of one name share it. The line is the books’ consensus price from an hour before the advertised start to the jump.';

function recordSentence({ category, animals, record, since }: RunnerView, today: Day): string {
  if (since === null) return 'No run is stored under this name yet.';
  if (record === null)
    return `${CODE_NAMES[category]}: ${counted(animals, 'animal')} of this name are among these runs, and are not added up.`;
  return `${CODE_NAMES[category]}: ${recordText(record, dayText(since, today))}.`;
}

function runRow(run: RunnerRun, category: Category, today: Day): Html {
  const label = html`<span class="venue">${run.venue}</span> <span class="no">R${run.race_number}</span>`;
  const race = run.race_id === null ? label : html`<a href="${pastRacePath(run.race_id)}">${label}</a>`;
  return html`<li><span class="r-day">${dayText(run.meeting_date, today)}</span><span class="r-race">${race}<span class="r-facts">${listed(factsOf(run))}</span></span><span class="r-finish">${finishText(run)}<span class="r-facts">${listed(beatenText(run, category))}</span></span><span class="r-who">${listed(connections(run))}</span><span class="r-prices">${priceLine(run.prices)}</span></li>`;
}

const listed = (parts: readonly Fragment[]): Fragment[] =>
  parts.filter(Boolean).map((part, i) => html`${i > 0 && ' · '}${part}`);

function factsOf({ distance_m, track_condition, race_class }: RunnerRun): Fragment[] {
  const { going, goingRating } = splitCondition(track_condition);
  return [distance_m !== null && `${distance_m} m`, going && `${going} ${goingRating ?? ''}`.trim(), race_class];
}

function finishText({ status, position, field_size, abnormal }: RunnerRun): Fragment {
  if (status === 'scratched') return tag('quiet', 'Scratched');
  if (status === 'reserve') return tag('quiet', 'Reserve');
  if (position === null) return abnormal ?? UNKNOWN;
  const of = field_size === null ? '' : ` of ${field_size}`;
  return html`${tag('place', ordinalText(position))}${of}`;
}

const beatenText = ({ margin, sp, box }: RunnerRun, category: Category): Fragment[] => [
  margin,
  sp !== null && html`<abbr title="Starting price">SP</abbr> ${priceText(sp)}`,
  box !== null && `${category === 'greyhound' ? 'box' : 'barrier'} ${box}`,
];

const connections = ({ jockey, trainer, weight_kg }: RunnerRun): Fragment[] => [
  jockey && html`<abbr title="Jockey">J:</abbr> ${personOfRun('rider', jockey)}`,
  trainer && html`<abbr title="Trainer">T:</abbr> ${personOfRun('trainer', trainer)}`,
  weight_kg !== null && `${weight_kg} kg`,
];
