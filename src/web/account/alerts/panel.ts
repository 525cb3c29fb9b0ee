// How many price alerts wait, on the page of the account.
import { OPEN_ALERTS } from '../../../plans/limits';
import { type Html, html } from '../../html';
import type { OwnAccount } from '../own-account';
import { ALERTS_PATH } from './page';

export const alertsPanel = ({ openAlerts }: OwnAccount): Html =>
  html`<section class="panel" id="alerts" aria-labelledby="alerts-title"><h2 id="alerts-title">Price alerts<span class="h-note">${openAlerts} of ${OPEN_ALERTS}</span></h2><div class="body">
<p class="small">A mail or a notification when a runner pays at least your price. The page of each race has the link to make one.</p>
<p><a href="${ALERTS_PATH}">Your price alerts</a></p></div></section>`;
