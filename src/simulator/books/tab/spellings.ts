// TAB's spellings, and the rows that are in both its lists and its racecard.
import type { Category } from '../../../domain/race/race';
import type { TabLinks, TabMeeting, TabRaceStub, TabRaceType, TabScratching } from '../../../feeds/tab/payload';
import type { Conditions, Meeting, Race, WorldScratching } from '../../world/race';
import type { OfficialState } from '../../world/story/state';
import type { Track } from '../../world/tracks';
import { ALPHA3 } from '../abroad';
import type { BookRequest } from '../reply';
import type { ListView } from '../view';

export const RACE_TYPES: Record<Category, TabRaceType> = { horse: 'R', harness: 'H', greyhound: 'G' };
const WEATHER = { fine: 'FINE', overcast: 'OCAST', showery: 'SHWRY', raining: 'RAIN' } as const;

/** An Australian state, or the country in three letters. */
export const locationOf = ({ country, state }: Track): string => (country === 'AU' ? state : ALPHA3[country]);

/** `GOOD4`, `HVY8`, `AWT`, `FAST`. */
export function conditionText({ going, rating }: Conditions): string {
  if (going === 'Synthetic') return 'AWT';
  return going === 'Heavy' && rating !== null ? `HVY${rating}` : `${going.toUpperCase()}${rating ?? ''}`;
}

export function meetingHead(
  { track, day, rail }: Meeting,
  condition: string | undefined,
  weather: Conditions['weather'] | undefined,
): Omit<TabMeeting, 'races' | '_links'> {
  return {
    meetingName: track.tab,
    location: locationOf(track),
    venueMnemonic: track.mnemonic,
    raceType: RACE_TYPES[track.category],
    meetingDate: day,
    weatherCondition: weather ? WEATHER[weather] : null,
    trackCondition: condition ?? null,
    railPosition: rail === '' ? null : rail,
    sellCode: { meetingCode: track.mnemonic[0]!, scheduledType: RACE_TYPES[track.category] },
  };
}

export function linksOf({ track, day }: Meeting, { baseUrl }: BookRequest): TabLinks {
  const self = `${baseUrl}/v1/tab-info-service/racing/dates/${day}/meetings/${RACE_TYPES[track.category]}/${track.mnemonic}`;
  return { races: `${self}/races` };
}

export function raceStub(race: Race, view: ListView, request: BookRequest): TabRaceStub {
  return {
    raceNumber: race.number,
    raceName: race.name.toUpperCase(),
    raceStartTime: new Date(view.state.advertisedStartMs).toISOString(),
    raceStatus: raceStatus(view),
    raceDistance: race.distanceM,
    hasFixedOdds: view.takesBets,
    hasParimutuel: true,
    results: resultSlots(view.state),
    scratchings: [...view.out.values()].map((row) => scratchingRow(race, row)),
    broadcastChannel: 'Sky Racing 1',
    _links: { self: `${linksOf(race.meeting, request).races}/${race.number}` },
  };
}

/** `Paying` is the end state. There is no interim status: a race stays Closed until it pays. */
function raceStatus({ state, takesBets }: ListView): string {
  if (state.stage === 'abandoned') return 'Abandoned';
  if (takesBets) return 'Normal';
  return state.stage === 'final' ? 'Paying' : 'Closed';
}

/** Four slots by finishing position; a dead heat shares one and leaves the next empty. */
function resultSlots(state: OfficialState): number[][] {
  if (state.stage === 'abandoned') return [[], [], [], []];
  if (state.stage !== 'final') return [];
  return [1, 2, 3, 4].map((position) =>
    state.placings.filter((row) => row.position === position).map((row) => row.number),
  );
}

export const scratchedStatus = ({ kind }: WorldScratching): string =>
  kind === 'late' || kind === 'barrier' ? 'LateScratched' : 'Scratched';

function scratchingRow(race: Race, row: WorldScratching): TabScratching {
  const runner = race.runners[row.number - 1]!;
  return { runnerNumber: row.number, runnerName: runner.name.toUpperCase(), bettingStatus: scratchedStatus(row) };
}
