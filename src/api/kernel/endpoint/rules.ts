// Parameter rules that a schema cannot express (A 2.1, A 7). Each returns the problems it finds; none throws.
import { aetDay } from '../../../domain/time/aet';
import type { InputProblem } from '../../../errors';
import { didYouMean } from '../../../nearest';
import { quoted } from '../input/sentence';
import type { Audience } from './visibility';

/** A 2.1 rule 3: an unknown key is refused with a list of the valid ones. */
export function unknownBookmakers(keys: readonly string[] | undefined, audience: Audience): InputProblem[] {
  const unknown = (keys ?? []).filter((key) => !audience.bookmakers.includes(key));
  if (unknown.length === 0) return [];
  return [
    {
      parameter: 'bookmakers',
      detail: `bookmakers has ${quoted(unknown)}; valid keys are ${audience.bookmakers.join(', ')}.${didYouMean(unknown, audience.bookmakers)}`,
      valid_values: audience.bookmakers,
    },
  ];
}

/** A 4.1: the earliest day is today. */
export function forwardOnly(date: string | undefined, nowMs: number): InputProblem[] {
  const today = aetDay(nowMs);
  if (date === undefined || date >= today) return [];
  return [
    { parameter: 'date', detail: `date must be today or later: ${date} is in the past, today in Sydney is ${today}.` },
  ];
}
