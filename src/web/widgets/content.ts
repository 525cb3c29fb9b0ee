// The content of a widget's page: its races or matches with their best prices, or why there are none.
import { agoText, clockText, instant, zoneText } from '../format';
import { type Html, html } from '../html';
import { matchTable } from './matches';
import { raceTable } from './races';
import type { WidgetContent, WidgetFill, WidgetRefusal } from './source';

export function widgetContent({ content, asOfMs, delayed, ageSeconds }: WidgetFill, nowMs: number): Html {
  const tables = tablesOf(content, nowMs);
  if (tables.length === 0) return notice(`No ${content.type === 'racing' ? 'race' : 'match'} is open for betting.`);
  return html`${delayed && notice(`Last prices, from ${agoText(nowMs - ageSeconds * 1000, nowMs)}. New prices are not available at the moment.`)}
<div class="shown">${tables}</div>
<p class="as-of">Best prices as of <time datetime="${instant(asOfMs)}">${clockText(asOfMs)} ${zoneText(asOfMs)}</time>. Ages count from when the bookmaker last confirmed its price.</p>`;
}

const tablesOf = (content: WidgetContent, nowMs: number): readonly Html[] =>
  content.type === 'racing'
    ? content.races.map((race) => raceTable(race, nowMs))
    : content.matches.map((match) => matchTable(match, content, nowMs));

const ELSEWHERE = 'Odds are not available here.';
const NOT_NOW = 'Odds are not available at the moment.';
const NOTICES: Readonly<Record<WidgetRefusal['kind'], string>> = {
  missing: ELSEWHERE,
  origin: ELSEWHERE,
  parameter: ELSEWHERE,
  changed: NOT_NOW,
  race: 'This race is not open for betting.',
  match: 'This match is not open for betting.',
  paused: NOT_NOW,
  plan: NOT_NOW,
  spent: NOT_NOW,
  busy: NOT_NOW,
};

/** What readers see of a refusal: nothing about the owner's account. */
export const refusalNotice = ({ kind }: WidgetRefusal): Html => notice(NOTICES[kind]);

const notice = (text: string): Html => html`<p class="notice">${text}</p>`;
