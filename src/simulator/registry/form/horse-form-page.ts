// A horse's form page: who it is, its career in splits, and a line per run, oldest first. The structure is the one that
// public readers of the site describe; the figures are totals of the world's own races.
import type { Day } from '../../../domain/race/race';
import { prizeOf } from '../../world/prizes';
import type { Race, Runner } from '../../world/race';
import { mix, unit } from '../../world/random';
import { escaped, frame, MONTHS } from '../markup';
import { codeText, personCodeOf } from '../meetings';
import type { PastRace, PastRun, PastRunner } from './history';

/** `runs`: newest first. */
export function horseFormPage(race: Race, runner: Runner, runs: readonly PastRun[]): string {
  const lines = [...runs].reverse().map((run, i) => runRow(run, i % 2 ? 'OddRow' : 'EvenRow'));
  return frame(
    `${runner.name.toUpperCase()} - Horse Form`,
    `<div class="top"><table class="horse-search-details"><tr><td>${identity(race, runner)}</td></tr></table></div>
<table class="horse-search-details">
<tr><th>Trainer</th><td><a class="GreenLink" href="TrainerLastRuns.aspx?trainercode=${codeText(personCodeOf(runner.trainer))}">${escaped(runner.trainer)}</a> (${escaped(runner.trainerLocation)})</td></tr>
<tr><th>Racing Colours</th><td>${escaped(coloursOf(runner))}</td></tr>
<tr><th>Last Gear Change</th><td>${gearOf(race, runner)}</td></tr>
<tr><th>Career</th><td>${careerOf(race, runs)}</td></tr>
</table>
<table class="interactive-race-fields">
${lines.join('\n')}
</table>`,
  );
}

/** For a code that the site does not have. */
export const unknownHorsePage = (): string => frame('Horse Form', '<div class="Large">No horse was found.</div>');

const SEXES: Readonly<Record<string, string>> = { g: 'Gelding', m: 'Mare', h: 'Horse' };
const COLOURS: Readonly<Record<string, string>> = {
  b: 'Bay',
  br: 'Brown',
  ch: 'Chestnut',
  gr: 'Grey',
  bl: 'Black',
  rn: 'Roan',
};

function identity({ meeting }: Race, runner: Runner): string {
  const { name, age, sex, coat, sire, dam } = runner;
  const parts = [`${age}yo ${COLOURS[coat]} ${SEXES[sex]}`, `D.O.B: ${dateOfBirth(meeting.day, runner)}`];
  return `<h2 class="first">${escaped(name.toUpperCase())}</h2>
${parts.join('\n')}
by ${escaped(sire.toUpperCase())}
from ${escaped(dam.toUpperCase())}
<a class="content-link" href="/InteractiveForm/Pedigree.aspx">View Pedigree</a>`;
}

/** Horses are born from August to November; a racing year begins on 1 August. */
function dateOfBirth(day: Day, { name, age }: Runner): string {
  const season = Number(day.slice(0, 4)) - (day.slice(5, 7) < '08' ? 1 : 0);
  const lot = mix(personCodeOf(name), 1);
  return `${1 + (lot % 28)}-${MONTHS[7 + (lot % 4)]}-${season - age}`;
}

const SILKS = ['Royal Blue', 'Gold', 'Emerald Green', 'White', 'Black', 'Cerise', 'Navy', 'Orange'];
const PATTERNS = ['Hoops', 'Stars', 'Sash', 'Diamonds', 'Armbands'];

function coloursOf({ name }: Runner): string {
  const lot = mix(personCodeOf(name), 2);
  const pick = <T>(from: readonly T[], by: number): T => from[Math.floor(lot / by) % from.length]!;
  return `${pick(SILKS, 1)}, ${pick(SILKS, 8)} ${pick(PATTERNS, 64)}`;
}

const GEAR = ['Blinkers', 'Tongue Tie', 'Winkers', 'Nose Roll', 'Ear Muffs'];

/** One horse in two has never had a gear change. */
function gearOf({ meeting }: Race, { name }: Runner): string {
  const lot = mix(personCodeOf(name), 3);
  return lot % 2
    ? ''
    : `${GEAR[lot % GEAR.length]} ${lot % 4 ? 'On' : 'Off'}: 1-${MONTHS[lot % 7]}-${meeting.day.slice(0, 4)}`;
}

interface Split {
  readonly label: string;
  has(run: PastRun, index: number): boolean;
}

const going =
  (name: string) =>
  ({ race }: PastRun): boolean =>
    race.going === name;

/**
 * Track and distance are those of the race from which the page was opened. No animal in the world rests long enough for
 * a second preparation.
 */
const splitsOf = ({ meeting, distanceM }: Race): readonly Split[] => {
  const atTrack = ({ race }: PastRun): boolean => race.track.name === meeting.track.name;
  const atDistance = ({ race }: PastRun): boolean => race.distanceM === distanceM;
  return [
    { label: '1st Up', has: (_, index) => index === 0 },
    { label: '2nd Up', has: (_, index) => index === 1 },
    { label: 'Track', has: atTrack },
    { label: 'Dist', has: atDistance },
    { label: 'Track/Dist', has: (run) => atTrack(run) && atDistance(run) },
    ...['Firm', 'Good', 'Soft', 'Heavy', 'Synthetic'].map((name) => ({ label: name, has: going(name) })),
  ];
};

/** `Summary: 25-1:5:5 Prizemoney: $123,456 1st Up: 3:0-1-0 …`. */
function careerOf(race: Race, runs: readonly PastRun[]): string {
  const oldest = [...runs].reverse();
  const at = (of: readonly PastRun[], place: number): number =>
    of.filter(({ runner }) => runner.position === place).length;
  const won = runs.reduce((sum, run) => sum + prizeWon(run), 0);
  const summary = `${runs.length}-${[1, 2, 3].map((place) => at(runs, place)).join(':')}`;
  const splits = splitsOf(race).map(({ label, has }) => {
    const of = oldest.filter(has);
    return `<b>${label}:</b> ${of.length}:${[1, 2, 3].map((place) => at(of, place)).join('-')}`;
  });
  return `<b>Summary:</b> ${summary} <b>Prizemoney:</b> ${money(won)} ${splits.join(' ')}`;
}

const money = (sum: number): string => `$${sum.toLocaleString('en-AU', { maximumFractionDigits: 2 })}`;

const prizeWon = ({ race, runner }: PastRun): number => prizeOf(race.prizes, race.field, runner);

const ORDINALS = ['th', 'st', 'nd', 'rd'];
const ordinal = (n: number): string => `${n}${(n % 100 > 10 && n % 100 < 14) || n % 10 > 3 ? 'th' : ORDINALS[n % 10]}`;
const CODES: Readonly<Record<string, string>> = { Fell: 'FF', PulledUp: 'PU', Disqualified: 'DQ', StayedInBox: 'LR' };

function runRow(run: PastRun, shade: string): string {
  const { race, runner } = run;
  const place = runner.position === null ? CODES[runner.abnormal ?? ''] : ordinal(runner.position);
  return `<tr class="${shade}"><td class="Pos">${place} of ${race.field.length}</td><td class="remain">${runText(run)}</td></tr>`;
}

/**
 * `BRAT 29Jun25 1500m Soft7 MDN-SW $37,500 ($750) John Allen 57.5kg Barrier 7 1st Tassron 59.5kg, 2nd Autumnheat 59.5kg
 * 1:34.04 (600m 36.89), 7.9L, 5th@800m, 6th@400m, $10/$16/$15/$16`.
 */
function runText(run: PastRun): string {
  const { race, runner } = run;
  const meeting = `Meeting.aspx?meetcode=${codeText(race.meetingSerial)}`;
  const jockey = `<a class="GreenLink" href="JockeyLastRuns.aspx?jockeycode=${codeText(personCodeOf(runner.jockey ?? ''))}">${escaped(runner.jockey ?? '')}</a>`;
  const total = race.prizes.reduce((sum, prize) => sum + prize, 0);
  return [
    `<b><a class="GreenLink" href="${meeting}">${race.track.mnemonic} ${shortDate(race.day)}</a></b>`,
    `${race.distanceM}m ${race.going}${race.rating ?? ''} ${escaped(race.raceClass)} ${money(total)} (${money(prizeWon(run))})`,
    `${jockey} ${runner.weightKg}kg Barrier ${runner.barrier ?? 0}`,
    placegettersOf(race, runner),
    `${winningTime(race)} (600m ${sectional(race).toFixed(2)}), ${marginOf(race, runner)}L,`,
    inRunning(race, runner),
    pricesOf(race, runner),
  ].join(' ');
}

const shortDate = (day: Day): string => `${day.slice(8)}${MONTHS[Number(day.slice(5, 7)) - 1]}${day.slice(2, 4)}`;

const winningTime = ({ field }: PastRace): string => {
  const seconds = field[0]?.timeS ?? 0;
  return `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(2).padStart(5, '0')}`;
};

export const sectional = ({ serial }: Pick<PastRace, 'serial'>): number =>
  33.5 + Math.round(unit(serial, 87) * 350) / 100;

/** The first three, except the horse itself. */
function placegettersOf({ field, serial }: PastRace, runner: PastRunner): string {
  const others = field.filter((one) => one.number !== runner.number && one.position !== null).slice(0, 2);
  return others
    .map(({ position, name, weightKg, number }) => {
      const link = `HorseFullForm.aspx?horsecode=${codeText(serial * 100 + number)}`;
      return `${ordinal(position!)} <a class="GreenLink" href="${link}">${escaped(name)}</a> ${weightKg}kg`;
    })
    .join(', ');
}

/** For the winner: the margin by which it won. */
function marginOf({ field }: PastRace, runner: PastRunner): number {
  if (runner.position !== 1) return runner.marginLengths ?? 0;
  return field.find(({ position }) => position !== null && position > 1)?.marginLengths ?? 0;
}

function inRunning({ serial, field, distanceM }: PastRace, runner: PastRunner): string {
  const placeAt = (metres: number): string =>
    `${ordinal(1 + (mix(serial, runner.number, metres) % field.length))}@${metres}m,`;
  return (distanceM > 1000 ? [800, 400] : [400]).map(placeAt).join(' ');
}

/** Three quotes and the starting price. */
function pricesOf({ serial }: PastRace, { sp, number }: PastRunner): string {
  if (sp === null) return '';
  const quotes = [3, 2, 1].map((i) => Math.max(1.1, Math.round(sp * (0.8 + 0.4 * unit(serial, number, i)) * 10) / 10));
  return [...quotes, sp].map((price) => `$${Number.isInteger(price) ? price : price.toFixed(2)}`).join('/');
}
