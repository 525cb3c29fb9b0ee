// The way to a price alert. The same for every visitor, so that pages stay cacheable: what it leads to needs the
// account.
import type { RaceSheet } from '../board/model';
import { type Html, html } from '../html';

/** Until the jump. */
const hasAlerts = ({ onBoard, state }: RaceSheet): boolean => onBoard && (state === 'open' || state === 'suspended');

const pathOf = ({ raceId }: RaceSheet): string => `/account/alerts?race=${encodeURIComponent(raceId)}`;

export const raceAlertLink = (race: RaceSheet): Html | false =>
  hasAlerts(race) &&
  html`<p class="alert-link"><a href="${pathOf(race)}" rel="nofollow">Alert me when a runner pays at least a price</a></p>`;

/** In the fold of a runner's prices. */
export const runnerAlertLink = (race: RaceSheet, number: number, name: string, market: string): Html | false =>
  hasAlerts(race) &&
  html`<p class="alert-link"><a href="${pathOf(race)}&amp;runner=${number}&amp;market=${market}" rel="nofollow">Alert<span class="vh"> when ${name} pays at least a price to ${market}</span></a></p>`;
