// Small pieces that every part of the pages repeats: a race's name, its link, a countdown, an age, a tag. All text, no layout.
import type { RaceTitle } from '../api/services/board/model';
import { ageText, countdownText, instant, startText, UNKNOWN, zoneText } from './format';
import { type Fragment, type Html, html } from './html';
import { codeIcon } from './icons';

export const raceName = (race: RaceTitle): string => `${race.venue} R${race.raceNumber}`;

export const racePath = (raceId: string): string => `/race/${encodeURIComponent(raceId)}`;

export const raceLabel = (race: RaceTitle): Html =>
  html`${codeIcon(race.category)}<span class="venue">${race.venue}</span> <span class="no">R${race.raceNumber}</span>`;

/** ISO code, or a dash while the meeting's country is not confirmed (A 2.1). */
export const countryTag = (country: string | null): Html =>
  html`<span class="country"><span class="vh">Country </span>${country ?? UNKNOWN}</span>`;

/** Ticks each second in the browser; rendered here so that the page is right without it. */
export const countdown = (ms: number, nowMs: number): Html =>
  html`<time class="count" datetime="${instant(ms)}" data-count="${ms}">${countdownText(ms, nowMs)}</time>`;

export const age = (ms: number, nowMs: number): Html =>
  html`<time datetime="${instant(ms)}" data-age="${ms}">${ageText(ms, nowMs)}</time>`;

export const startTime = (ms: number, nowMs: number): Html =>
  html`<time datetime="${instant(ms)}">${startText(ms, nowMs)}<span class="vh"> ${zoneText(ms)}</span></time>`;

export const tag = (kind: string, text: Fragment): Html => html`<span class="tag tag-${kind}">${text}</span>`;
