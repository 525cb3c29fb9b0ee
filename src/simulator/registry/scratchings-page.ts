// The official scratching sheet: the runners scratched from each race so far, without times.

import type { RegistryState } from '../../domain/registry/registry';
import { stateClock } from '../../domain/registry/state-time';
import type { Meeting, Race } from '../world/race';
import { firstStartMs } from '../world/story/race-times';
import { raceAt } from '../world/story/state';
import { escaped, frame, row } from './markup';

export function scratchingsPage(meeting: Meeting, state: RegistryState, nowMs: number): string {
  const races = meeting.races.map((race) => raceTables(race, state, nowMs));
  return frame('Scratchings', races.join('\n'));
}

function raceTables(race: Race, state: RegistryState, nowMs: number): string {
  const out = raceAt(race, nowMs).scratchings.map(({ number }) => race.runners.find((one) => one.number === number)!);
  const title = `Race ${race.number} - ${stateClock(firstStartMs(race), state)} ${escaped(race.name)} (${race.distanceM} METRES)`;
  const rows = out
    .sort((a, b) => a.number - b.number)
    .map(({ number, emergency, name }) => row([`${number}${emergency ? 'e' : ''}`, escaped(name.toUpperCase())]));
  const table = `<table class="race-strip-fields">\n${[row(['No', 'Horse'], 'th'), ...rows].join('\n')}\n</table>`;
  return `<a name="Race${race.number}"></a>
<table class="race-title"><tr><th>${title}</th></tr></table>
${rows.length > 0 ? table : ''}`;
}
