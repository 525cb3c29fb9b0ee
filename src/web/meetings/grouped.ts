// The meetings of a day from its races: one per code, venue and card; thoroughbreds first, Australia before other
// countries, then by first race. Pure.
import { boardState } from '../../domain/race/board-state';
import { CATEGORIES, type Category } from '../../domain/race/race';
import type { MeetingRace } from '../board/meeting';
import type { DayMeeting } from './model';

export function meetingsOfRaces(races: readonly MeetingRace[], nowMs: number): DayMeeting[] {
  const byKey = new Map<string, MeetingRace[]>();
  for (const race of races) {
    const key = `${race.category}-${race.venueId}-${race.card}`;
    const known = byKey.get(key);
    if (known) known.push(race);
    else byKey.set(key, [race]);
  }
  return [...byKey].map(([key, own]) => meetingOf(key, own, nowMs)).sort(inOrder);
}

function meetingOf(key: string, given: readonly MeetingRace[], nowMs: number): DayMeeting {
  const races = given.toSorted((a, b) => a.raceNumber - b.raceNumber || a.startMs - b.startMs);
  const starts = races.map(({ startMs }) => startMs);
  const { category, venue, venueId, state } = races[0]!;
  return {
    ...{ key, category, venue, venueId, state, races, ...conditionOf(races, nowMs) },
    country: races.find((race) => race.country !== null)?.country ?? null,
    firstMs: Math.min(...starts),
    lastMs: Math.max(...starts),
  };
}

/** Of the next race that reports one, or of the last that did. */
function conditionOf(races: readonly MeetingRace[], nowMs: number) {
  const reporting = races.filter(({ trackCondition, weather }) => trackCondition !== null || weather !== null);
  const race = reporting.find(({ facts }) => boardState(facts, nowMs) === 'ahead') ?? reporting.at(-1);
  return {
    trackCondition: race?.trackCondition ?? null,
    trackChangedMs: race?.trackChangedMs ?? null,
    weather: race?.weather ?? null,
  };
}

const codeRank = (category: Category): number => CATEGORIES.indexOf(category);
const countryRank = (country: string | null): number => (country === 'AU' ? 0 : country === 'NZ' ? 1 : 2);

const inOrder = (a: DayMeeting, b: DayMeeting): number =>
  codeRank(a.category) - codeRank(b.category) ||
  countryRank(a.country) - countryRank(b.country) ||
  a.firstMs - b.firstMs ||
  (a.key < b.key ? -1 : 1);
