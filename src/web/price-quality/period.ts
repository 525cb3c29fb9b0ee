// A Sydney day or a calendar month of Sydney days, by its name: `2026-11-23`, `2026-11`.
import type { Day } from '../../domain/race/race';
import { addDays, isDay } from '../../domain/time/aet';

export interface Period {
  /** As in the address. */
  readonly name: string;
  /** Both included. */
  readonly from: Day;
  readonly to: Day;
}

/** Null: it names neither. */
export function namedPeriod(name: string): Period | null {
  if (isDay(name)) return { name, from: name, to: name };
  const from = `${name}-01`;
  return name.length === 7 && isDay(from) ? { name, from, to: lastOf(from) } : null;
}

export const monthOf = (day: Day): string => day.slice(0, 7);

export const isMonth = ({ name }: Period): boolean => name.length === 7;

const lastOf = (first: Day): Day => addDays(`${monthOf(addDays(first, 31))}-01`, -1);
