// Results pages, composed from the documented structure; none is a recording, and no name in them is real.
import { RESULT_COLUMNS } from '../../../src/simulator/registry/results-race';

export const RESULTS_KEY = '2026Nov20,VIC,Sportsbet-Ballarat';

export interface RowText {
  readonly no: string;
  readonly finish?: string;
  readonly horse?: string;
  readonly code?: string;
  readonly jockey?: string;
  readonly margin?: string;
  readonly bar?: string;
  readonly weight?: string;
  readonly sp?: string;
  readonly scratched?: boolean;
  /** Omits cells at the end. */
  readonly cut?: number;
}

/** Every row of the site has a commented-out cell. */
export function rowHtml(row: RowText): string {
  const code = Buffer.from(row.code ?? `90${row.no.replace(/\D/g, '')}`).toString('base64');
  const link = `../InteractiveForm/HorseFullForm.aspx?horsecode=${encodeURIComponent(code)}&amp;stage=Results&amp;Key=${RESULTS_KEY}`;
  const cells = [
    '<img src="/JockeySilks/1.png"/>',
    row.finish ? `<span class="Finish F${row.finish}">${row.finish}</span>` : '',
    row.no,
    `<a class="GreenLink" href="${link}">${row.horse ?? `HORSE ${row.no}`}</a> <span style="float:right"></span>`,
    '<a href="../InteractiveForm/TrainerLastRuns.aspx?trainercode=NDI%3d&amp;trainername=A+%26+B">Ann &amp; Bob Trainer</a>',
    `<a href="../InteractiveForm/JockeyLastRuns.aspx?jockeycode=NDM%3d"><span class="Hilite">${row.jockey ?? 'A Rider'}</span></a>`,
    row.margin ?? '',
    row.bar ?? (row.scratched ? '0' : row.no.replace(/\D/g, '')),
    row.weight ?? (row.scratched ? '' : '57kg'),
    '',
    row.sp ?? (row.scratched ? '' : '$5'),
  ].map((cell, i) => `<td>${cell}</td>${i === 1 ? '<!--  <td><img src="/JockeySilks/1.png" /></td> -->' : ''}`);
  return `<tr class="EvenRow${row.scratched ? ' Scratched' : ''}">${cells.slice(0, cells.length - (row.cut ?? 0)).join('\n')}</tr>`;
}

export interface RaceText {
  readonly number: number;
  readonly time?: string;
  /** Between the timing method and the comments. */
  readonly mark?: string;
  readonly comments?: string;
  readonly rows?: readonly RowText[];
  /** Replaces the cells that the rows give. */
  readonly body?: string;
  readonly clock?: string;
  readonly name?: string;
}

export function titleHtml({ number, time, mark = '', comments, clock, name }: RaceText): string {
  const official = comments === undefined ? '' : `<br><br><b>Official Comments:</b> ${comments}`;
  return `<a name="Race${number}"></a><table class="race-title" width="750"><tr>
<th><span>Race ${number} - ${clock ?? `${number}:10PM`} ${name ?? `Test Plate ${number}`}  (1200 METRES)</span>
<span class="localtimedisplayed">Times displayed in local time of Race Meeting</span></th></tr>
<tr><td><b>Of $30,000.1st $16,500, 2nd $5,700</b><br>Handicap, Apprentices can claim.<br/><b>Track Name:</b> Main
<b>Track Type:</b> Turf <b>Track Condition:</b> Good 4 <b>Time:</b> ${time ?? '1:09.91'} <b>Last 600m:</b> 0:34.81
<b>Timing Method:</b> Electronic ${mark}${official}</td></tr></table>`;
}

export const stripHtml = (rows: readonly RowText[]): string =>
  `<table class="race-strip-fields" width="750"><tr>${RESULT_COLUMNS.map((name) => `<th>${name}</th>`).join('')}</tr>
${rows.map(rowHtml).join('\n')}</table>`;

const raceHtml = (race: RaceText): string => `${titleHtml(race)}<br/>
${race.body ?? (race.rows ? stripHtml(race.rows) : '')}`;

export interface PageText {
  /** Null: not stated. Default: derived from the rows. */
  readonly starters?: number | null;
  readonly date?: string;
  readonly notice?: string;
  /** Races to which the index links. Default: those on the page. */
  readonly index?: readonly number[];
}

const startersOf = (races: readonly RaceText[]): number =>
  races.flatMap((race) => race.rows ?? []).filter((row) => !row.scratched).length;

export function resultsPage(races: readonly RaceText[], page: PageText = {}): string {
  const stated = page.starters === undefined ? startersOf(races) : page.starters;
  const index = page.index ?? races.map((race) => race.number);
  return `<!DOCTYPE html><html><head><title>Racing Australia</title></head><body><div class="page-content">
<div class="race-venue"><div class="top"><h2>Sportsbet-Ballarat: Some Turf Club
<span class="race-venue-date">${page.date ?? 'Friday, 20 November 2026'}</span></h2>
<span class="meeting-type">Meeting Type: Provincial (TAB MEETING)</span></div>
<div class="race-venue-bottom"><div class="col1"><b>Rail Position:</b> True</div><div class="col2"><b>Weather:</b> Fine
<b>Results Last Published:</b> Fri 20-Nov-26 9:00PM AEDT
${stated === null ? '' : `<b>Total Number of starters for this meeting (including emergencies)</b> ${stated}`}</div></div></div>
${index.map((number) => `<a href="#Race${number}">${number}</a>`).join(' ')}
${page.notice ?? ''}
${races.map(raceHtml).join('<br/>\n')}
<div class="footer">Print Friendly</div></div></body></html>`;
}

/** A field that finished in the order of its numbers, a length apart. */
export const finishers = (count: number): readonly RowText[] =>
  Array.from({ length: count }, (_, i) => ({
    no: `${i + 1}`,
    finish: `${i + 1}`,
    margin: i === 0 ? '' : `${i}L`,
    sp: `$${3 + i}`,
  }));

export const RESULTS_CALENDAR = `<html><head><title>Racing Australia</title></head><body><table class="race-fields">
<tr><th>Date</th><th>Venue</th><th>Stewards Reports</th></tr>
<tr><td>Fri 20-Nov</td><td><a href='/FreeFields/Results.aspx?Key=2026Nov20,VIC,Sportsbet-Ballarat'>Sportsbet-Ballarat - Professional</a></td>
<td><a href='/StewardsReport.aspx?Key=2026Nov20,VIC,Sportsbet-Ballarat'>Report</a></td></tr>
<tr><td>Fri 20-Nov</td><td><a href='/FreeFields/Results.aspx?Key=2026Nov20%2cVIC%2cSportsbet-Ballarat'>Sportsbet-Ballarat</a></td><td></td></tr>
<tr><td>Thu 19-Nov</td><td><a href='/FreeFields/Results.aspx?key=2026Nov19,VIC,The+Valley'>The Valley - Professional</a></td><td></td></tr>
<tr><td>Thu 19-Nov</td><td><a href='/FreeFields/Results.aspx?Key=2026Nov19,VIC,Woolamai,Picnic'>Woolamai - Picnic</a></td><td></td></tr>
<tr><td>Thu 19-Nov</td><td><a href='/FreeFields/Results.aspx?Key=2026Nov19,VIC,Cranbourne,Trial'>Cranbourne - Trial</a></td><td></td></tr>
<tr><td>Wed 18-Nov</td><td><a href='/FreeFields/Results.aspx?Key=2026Nov18,VIC,Pakenham,JumpOut'>Pakenham - Jump Out</a></td><td></td></tr>
<tr><td>Wed 18-Nov</td><td>Nothing Yet</td><td></td></tr>
<tr><td>Wed 18-Nov</td><td><a href='/FreeFields/Results.aspx?Key=2026Foo18,VIC,Nowhere'>Nowhere</a></td><td></td></tr>
<tr><td>Sun 01-Nov</td><td><a href='/FreeFields/Results.aspx?Key=2026Nov01,VIC,Echuca'>Echuca</a></td><td></td></tr>
</table></body></html>`;

export const NOT_AVAILABLE = `<html><head><title>Racing Australia</title></head><body><div class="top"><h2>Sportsbet-Ballarat:
<span class="race-venue-date">Friday, 20 November 2026</span></h2></div>
<div class="Large">Results for this meeting are not currently available.</div></body></html>`;
