// The paths of the registry's documents and the format of its keys, ids and dates.

import type { Day } from '../../domain/race/race';
import type { PremiershipTable } from '../../domain/registry/premiership';
import { REGISTRY_STATES, type RegistryState } from '../../domain/registry/registry';
import { addDays, isDay } from '../../domain/time/aet';
import { textOf } from '../reading/read';

export interface MeetingKey {
  readonly day: Day;
  readonly state: RegistryState;
  readonly venue: string;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const FORM = /^(\d{4})([A-Z][a-z]{2})(\d{2}),([A-Z]{2,3}),([^,]{1,100}?)(?:,(?:Professional|Picnic))?$/;

export const PATHS = {
  calendar: (state: RegistryState) => `/FreeFields/Calendar.aspx?State=${state}`,
  acceptances: (key: string) => `/FreeFields/Acceptances.aspx?Key=${encodeURIComponent(key)}`,
  scratchings: (key: string) => `/FreeFields/Scratchings.aspx?Key=${encodeURIComponent(key)}`,
  resultsCalendar: (state: string) => `/FreeFields/Calendar_Results.aspx?State=${encodeURIComponent(state)}`,
  results: (key: string) => `/FreeFields/Results.aspx?Key=${encodeURIComponent(key)}`,
  horseForm: (code: string) => `/InteractiveForm/HorseFullForm.aspx?horsecode=${encodeURIComponent(codeText(code))}`,
  premiership: ({ role, state, scope, seasonStartYear }: PremiershipTable) =>
    `/FreeServices/Premierships.aspx?State=${state === 'AUS' ? 'Undefined' : state}&Season=${seasonStartYear}&Table=${title(role)}&Category=${title(scope)}`,
  trackConditions: (state: RegistryState) => `/InteractiveForm/TrackCondition.aspx?State=${state}`,
};

const title = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * `2026Aug01,NSW,Rosehill Gardens`, with or without the kind of meeting; null for a trial (`…,Trial`) and for anything
 * else.
 */
export function readKey(key: string): MeetingKey | null {
  const [, year = '', month = '', date = '', code = '', venue = ''] = FORM.exec(key.trim()) ?? [];
  const day = dayOf(Number(year), month, date);
  const state = REGISTRY_STATES.find((one) => one === code);
  return day && state ? { day, state, venue: venue.trim() } : null;
}

/** Barrier trials and jump-outs are in the same calendars; their key or venue text identifies them. */
export const isTrial = (key: string, text: string): boolean =>
  /,\s*(trial|jump\s*out)s?\s*$/i.test(key) || /\((trial|jump\s*out)s?\)/i.test(text);

/** Whether a link belongs to this meeting; a link without a meeting belongs to any. */
export function sameMeeting(link: string, { day, state, venue }: MeetingKey): boolean {
  const other = readKey(keyIn(link) ?? '');
  return other === null || (other.day === day && other.state === state && fold(other.venue) === fold(venue));
}
const fold = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

/** `Saturday, 01 August 2026`; null for anything else. */
export function longDay(text: string): Day | null {
  const [, date = '', month = '', year] = /(\d{1,2}),?\s+([A-Za-z]{3})[a-z]*,?\s+(\d{4})/.exec(text) ?? [];
  return dayOf(Number(year), month, date);
}

function dayOf(year: number, month: string, date: string): Day | null {
  const index = MONTHS.findIndex((name) => name.toLowerCase() === month.toLowerCase());
  const day = `${year}-${String(index + 1).padStart(2, '0')}-${date.padStart(2, '0')}`;
  return index >= 0 && isDay(day) ? day : null;
}

/** `Sat 01-Aug`: no year is printed, so the year that puts the day nearest to `today` is used. */
export function dayNear(text: string, today: Day): Day | null {
  const [, date = '', month = ''] = /^(?:[A-Za-z]{3}\s+)?(\d{1,2})-([A-Za-z]{3})$/.exec(text.trim()) ?? [];
  const years = [addDays(today, -180), addDays(today, 180)].map((day) => Number(day.slice(0, 4)));
  const days = [...new Set(years)].flatMap((year) => dayOf(year, month, date) ?? []);
  const distance = (day: Day): number => Math.abs(Date.parse(day) - Date.parse(today));
  return days.sort((a, b) => distance(a) - distance(b))[0] ?? null;
}

/** `29-Oct-2022`; null for anything else. */
export function dashedDay(text: string): Day | null {
  const [, date = '', month = '', year] = /^(\d{1,2})-([A-Za-z]{3})-(\d{4})$/.exec(text.trim()) ?? [];
  return dayOf(Number(year), month, date);
}

/** `29Jun25`; null for anything else. */
export function compactDay(text: string): Day | null {
  const [, date = '', month = '', year] = /^(\d{1,2})([A-Za-z]{3})(\d{2})$/.exec(text.trim()) ?? [];
  return dayOf(2000 + Number(year), month, date);
}

/** A code as written in links. */
const codeText = (code: string): string => Buffer.from(code).toString('base64');

/** The digits encoded in `horsecode=MjAxMjA2MjQ4MA%3d%3d` of a link: base64, percent-encoded. Null if absent. */
export function codeIn(href: string | undefined, name: string): string | null {
  const value = queryOf(href)?.get(name.toLowerCase());
  if (!value) return null;
  const digits = Buffer.from(value, 'base64').toString('latin1');
  return /^\d{1,20}$/.test(digits) ? digits : null;
}

/** The meeting key of a link to a document, decoded. */
export function keyIn(href: string | undefined): string | null {
  return textOf(queryOf(href)?.get('key')?.replaceAll('+', ' '));
}

/**
 * Lowercases names: the site writes `Key` and `key`, `horsecode` and `HorseCode`. A plus is kept, because base64 uses
 * it.
 */
function queryOf(href: string | undefined): Map<string, string> | null {
  const at = href?.indexOf('?') ?? -1;
  if (href === undefined || at < 0) return null;
  const pairs = new URLSearchParams(href.slice(at + 1).replaceAll('+', '%2B'));
  return new Map([...pairs].map(([name, value]) => [name.toLowerCase(), value]));
}
