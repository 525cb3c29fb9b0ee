// The events of readings, races and states as bytes, computed once for all streams that send the same.
import type { RaceClock } from '../../domain/time/clock';
import type { BoardRace } from '../../store/reads/races/board';
import { CUSTOMERS } from '../access/visibility';
import { agedRace, raceText, serialiseRaces } from '../present/aged-race';
import type { BetslipLookup } from '../present/prices/betslip';
import { presentChanges } from '../present/prices/changes';
import { presentNext } from '../present/prices/next-race';
import { eventId } from './event-id';
import { eventBytes } from './event-text';
import type { Reading } from './feed';
import { type Selection, selectionKey, selects } from './selection';

interface ReadingTexts {
  /** Of each race, by whether it has betslip links. */
  readonly races: Map<boolean, readonly string[]>;
  readonly events: Map<string, Buffer>;
}

const textsOf = new WeakMap<Reading, ReadingTexts>();

/** The event `changes`; null: the reading has nothing that is selected. */
export function changesOf(reading: Reading, selection: Selection, clock: RaceClock): Buffer | null {
  if (!reading.races.some((race) => selects(selection, race))) return null;
  return someChangesOf(reading, selection, clock);
}

/** The event `changes`, with nothing if there is nothing. */
export function someChangesOf(reading: Reading, selection: Selection, clock: RaceClock): Buffer {
  const texts: ReadingTexts = textsOf.get(reading) ?? { races: new Map(), events: new Map() };
  textsOf.set(reading, texts);
  const key = selectionKey(selection);
  const cached = texts.events.get(key);
  if (cached) return cached;
  const races = texts.races.get(selection.betslip) ?? raceTexts(reading, selection.betslip, clock);
  texts.races.set(selection.betslip, races);
  const selected = races.filter((_, i) => selects(selection, reading.races[i]!));
  const data = `{"server_time":"${reading.serverTime}","races":[${selected.join()}]}`;
  const event = eventBytes('changes', data, eventId(reading.serverTime, selection));
  texts.events.set(key, event);
  return event;
}

const raceTexts = ({ races, links }: Reading, betslip: boolean, clock: RaceClock): readonly string[] =>
  presentChanges(races, CUSTOMERS, clock, betslip ? links : null).map((race) => JSON.stringify(race));

/** The event `race`: a race as `next-to-go` reports it. */
export function raceEvent(race: BoardRace, links: BetslipLookup | null, nowMs: number): Buffer {
  const text = raceText(race, (holes) => presentNext(race, CUSTOMERS, holes, links));
  const list = serialiseRaces([agedRace(race, text)], nowMs, null).bytes;
  return eventBytes('race', list.subarray(1, -1));
}
