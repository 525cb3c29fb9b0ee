// Small pieces that all parts of the pages use: a race's name, its link, a countdown, an age, a tag. Text, no layout.

import type { JumpBasis } from '../domain/lifecycle/jump-basis';
import { isPersonKey, type PersonRole, personKey } from '../domain/race/person';
import type { Category, Day } from '../domain/race/race';
import { runnerKey } from '../domain/race/runner';
import { aetDay } from '../domain/time/aet';
import type { RaceDetails } from './board/model';
import type { RaceTitle } from './board/race-title';
import { ageText, clockText, countdownText, instant, isOld, startText, timeText, UNKNOWN, zoneText } from './format';
import { type Fragment, type Html, html } from './html';

export const raceName = (race: RaceTitle): string => `${race.venue} R${race.raceNumber}`;

export const racePath = (raceId: string): string => `/race/${encodeURIComponent(raceId)}`;

/** Its prices, closes and result once it is past. */
export const pastRacePath = (raceId: string): string => `${racePath(raceId)}/past`;

export const pastDayPath = (day: Day): string => `/past/${day}`;

export const venuePath = (venueId: string): string => `/venue/${encodeURIComponent(venueId)}`;

/** Where its runs are stored: of Australian thoroughbreds and greyhounds. Null for others. */
export function runnerPath({ category, country }: RaceTitle, name: string): string | null {
  const key = category === 'harness' || country !== 'AU' ? '' : runnerKey(name);
  return key === '' ? null : `/${category}/${key}`;
}

/** A runner's name, with the way to its runs. */
export function runnerName(race: RaceTitle, name: string): Html {
  const path = runnerPath(race, name);
  return path === null ? html`${name}` : html`<a href="${path}">${name}</a>`;
}

/** `key`: a folded name, or a code of the registry. */
export const personPath = (role: PersonRole, key: string): string =>
  `/${role === 'rider' ? 'jockey' : 'trainer'}/${key}`;

/** With the way to all who have this name: they have a page, because the card that names them is one of theirs. */
export const personName = ({ country }: Pick<RaceTitle, 'country'>, role: PersonRole, name: string): Html =>
  isInternational(country) ? html`${name}` : personOfRun(role, name);

/** Whose runners' details are not served (A 1); no race of unknown country. */
const isInternational = (country: string | null): boolean => country !== null && country !== 'AU' && country !== 'NZ';

/** Of a run that is stored, as the page has it too. */
export function personOfRun(role: PersonRole, name: string): Html {
  const key = personKey(name);
  return key !== null && isPersonKey(key) ? html`<a href="${personPath(role, key)}">${name}</a>` : html`${name}`;
}

export const raceLabel = (race: RaceTitle): Html =>
  html`${codeIcon(race.category)}<span class="venue">${race.venue}</span> <span class="no">R${race.raceNumber}</span>`;

/** ISO code, or a dash while the meeting's country is not confirmed (A 2.1). */
export const countryTag = (country: string | null): Html =>
  html`<span class="country"><span class="vh">Country </span>${country ?? UNKNOWN}</span>`;

/** Ticks each second in the browser; rendered here so that the page is right without scripts. */
export const countdown = (ms: number, nowMs: number): Html =>
  html`<time class="count" datetime="${instant(ms)}" data-count="${ms}">${countdownText(ms, nowMs)}</time>`;

export const age = (ms: number, nowMs: number): Html =>
  html`<time${isOld(ms, nowMs) && html` class="old"`} datetime="${instant(ms)}" data-age="${ms}">${ageText(ms, nowMs)}</time>`;

/** The browser may write it in the visitor's zone (assets/zone.mjs). */
export const startTime = (ms: number, nowMs: number): Html =>
  html`<time datetime="${instant(ms)}" data-at="start" data-day="${aetDay(nowMs)}">${startText(ms, nowMs)}<span class="vh"> ${zoneText(ms)}</span></time>`;

/** The same without a day: `2:10 pm`. */
export const timeAt = (ms: number): Html => html`<time datetime="${instant(ms)}" data-at="time">${timeText(ms)}</time>`;

/** The same with seconds: `2:10:05 pm`. */
export const clockAt = (ms: number): Html =>
  html`<time datetime="${instant(ms)}" data-at="clock">${clockText(ms)}</time>`;

const MINUTE_MS = 60_000;

/** `10:25:58 am` where the close was observed, otherwise `about 10:25 am` or, rounded up, `by 10:29 am`. */
export function jumpTime(ms: number, basis: JumpBasis | null): Html {
  if (basis === 'observed') return clockAt(ms);
  return basis === 'latest' ? html`by ${timeAt(nextMinuteMs(ms))}` : html`about ${timeAt(ms)}`;
}

/** The same as text, for a picture. */
export function jumpText(ms: number, basis: JumpBasis | null): string {
  if (basis === 'observed') return clockText(ms);
  return basis === 'latest' ? `by ${timeText(nextMinuteMs(ms))}` : `about ${timeText(ms)}`;
}

const nextMinuteMs = (ms: number): number => Math.ceil(ms / MINUTE_MS) * MINUTE_MS;

/** `before the jump`, where that was observed. */
export function beforeJump({ jumpedMs, jumpBasis }: Pick<RaceDetails, 'jumpedMs' | 'jumpBasis'>): Html {
  if (jumpBasis === 'assumed') return html`before the advertised start`;
  const isLatest = jumpBasis === 'latest' && jumpedMs !== null;
  return isLatest ? html`before ${timeAt(nextMinuteMs(jumpedMs))}` : html`before the jump`;
}

/** Marks an element as stale now, and lets the browser do so later. `fromMs` null: it is never marked later. */
export const staleFrom = (fromMs: number | null): Html | false => fromMs !== null && html` data-stale-from="${fromMs}"`;

export const isStaleNow = (
  one: { readonly stale: boolean; readonly staleFromMs: number | null },
  nowMs: number,
): boolean => (one.staleFromMs === null ? one.stale : nowMs >= one.staleFromMs);

/** Text that an element shows only while it is stale. */
export const whileStale = (text: string, stale: boolean): Html =>
  html`<span data-stale-text="${text}">${stale && text}</span>`;

export const tag = (kind: string, text: Fragment): Html => html`<span class="tag tag-${kind}">${text}</span>`;

export const CODE_NAMES: Readonly<Record<Category, string>> = {
  horse: 'Thoroughbred',
  harness: 'Harness',
  greyhound: 'Greyhound',
};

const SHAPES: Readonly<Record<Category, Html>> = {
  horse: html`<path d="M5.2 20.5H8a.6.6 0 0 0 .5-1C6.6 16.7 5.9 14.3 6 11.8 6.1 8 8.5 5.4 12 5.4s5.9 2.6 6 6.4c.1 2.5-.6 4.9-2.5 7.7a.6.6 0 0 0 .5 1h2.8c.3 0 .6-.2.8-.4 1.4-2.6 2-5.3 1.9-8.5C21.3 6.1 17.6 2.5 12 2.5S2.7 6.1 2.5 11.6c-.1 3.2.5 5.9 1.9 8.5.2.2.5.4.8.4Z"/>`,
  harness: html`<path fill-rule="evenodd" d="M12 2.5a9.5 9.5 0 1 1 0 19 9.5 9.5 0 0 1 0-19Zm0 2.2a7.3 7.3 0 1 0 0 14.6 7.3 7.3 0 0 0 0-14.6Z"/><path d="M11.2 4h1.6v16h-1.6z"/><path d="M4 11.2h16v1.6H4z"/><path d="m6.9 5.8 11.3 11.3-1.1 1.1L5.8 6.9z"/><path d="m17.1 5.8 1.1 1.1L6.9 18.2l-1.1-1.1z"/><circle cx="12" cy="12" r="2.3"/>`,
  greyhound: html`<ellipse cx="8.7" cy="5.9" rx="2.2" ry="3.1"/><ellipse cx="15.3" cy="5.9" rx="2.2" ry="3.1"/><ellipse cx="4.3" cy="11.2" rx="1.9" ry="2.7" transform="rotate(-20 4.3 11.2)"/><ellipse cx="19.7" cy="11.2" rx="1.9" ry="2.7" transform="rotate(20 19.7 11.2)"/><path d="M12 11c2.7 0 5.9 3.9 5.9 6.9 0 2-1.4 3.2-3.1 3.2-1.2 0-1.9-.6-2.8-.6s-1.6.6-2.8.6c-1.7 0-3.1-1.2-3.1-3.2C6.1 14.9 9.3 11 12 11Z"/>`,
};

/** A racing code as a small drawing (a horseshoe, a sulky wheel, a paw) with its name for screen readers. */
export function codeIcon(category: Category): Html {
  return html`<span class="code code-${category}" title="${CODE_NAMES[category]}"><svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">${SHAPES[category]}</svg><span class="vh">${CODE_NAMES[category]}</span></span>`;
}
