// One race in full: its facts, when it jumps, its result once there is one, and the price tables.

import { pricesState } from '../assets/freshness.mjs';
import type { Freshness, RaceSheet, RaceState } from '../board/model';
import { opensText } from '../bookmakers/bets';
import { bookmakersPanel } from '../bookmakers/panel';
import { UNKNOWN } from '../format';
import { type Fragment, type Html, html } from '../html';
import {
  beforeJump,
  countdown,
  countryTag,
  jumpTime,
  pastRacePath,
  raceLabel,
  raceName,
  racePath,
  startTime,
  tag,
} from '../race-parts';
import { trackText, weatherText } from '../weather';
import { raceAlertLink } from './alert-link';
import { hourPanel } from './hour-panel';
import { priceViews } from './price-views';

export interface SheetOptions {
  readonly nowMs: number;
  readonly level: 1 | 2;
  /** On the board: headed "Next to jump", with a link to the race's own page. */
  readonly linked: boolean;
  /** Shown before the prices. */
  readonly outcome: Html | false | null;
}

const STATES: Readonly<Record<RaceState, Html | null>> = {
  open: null,
  suspended: tag('warn', 'Suspended'),
  jumped: tag('quiet', 'Jumped'),
  abandoned: tag('bad', 'Abandoned'),
};

export function raceSheet(race: RaceSheet, options: SheetOptions): Html {
  const { state } = pricesState(race.freshness, options.nowMs);
  return html`<section class="panel sheet${state === 'old' && ' unread'}"${freshnessData(race.freshness)} id="sheet-${race.raceId}" aria-labelledby="sheet-title">
${sheetHead(race, options, clock(race, options.nowMs))}
${options.outcome}
${prices(race, options)}
</section>`;
}

/** The values from which the browser continues the state of the prices. */
const freshnessData = (freshness: Freshness): Html =>
  html` data-freshness="${freshness.kind}"${freshness.kind === 'read' && html` data-polled="${freshness.polledMs}" data-old-from="${freshness.oldFromMs}"`}`;

type Head = Pick<SheetOptions, 'nowMs' | 'level' | 'linked'>;

/** The facts of the race. */
export const sheetHead = (race: RaceSheet, head: Head, times: Html): Html => html`<header class="sheet-head">
<div>${heading(race, head)}
<ul class="facts">${facts(race, head.nowMs).map((fact) => html`<li>${fact}</li>`)}</ul></div>
${times}
</header>`;

function prices(race: RaceSheet, options: SheetOptions): Fragment {
  const past = html`<a href="${pastRacePath(race.raceId)}">Its price paths and closing lines</a>`;
  if (!race.onBoard && !hasTable(race))
    return html`<p class="empty">This race has left the board: prices are shown until 10 minutes after the jump. ${past} are kept.</p>`;
  if (race.runners.length === 0) return html`<p class="empty">No runners are listed yet.</p>`;
  const left =
    !race.onBoard &&
    html`<p class="empty">This race has left the board. These are its last prices ${beforeJump(race)}. ${past} follow within the hour.</p>`;
  return [
    left,
    bookmakersPanel(),
    !options.linked && opensText(),
    priceViews(race, options),
    !options.linked && raceAlertLink(race),
    hourPanel(race, { nowMs: options.nowMs, level: options.level === 1 ? 2 : 3 }),
  ];
}

/** Where prices are shown, or will be once a book quotes. */
export const hasTable = ({ onBoard, keepsPrices, runners, books }: RaceSheet): boolean =>
  runners.length > 0 && (onBoard || (keepsPrices && books.length > 0));

/** Its jump no longer needs a tag. */
const isPast = ({ onBoard, state }: RaceSheet): boolean => !onBoard && state === 'jumped';

function heading(race: RaceSheet, { level, linked }: Head): Html {
  const label = linked ? html`<a href="${racePath(race.raceId)}">${raceLabel(race)}</a>` : raceLabel(race);
  const content = html`${label}${countryTag(race.country)}${isPast(race) ? null : STATES[race.state]}`;
  const name = race.raceName && html`<p class="race-name">${race.raceName}</p>`;
  const title = level === 1 ? html`<h1 id="sheet-title">${content}</h1>` : html`<h2 id="sheet-title">${content}</h2>`;
  const kicker = linked && html`<p class="kicker">Next to jump</p>`;
  const canPin = race.state === 'open' || race.state === 'suspended';
  const pin =
    canPin && html`<button type="button" class="pin" data-pin="${race.raceId}" aria-pressed="false">Pin</button>`;
  return html`${kicker}<div class="sheet-title">${title}${pin}</div>${name}`;
}

/** Distance and track always, a dash while unknown; the rest only if a book or the registry reports it. */
function facts(race: RaceSheet, nowMs: number): Fragment[] {
  return [
    race.distanceM === null ? html`Distance ${UNKNOWN}` : `${race.distanceM} m`,
    html`Track ${trackText(race.trackCondition)}${trackChange(race, nowMs)}`,
    weatherText(race.weather),
    race.rail && `Rail ${race.rail}`,
    ownClass(race),
    race.prizeTotal !== null && `$${race.prizeTotal.toLocaleString('en-AU')}`,
    race.placesPaid !== null && `${race.placesPaid} places paid`,
  ].filter((fact) => fact !== null && fact !== false);
}

/** Not where the race's name ends with it, whatever its capitals. */
function ownClass({ raceName, raceClass }: RaceSheet): string | null {
  if (raceClass === null) return null;
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9$]+/g, ' ')
      .trim();
  return ` ${plain(raceName ?? '')}`.endsWith(` ${plain(raceClass)}`) ? null : raceClass;
}

/** `, was Soft (5) until 1:12 pm`, or `, changed 1:12 pm` if the earlier condition is unknown. */
function trackChange({ trackChange: change }: RaceSheet, nowMs: number): Fragment {
  if (change === null) return null;
  const at = startTime(change.atMs, nowMs);
  return change.from === null ? html`, changed ${at}` : html`, was ${trackText(change.from)} until ${at}`;
}

/** On a phone the clock stays in sight, without the title. */
const clockRace = (race: RaceSheet): Html => html`<span class="clock-race" aria-hidden="true">${raceName(race)}</span>`;

function clock(race: RaceSheet, nowMs: number): Html {
  if (race.jumpedMs !== null) {
    return html`<p class="clock">${clockRace(race)}<span class="big">${jumpTime(race.jumpedMs, race.jumpBasis)}</span><span class="clock-label">jumped, advertised ${startTime(race.startMs, nowMs)}</span></p>`;
  }
  return html`<p class="clock">${clockRace(race)}<span class="big">${countdown(race.startMs, nowMs)}</span><span class="clock-label">advertised jump ${startTime(race.startMs, nowMs)}</span></p>`;
}
