// Recommending the service: the account's link, what both sides get, and what it has earned (D39).
import { referralLink } from '../../../accounts/pages';
import { REFERRAL_CREDITS } from '../../../plans/plans';
import type { Payout, Referral } from '../../../store/accounts/referrals';
import { type Html, html } from '../../html';
import { copied } from '../copied';
import { amountText, countText } from '../moments';
import type { OwnAccount } from '../own-account';

const CREDITS = amountText(REFERRAL_CREDITS, 'credit');

export function referralPanel({ payments, baseUrl }: OwnAccount): Html | null {
  if (payments === null) return null;
  const { referral } = payments;
  return html`<section class="panel" id="referral" aria-labelledby="referral-title"><h2 id="referral-title">Recommend us</h2><div class="body">
<p class="small">A customer who signs up with your link gets ${CREDITS} with the first paid invoice, and so do you. These credits do not expire.</p>
${copied('Your link', referralLink(baseUrl, referral.code), 'referral-link')}
${earned(referral)}
<details class="more"><summary>Change what you get</summary><form method="post" action="/account/referral">
<fieldset class="choice"><legend>Your side of it</legend>${choice(referral, 'credits', `${CREDITS} for each`)}
${choice(referral, 'none', 'nothing, because I may not accept rewards')}</fieldset>
<button class="button">Save</button></form></details></div></section>`;
}

const choice = ({ payout }: Referral, value: Payout, label: string): Html =>
  html`<label><input type="radio" name="payout" value="${value}"${payout === value && html` checked`}> ${label}</label>`;

function earned({ signedUp, paid, creditsEarned, payout }: Referral): Html {
  const present = payout === 'none' && html`<p class="small">You get nothing for further ones: you chose so.</p>`;
  if (signedUp === 0) return html`<p class="small">No one has signed up with it yet.</p>${present}`;
  return html`<dl class="key-facts"><dt>Signed up</dt><dd>${countText(signedUp)}</dd><dt>Have paid</dt><dd>${countText(paid)}</dd>
<dt>Credits earned</dt><dd>${countText(creditsEarned)}</dd></dl>${present}`;
}
