// One spelling of the weather and the track for people, because every book has its own: OCAST, Overcast, Mostly-Cloudy.
// The API publishes it as sent.
import { splitCondition } from '../domain/registry/track-condition';
import { UNKNOWN } from './format';

const WORDS: ReadonlyMap<string, string> = new Map([
  ['fine', 'Fine'],
  ['clear', 'Fine'],
  ['sunny', 'Fine'],
  ['ocast', 'Overcast'],
  ['overcast', 'Overcast'],
  ['cloudy', 'Cloudy'],
  ['mostly cloudy', 'Cloudy'],
  ['shwry', 'Showers'],
  ['showery', 'Showers'],
  ['showers', 'Showers'],
  ['rain', 'Rain'],
  ['rainy', 'Rain'],
  ['raining', 'Rain'],
  ['drizzle', 'Drizzle'],
  ['drizzling', 'Drizzle'],
  ['hot', 'Hot'],
  ['wind', 'Windy'],
  ['windy', 'Windy'],
  ['fog', 'Fog'],
  ['foggy', 'Fog'],
]);
const NOTHING = new Set(['', 'none', 'null', 'unknown', 'n/a', 'tba']);

/** A word not listed keeps its own spelling, with one capital; null where nothing is stated. */
export function weatherText(raw: string | null): string | null {
  const word = (raw ?? '')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
  if (NOTHING.has(word)) return null;
  return WORDS.get(word) ?? word.charAt(0).toUpperCase() + word.slice(1);
}

/** "Good4" and "GOOD (4)" become "Good (4)"; what cannot be parsed is shown as published. */
export function trackText(raw: string | null): string {
  const { going, goingRating } = splitCondition(raw);
  if (going === null) return raw ?? UNKNOWN;
  return goingRating === null ? going : `${going} (${goingRating})`;
}
