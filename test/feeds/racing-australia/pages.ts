// Pages of the registry, composed from the documented structure; none is a recording.
export const KEY = '2026Nov21,NSW,Rosehill Gardens';

const wrap = (body: string) => `<html><head><title>Racing Australia</title></head><body>${body}</body></html>`;

export const CALENDAR = wrap(`<table class="race-fields">
<tr><th>Date</th><th>Venue</th><th>Nominations</th><th>Acceptances</th><th>Scratchings</th></tr>
<tr><td>Sat 21-Nov</td><td>Rosehill Gardens</td>
 <td></td>
 <td><a href="/FreeFields/Acceptances.aspx?key=2026Nov21%2cNSW%2cRosehill+Gardens">A</a></td>
 <td><a href="/FreeFields/Scratchings.aspx?Key=2026Nov21%2CNSW%2CRosehill%20Gardens">S</a></td></tr>
<tr><td>Wed 25-Nov</td><td>Picklebet Park Wodonga</td>
 <td><a href="/FreeFields/Nominations.aspx?Key=2026Nov25,NSW,Picklebet Park Wodonga">N</a></td><td></td><td></td></tr>
<tr><td>Fri 27-Nov</td><td>Wyong</td><td></td><td></td><td></td></tr>
<tr><td>Mon 23-Nov</td><td>Warwick Farm (Trial)</td>
 <td></td><td><a href="/FreeFields/Acceptances.aspx?Key=2026Nov23,NSW,Warwick Farm,Trial">A</a></td><td></td></tr>
<tr><td>Mon 23-Nov</td><td>Nowhere</td>
 <td><a href="/FreeFields/Nominations.aspx?Key=2026Foo23,NSW,Nowhere">N</a></td><td></td><td></td></tr>
</table>`);

export const EMPTY_CALENDAR = wrap(
  '<table class="race-fields"><tr><th>Date</th><th>Venue</th><th>Acceptances</th></tr></table>',
);

const HEAD = `<tr><th>No</th><th>Last 10</th><th>Horse</th><th>Trainer</th><th>Jockey</th><th>Barrier</th><th>Weight</th>
<th>Probable Weight</th><th>Penalty</th><th>Hcp Rating</th></tr>`;

const title = (line: string, below: string) =>
  `<table class="race-title"><tr><th>${line}</th></tr><tr><td>${below}</td></tr></table>`;

export const ACCEPTANCES = wrap(`
<div class="race-venue"><h2>Rosehill Gardens : NSW</h2><span class="race-venue-date">Saturday, 21 November 2026</span></div>
<div class="race-venue-bottom"><b>Rail Position:</b> +3m Entire Course<br/><b>Track Condition:</b> Good 4<br/>
<b>Track Type:</b> Turf<br/><b>Weather:</b> Fine<br/><b>Penetrometer:</b> 4.88<br/>
<b>Total Number of acceptors for this meeting (including emergencies)</b> 4</div>
<a name="Race1"></a>
${title(
  'Race 1 - 11:50PM HARVEST MOON&nbsp;PLATE (1556 METRES)',
  'Of $30,000. 1st $16,500, 2nd $5,700, 3rd $3,000, No age restriction, BenchMark 64, Handicap, Apprentices can claim, ' +
    'Field Limit: 14 + 4 EM. <b>Track Name:</b> Main <b>Track Type:</b> Turf',
)}
<table class="OddsBet-EvensBet race-strip-fields">${HEAD}
<tr class='EvenRow'><td>1</td><td>90x0321121</td>
 <td><a href="/InteractiveForm/HorseFullForm.aspx?Key=x&amp;horsecode=MjAxMjA2MjQ4MA%3d%3d&amp;raceentry=NTg0Mzk0MTY0OA%3D%3D&amp;src=horseform">HELLOVA NATURE (NZ)</a></td>
 <td><a href="/InteractiveForm/TrainerLastRuns.aspx?trainercode=NDI%3d">A Trainer</a></td>
 <td><a href="/InteractiveForm/JockeyLastRuns.aspx?jockeycode=NDM%3d">Ms Grace Palmer</a>(a3/52kg)</td>
 <td>7</td><td>58.5kg</td><td></td><td></td><td>64</td></tr>
<tr class='OddRow'><td>2</td><td></td><td>No Links</td><td></td><td></td><td></td><td></td><td></td><td></td><td></td></tr>
<tr class='EvenRow'><td>16e</td><td>x12</td><td>Standing By</td><td>B Trainer</td><td>N/A</td><td>16</td><td>54kg</td><td></td><td></td><td>-</td></tr>
<tr><td colspan="10">A note across the table</td></tr>
<tr class='OddRow'><td>?</td><td></td><td>Unreadable</td><td></td><td></td><td></td><td></td><td></td><td></td><td></td></tr>
</table>
<a name="Race2"></a>
${title('Race 2 - 12:25AM SECOND CUP (1200 METRES)', '')}
<table class="race-strip-fields">${HEAD}
<tr><td>1</td><td>1</td><td>Lone Runner</td><td></td><td>J Free</td><td>1</td><td>60kg</td><td></td><td></td><td></td></tr>
</table>`);

export const SCRATCHINGS = wrap(`
${title('Race 1 - 11:50PM HARVEST MOON PLATE (1556 METRES)', '')}
<table class="race-strip-fields"><tr><th>No</th><th>Horse</th></tr><tr><td>2</td><td>NO LINKS</td></tr>
<tr><td>16e</td><td>STANDING BY</td></tr></table>
${title('Race 2 - 12:25AM SECOND CUP (1200 METRES)', '')}`);

export const CONDITIONS = wrap(`<table><tr><td>menu</td></tr></table><table>
<tr><th>Meeting</th><th>Track Condition</th><th>Rail</th><th>Weather</th><th>Penetrometer</th><th>Rainfall</th><th>Irrigation</th><th>Last Updated</th></tr>
<tr><td>Sat 21-Nov Rosehill Gardens</td><td>Good 4</td><td>True</td><td>Fine</td><td>4.88</td><td>2mm/24hrs, 19mm/7d</td><td>5mm</td><td>7:05AM</td></tr>
<tr><td>Tue 02-Feb Beaumont Newcastle</td><td>N/A</td><td></td><td></td><td></td><td></td><td></td><td></td></tr>
<tr><td>Newcastle</td><td>Good 3</td><td></td><td></td><td></td><td></td><td></td><td></td></tr></table>`);

export const CHALLENGE = '<html><head><title>Are you human?</title></head><body><form></form></body></html>';
export const STUB = wrap('');
