// A meeting's acceptances as first published: scratchings are on another sheet.
import type { RegistryState } from '../../domain/registry/registry';
import { stateClock } from '../../domain/registry/state-time';
import type { Conditions, Meeting, Race, Runner } from '../world/race';
import { firstStartMs } from '../world/story/race-times';
import { conditionsAt } from '../world/story/state';
import { horseLink, jockeyCell, trainerLink } from './links';
import { escaped, frame, row } from './markup';

const COLUMNS = [
  'No',
  'Last 10',
  'Horse',
  'Trainer',
  'Jockey',
  'Barrier',
  'Weight',
  'Probable Weight',
  'Penalty',
  'Hcp Rating',
];

export function acceptancesPage(meeting: Meeting, state: RegistryState, nowMs: number): string {
  const races = meeting.races.map((race) => raceTables(race, state));
  return frame('Acceptances', `${header(meeting, state, conditionsAt(meeting, nowMs))}\n${races.join('\n')}`);
}

function header(meeting: Meeting, state: RegistryState, conditions: Conditions): string {
  const runners = meeting.races.reduce((sum, race) => sum + race.runners.length, 0);
  const bottom = [
    `<b>Rail Position:</b> ${escaped(meeting.rail)}`,
    `<b>Track Condition:</b> ${conditionText(conditions)}`,
    `<b>Track Type:</b> ${trackType(meeting)}`,
    `<b>Weather:</b> ${weatherText(conditions)}`,
    `<b>Penetrometer:</b> ${penetrometer(conditions) ?? 'N/A'}`,
    `<b>Total Number of acceptors for this meeting (including emergencies)</b> ${runners}`,
  ];
  return `<div class="race-venue"><div class="top"><h2>${escaped(meeting.track.display)} : ${state}</h2>
<span class="race-venue-date">${longDay(meeting.day)}</span></div>
<div class="race-venue-bottom">${bottom.join('<br/>')}</div></div>`;
}

function raceTables(race: Race, state: RegistryState): string {
  const { number, name, distanceM, meeting } = race;
  const clock = stateClock(firstStartMs(race), state);
  const conditions = `No age restriction, ${race.raceClass}, Apprentices can claim`;
  return `<a name="Race${number}"></a>
<table class="race-title"><tr><th>Race ${number} - ${clock} ${escaped(name)} (${distanceM} METRES)</th></tr>
<tr><td>${prizeText(race, '. ')}, ${escaped(conditions)}. <b>Track Name:</b> Main <b>Track Type:</b> ${trackType(meeting)}</td></tr></table>
<table class="race-strip-fields">
${row(COLUMNS, 'th')}
${race.runners.map((runner, i) => row(cellsOf(race, runner, state), 'td', i % 2 ? " class='OddRow'" : " class='EvenRow'")).join('\n')}
</table>`;
}

function cellsOf(race: Race, runner: Runner, state: RegistryState): string[] {
  const { number, emergency, form, trainer, barrier, weightKg } = runner;
  return [
    `${number}${emergency ? 'e' : ''}`,
    form,
    horseLink(race, runner, state, 'Acceptances'),
    trainerLink(trainer),
    jockeyCell(runner),
    barrier === null ? '' : String(barrier),
    weightKg === null ? '' : `${weightKg}kg`,
    '',
    '',
    ratingOf(runner),
  ];
}

/** Maidens have no rating. */
const ratingOf = (runner: Runner): string => (runner.age < 4 ? '' : String(Math.round(60 + runner.strength * 10)));

const ORDINALS = ['1st', '2nd', '3rd', '4th', '5th', '6th'];
const money = (sum: number): string => sum.toLocaleString('en-AU');

/** `Of $30,000. 1st $16,500, 2nd $5,700`; results have no space between the two parts. */
export function prizeText({ prizes }: Race, between: string): string {
  const total = prizes.reduce((sum, prize) => sum + prize, 0);
  return `Of $${money(total)}${between}${prizes.map((prize, i) => `${ORDINALS[i]} $${money(prize)}`).join(', ')}`;
}

export const trackType = ({ track }: Meeting): string => (track.surface === 'synthetic' ? 'Synthetic' : 'Turf');

export const conditionText = ({ going, rating }: Conditions): string =>
  rating === null ? going : `${going} ${rating}`;
export const weatherText = ({ weather }: Conditions): string => weather.charAt(0).toUpperCase() + weather.slice(1);
export const penetrometer = ({ rating }: Conditions): string | null =>
  rating === null ? null : (4 + rating * 0.22).toFixed(2);

export function longDay(day: string): string {
  const parts = { weekday: 'long', day: '2-digit', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Date(day).toLocaleDateString('en-AU', parts);
}
