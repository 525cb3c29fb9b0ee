// What is known of a runner beside its runs: the registry's page of a thoroughbred with its gear and career, and the
// stored starts by track, distance and box.
import type { PlacingRecord } from '../../../domain/form/horse-form';
import { CAREER_SPLITS } from '../../../domain/form/horse-form';
import type { Dimension, RunGroup } from '../../../domain/form/run-stats';
import type { Day } from '../../../domain/race/race';
import { percentText, runTimeText, UNKNOWN } from '../../format';
import { type Fragment, type Html, html } from '../../html';
import { startTime } from '../../race-parts';
import { dayText } from '../words';
import type { RunnerPage, RunnerView } from './model';

/** Of fewer starts only the counts are given. */
const STARTS_FOR_SHARE = 10;

type Split = (typeof CAREER_SPLITS)[number];
const SPLITS: Readonly<Record<Split, string>> = {
  first_up: 'First up',
  second_up: 'Second up',
  track: 'At the track of that meeting',
  distance: 'At its distance there',
  track_distance: 'At both',
  firm: 'Firm',
  good: 'Good',
  soft: 'Soft',
  heavy: 'Heavy',
  synthetic: 'Synthetic',
};

export function registryPage({ page }: RunnerView, nowMs: number): Html | null {
  if (page === null) return null;
  const { profile, career } = page;
  const facts: readonly (readonly [string, string | null])[] = [
    ['Last gear change', profile.lastGearChange],
    ['Age and sex', profile.ageSex],
    ['Sire', profile.sire],
    ['Dam', profile.dam],
    ['Trainer', [profile.trainer, profile.trainerLocation].filter(Boolean).join(', ') || null],
    ['Prize money', career?.prizemoney == null ? null : `$${career.prizemoney.toLocaleString('en-AU')}`],
  ];
  return html`<section class="panel runner-form" aria-labelledby="registry-title"><h2 id="registry-title">The registry’s page of ${page.name}</h2>
<p class="formula">${readText(page, nowMs)}</p>
<dl class="runner-facts">${facts.map(([name, value]) => value !== null && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${career !== null && careerTable(career)}</section>`;
}

function readText({ code, readMs, startedSince }: RunnerPage, nowMs: number): Html {
  return html`Read ${startTime(readMs, nowMs)} under its code ${code}; figures are as printed.${startedSince && ' It has started since: what follows does not have that start.'}`;
}

function careerTable(career: NonNullable<RunnerPage['career']>): Html {
  const rows: readonly (readonly [string, PlacingRecord])[] = [
    ['Career', career],
    ...CAREER_SPLITS.flatMap((split) => {
      const record = career.splits[split];
      return record === undefined ? [] : [[SPLITS[split], record] as const];
    }),
  ];
  return html`<div class="scroller" role="region" aria-label="Career of the registry" tabindex="0"><table class="standings"><caption class="vh">Career by the registry</caption>
<thead><tr><th scope="col">Record</th><th scope="col" class="num">Starts</th><th scope="col" class="num">1st</th><th scope="col" class="num">2nd</th><th scope="col" class="num">3rd</th></tr></thead>
<tbody>${rows.map(([name, { starts, wins, seconds, thirds }]) => html`<tr><th scope="row">${name}</th><td class="num">${starts}</td><td class="num">${wins}</td><td class="num">${seconds}</td><td class="num">${thirds}</td></tr>`)}</tbody></table></div>`;
}

const TITLES: Readonly<Record<Dimension, string>> = {
  track: 'Track',
  distance: 'Distance',
  box: 'Box',
  grade: 'Grade',
};

export function startsBy({ groups, since }: RunnerView, today: Day): Html | null {
  if (groups.length === 0 || since === null) return null;
  return html`<section class="panel runner-form" aria-labelledby="groups-title"><h2 id="groups-title">Stored starts by ${groups.map(({ by }) => TITLES[by].toLowerCase()).join(', ')}</h2>
<div class="scroller" role="region" aria-label="Stored starts by group" tabindex="0"><table class="standings"><caption class="vh">Stored starts since ${dayText(since, today)}</caption>
<thead><tr><th scope="col">Of</th><th scope="col" class="num">Starts</th><th scope="col" class="num">Wins</th><th scope="col" class="num">Places</th><th scope="col" class="num">Best time</th></tr></thead>
${groups.map(({ by, rows }) => html`<tbody>${rows.map((row) => groupRow(by, row))}</tbody>`)}</table></div>
<p class="formula">Since ${dayText(since, today)}, those with most starts first. Of fewer than ${STARTS_FOR_SHARE} starts no share is given.</p></section>`;
}

function groupRow(by: Dimension, { starts, wins, places, winPct, placePct, bestTimeS, ...of }: RunGroup): Html {
  const names: Readonly<Record<Dimension, Fragment>> = {
    track: of.track,
    distance: of.distanceM === null ? null : `${of.distanceM} m`,
    box: of.box === null ? null : `Box ${of.box}`,
    grade: of.grade,
  };
  const share = (pct: number | null) => starts >= STARTS_FOR_SHARE && ` (${percentText(pct, 0)})`;
  // Times of different distances are not compared.
  const time = by === 'distance' ? runTimeText(bestTimeS) : UNKNOWN;
  return html`<tr><th scope="row">${names[by] ?? UNKNOWN}</th><td class="num">${starts}</td><td class="num">${wins}${share(winPct)}</td><td class="num">${places}${share(placePct)}</td><td class="num">${time}</td></tr>`;
}
