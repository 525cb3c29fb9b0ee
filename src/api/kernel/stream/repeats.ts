// Removes the overlap of readings, which occurs while a write is open, from what is sent. Pure.
import type { ChangedRace } from '../../../store/reads/races/changes';

/** The contents of a reading, by race. */
export type Sent = ReadonlyMap<string, { readonly head: string; readonly quotes: ReadonlySet<string> }>;

export const sentOf = (races: readonly ChangedRace[]): Sent =>
  new Map(races.map((race) => [race.race_id, { head: headOf(race), quotes: new Set(race.quotes.map(textOf)) }]));

/**
 * Without the quotes of the previous reading, and without races that have nothing new. A changed race keeps all: it may
 * pass another filter now.
 */
export function withoutRepeats(before: Sent, races: readonly ChangedRace[]): readonly ChangedRace[] {
  return races.flatMap((race) => {
    const last = before.get(race.race_id);
    if (!last || last.head !== headOf(race)) return [race];
    const quotes = race.quotes.filter((quote) => !last.quotes.has(textOf(quote)));
    return quotes.length === 0 ? [] : [{ ...race, quotes }];
  });
}

const textOf = (value: object): string => JSON.stringify(value);

const headOf = ({ quotes: _, rewritten: __, ...head }: ChangedRace): string => textOf(head);
