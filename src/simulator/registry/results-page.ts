// A meeting's results: the published races and the meeting's count of starters, or a notice that it did not run.
import type { RegistryState } from '../../domain/registry/registry';
import { stateClock, stateDay } from '../../domain/registry/state-time';
import type { Meeting, Race } from '../world/race';
import { conditionsAt } from '../world/story/state';
import { conditionText, longDay, penetrometer, trackType, weatherText } from './acceptances-page';
import { escaped, frame } from './markup';
import { shortDay } from './meetings';
import { officialField } from './official-field';
import { type PublishedRaceResult, publishedResult } from './publication';
import { resultTables } from './results-race';

export function resultsPage(meeting: Meeting, state: RegistryState, nowMs: number): string {
  const published = meeting.races.map((race) => ({ race, result: publishedResult(race, nowMs) }));
  const out = published.filter(({ result }) => result.stage !== 'none');
  const notice = noticeOf(published.map(({ result }) => result));
  if (notice !== null) return page(meeting, state, '', `<div class="Scratched">${escaped(notice)}</div>`);
  if (out.length === 0) return page(meeting, state, '', NOT_AVAILABLE);
  const publishedMs = Math.max(...out.map(({ result }) => result.publishedMs!));
  const starters = out.reduce((sum, { race, result }) => sum + startersOf(race, result, nowMs), 0);
  const index = out.map(({ race }) => `<a href="#Race${race.number}">${race.number}</a>`).join(' ');
  const tables = out.map(({ race, result }) => resultTables(race, result, state));
  return page(meeting, state, bottom({ meeting, state, publishedMs, starters }), `${index}\n${tables.join('<br/>\n')}`);
}

const NOT_AVAILABLE = '<div class="Large">Results for this meeting are not currently available.</div>';

/** For a key that the site does not have, or has no longer. */
export const unknownResultsPage = (): string => frame('Results', NOT_AVAILABLE);

/** The meeting's notice, only if none of its races was run: otherwise each race has its own. */
function noticeOf(results: readonly PublishedRaceResult[]): string | null {
  const note = results[0]?.note ?? '';
  const all = results.every((result) => result.stage === 'abandoned' && result.note === note);
  const [, what = '', where = ''] = /^Meeting (\w+)(.*)$/.exec(note) ?? [];
  if (!all || what === '') return null;
  const there = where.replace(/\d{4}-\d{2}-\d{2}/, longDay);
  return `Meeting ${what.charAt(0).toUpperCase()}${what.slice(1)}${there}.`;
}

/** By the stewards' count: the document may lack some of the rows. */
function startersOf(race: Race, { stage }: PublishedRaceResult, nowMs: number): number {
  if (stage === 'abandoned') return 0;
  return officialField(race, nowMs).filter((runner) => runner.status === 'ran').length;
}

interface Header {
  readonly meeting: Meeting;
  readonly state: RegistryState;
  readonly publishedMs: number;
  readonly starters: number;
}

function bottom({ meeting, state, publishedMs, starters }: Header): string {
  const conditions = conditionsAt(meeting, publishedMs);
  return `<div class="race-venue-bottom"><div class="col1"><b>Rail Position:</b> ${escaped(meeting.rail)}<br/>
<b>Track Condition:</b> ${conditionText(conditions)}<br/><b>Track Type:</b> ${trackType(meeting)}</div>
<div class="col2"><b>Weather:</b> ${weatherText(conditions)}<br/><b>Penetrometer:</b> ${penetrometer(conditions) ?? 'N/A'}<br/>
<b>Results Last Published:</b> ${shortDay(stateDay(publishedMs, state))} ${stateClock(publishedMs, state)}<br/>
<b>Total Number of starters for this meeting (including emergencies)</b> ${starters}</div></div>`;
}

function page({ track, day }: Meeting, state: RegistryState, below: string, body: string): string {
  const top = `<div class="top"><h2>
${escaped(track.display)}: ${state} Turf Club
<span class="race-venue-date">${longDay(day)}</span></h2>
<span class="meeting-type">Meeting Type: Provincial (TAB MEETING)</span></div>`;
  return frame('Results', `<div class="race-venue">${top}\n${below}</div>\n${body}`);
}
