// One race of the results: its title with the stewards' comments, and the field in finishing order, with runners
// without a place last.
import type { RegistryState } from '../../domain/registry/registry';
import { stateClock } from '../../domain/registry/state-time';
import type { Race, WorldScratching } from '../world/race';
import { unit } from '../world/random';
import { firstStartMs } from '../world/story/race-times';
import { conditionsAt } from '../world/story/state';
import { conditionText, prizeText, trackType } from './acceptances-page';
import { sectional } from './form/horse-form-page';
import { horseLink, jockeyCell, trainerLink } from './links';
import { escaped, row } from './markup';
import type { OfficialRunner } from './official-field';
import type { PublishedRaceResult } from './publication';

export const RESULT_COLUMNS = [
  'Colour',
  'Finish',
  'No.',
  'Horse',
  'Trainer',
  'Jockey',
  'Margin',
  'Bar.',
  'Weight',
  'Penalty',
  'Starting Price',
];

export function resultTables(race: Race, result: PublishedRaceResult, state: RegistryState): string {
  const inOrder = [...result.field].sort((a, b) => rankOf(a) - rankOf(b) || a.number - b.number);
  const rows = inOrder.map((runner, i) => runnerRow(race, runner, state, i % 2 ? 'OddRow' : 'EvenRow'));
  const table = `<br/>\n<table class="race-strip-fields">\n${[row(RESULT_COLUMNS, 'th'), ...rows].join('\n')}\n</table>`;
  return `${titleTable(race, result, state)}${result.stage === 'abandoned' ? '' : table}`;
}

const rankOf = ({ position, status }: OfficialRunner): number => position ?? (status === 'ran' ? 100 : 200);

function titleTable(race: Race, { stage, field }: PublishedRaceResult, state: RegistryState): string {
  const { number, name, distanceM, meeting, raceClass, story } = race;
  const clock = stateClock(firstStartMs(race), state);
  const winner = field.find((runner) => runner.position === 1);
  const time = winner?.timeS ? minutes(winner.timeS) : '0:00.00';
  const facts = [
    `<b>Track Name:</b> Main <b>Track Type:</b> ${trackType(meeting)}`,
    `<b>Track Condition:</b> ${conditionText(conditionsAt(meeting, story.jumpMs))}`,
    stage === 'abandoned'
      ? '<b>ABANDONED</b>'
      : `<b>Time:</b> ${time} <b>Last 600m:</b> 0:${sectional(race).toFixed(2)}`,
    '<b>Timing Method:</b> Electronic',
    stage === 'interim' ? '<b>INTERIM RESULTS</b>' : '',
  ];
  const comments = commentsOn(race, field, state);
  const official = comments.length > 0 ? `<br><br><b>Official Comments:</b> ${escaped(comments.join(', '))}` : '';
  return `<a name="Race${number}"></a>
<table class="race-title"><tr><th><span>Race ${number} - ${clock} ${escaped(name)}  (${distanceM} METRES)</span>
<span class="localtimedisplayed">Times displayed in local time of Race Meeting</span></th></tr>
<tr><td><b>${prizeText(race, '.')}</b><br>No age restriction, ${escaped(raceClass)}, Apprentices can claim.<br/>
${facts.join(' ')}${official}</td></tr></table>`;
}

const minutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(2).padStart(5, '0')}`;

function commentsOn({ story }: Race, field: readonly OfficialRunner[], state: RegistryState): string[] {
  const nameOf = (number: number): string => field.find((runner) => runner.number === number)?.name ?? 'unnamed';
  const late = story.scratchings.filter(({ kind }) => kind === 'late' || kind === 'barrier');
  const disqualified = field.filter((runner) => runner.abnormal === 'Disqualified');
  const [first, second] = story.crossed;
  const { protest } = story;
  return field.length === 0
    ? []
    : [
        ...late.map((out) => scratchingText(out, nameOf(out.number), state)),
        ...disqualified.map(({ name }) => `Original placegetter (${name}) Disqualified AR 240`),
        ...(protest && first && second
          ? [`Protest 2nd (${nameOf(second.number)}) against 1st (${nameOf(first.number)}) ${ruling(protest.upheld)}`]
          : []),
      ];
}

const ruling = (upheld: boolean): string => (upheld ? 'Upheld' : 'Dismissed');

const scratchingText = (
  { atMs, winDeduction, placeDeduction }: WorldScratching,
  name: string,
  state: RegistryState,
): string =>
  `Late WorldScratching (${name}) @ ${stateClock(atMs, state)}. Deductions in $: Win $${winDeduction.toFixed(2)} & Place $${placeDeduction.toFixed(2)}`;

/** `TailedOff` has no code: it keeps its place and margin. */
const CODES: Readonly<Record<string, string>> = {
  Fell: 'FF',
  PulledUp: 'PU',
  Disqualified: 'DQ',
  StayedInBox: 'LP',
  SB: 'SB',
};

/**
 * The second column has a cell in a comment, as on the site. The row's class marks a scratched runner; among them only
 * SB has a weight.
 */
function runnerRow(race: Race, official: OfficialRunner, state: RegistryState, shade: string): string {
  const { number, emergency, position, abnormal, status, marginLengths, barrier, weightKg, trainer } = official;
  const ran = status === 'ran';
  const finish = position ?? CODES[abnormal ?? ''];
  const cells = [
    `<img class="minimizeStyle" src="/JockeySilks/${number}.png"/>`,
    `${finish === undefined ? '' : `<span class="Finish F${finish}">${finish}</span>`}<!--  <td>${number}</td> -->`,
    `${number}${emergency ? 'e' : ''}`,
    `${horseLink(race, official.runner, state, 'Results')} <span style="float:right"></span>`,
    trainerLink(trainer),
    jockeyCell(official),
    marginLengths ? `${marginLengths}L` : '',
    String((ran && barrier) || 0),
    weightKg !== null && (ran || abnormal === 'SB') ? weightText(race, official) : '',
    '',
    priceText(official),
  ];
  return row(cells, 'td', ` class="${shade}${ran ? '' : ' Scratched'}"`);
}

/** One jockey in fifteen rides over the allotted weight. */
function weightText({ seed }: Race, { number, weightKg }: OfficialRunner): string {
  const over = unit(seed, 962, number) < 1 / 15 ? 0.5 : 0;
  return over === 0 ? `${weightKg}kg` : `${weightKg}kg (cd ${(weightKg ?? 0) + over}kg)`;
}

/** `$3`, `$2.40F`. */
function priceText({ sp, favourite }: OfficialRunner): string {
  if (sp === null) return '&nbsp;';
  return `$${Number.isInteger(sp) ? sp : sp.toFixed(2)}${favourite ?? ''}`;
}
