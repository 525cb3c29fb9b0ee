// The home page: what the service is in one sentence, a race of this moment, one call with its answer, plans, and where
// to go on. It claims nothing that is not built, and no figure of a race stands without its time.

import { COMPARED_BOOKS } from '../../domain/bookmakers';
import type { ServiceStatus } from '../about/model';
import { shortPlanTable } from '../about/pricing-page';
import { serviceState } from '../about/status-page';
import { pricesState } from '../assets/freshness.mjs';
import { clockText, instant, priceText, UNKNOWN, zoneText } from '../format';
import { type Html, html } from '../html';
import { outcomeCard } from '../outcomes';
import {
  age,
  countdown,
  countryTag,
  isStaleNow,
  raceLabel,
  raceName,
  racePath,
  staleFrom,
  startTime,
  tag,
  whileStale,
} from '../race-parts';
import type { HomeCall, HomeRace, HomeRunner, HomeView } from './model';

export const HOME_TITLE = 'Racing Odds: Australian fixed odds, each price with its age';

export interface HomeFrame {
  /** `mailto:` or https; null: none is set. */
  readonly contact: string | null;
  readonly canSignUp: boolean;
  readonly speed: number;
}

export const homeMain = (view: HomeView, status: ServiceStatus, frame: HomeFrame, nowMs: number): Html =>
  html`<div class="home">
<div class="home-first"><section class="home-pitch" aria-labelledby="home-title">
<h1 id="home-title">Fixed odds of ${COMPARED_BOOKS.length} Australian bookmakers, each price with its age</h1>
<p class="home-lead">Thoroughbred, harness and greyhound racing side by side: a free live board for people, and an API with the same figures for programs.</p>
<p class="actions">${frame.canSignUp && html`<a class="button primary" href="/signup">Get a free key</a>`}<a class="button" href="/live">Open the live board</a></p>
<p class="home-note">The free plan needs no payment details. <a href="/docs/guides/first-call">Your first call</a> takes five minutes.</p>
</section>
${view.race ? racePanel(view.race, nowMs) : noRacePanel(view)}</div>
<div class="home-two">${callPanel(view.call)}${DIFFERENCES}</div>
<div class="home-two">${PLANS_PANEL}${FOR_WHOM}</div>
${servicePanel(status, frame, nowMs)}
</div>`;

function racePanel(race: HomeRace, nowMs: number): Html {
  const { freshness } = race;
  const read =
    freshness.kind === 'read' && html` data-polled="${freshness.polledMs}" data-old-from="${freshness.oldFromMs}"`;
  const unread = pricesState(freshness, nowMs).state === 'old';
  const books = `${race.books} ${race.books === 1 ? 'bookmaker' : 'bookmakers'}`;
  return html`<section class="panel home-race${unread && ' unread'}" data-freshness="${freshness.kind}"${read} aria-labelledby="home-race-title">
<header><div><p class="kicker">Next to jump</p><h2 id="home-race-title"><a href="${racePath(race.raceId)}">${raceLabel(race)}</a>${countryTag(race.country)}${race.suspended && tag('warn', 'Suspended')}</h2></div>
<p class="clock"><span class="big">${countdown(race.startMs, nowMs)}</span><span class="clock-label">advertised jump ${startTime(race.startMs, nowMs)}</span></p></header>
<table class="home-prices"><caption class="vh">Best win prices, ${raceName(race)}</caption>
<thead><tr><th scope="col"><abbr title="Number">No</abbr></th><th scope="col">Runner</th><th scope="col" class="num">Best win</th><th scope="col">Bookmaker</th><th scope="col" class="num">Age</th></tr></thead>
<tbody>${race.runners.map((runner) => runnerRow(race, runner, nowMs))}</tbody></table>
<p class="home-more"><a href="${racePath(race.raceId)}">${race.more > 0 && `${race.more} more ${race.more === 1 ? 'runner' : 'runners'}, `}all prices of ${books}</a></p>
${HELP}
</section>`;
}

function runnerRow(race: HomeRace, { number, name, best }: HomeRunner, nowMs: number): Html {
  const cloth = html`<td><span class="cloth cloth-${race.category}-${number}">${number}</span></td>`;
  const named = html`<th scope="row">${name}</th>`;
  const id = `home-${race.raceId}-${number}`;
  if (best === null)
    return html`<tr id="${id}">${cloth}${named}<td class="num" data-price="">${UNKNOWN}</td><td>${UNKNOWN}</td><td class="num">${UNKNOWN}</td></tr>`;
  const stale = isStaleNow(best, nowMs);
  const read = best.polledMs === null ? UNKNOWN : age(best.polledMs, nowMs);
  return html`<tr id="${id}" class="${stale && 'stale'}"${staleFrom(best.staleFromMs)}>${cloth}${named}<td class="num home-price" data-price="${best.price}"><b>${priceText(best.price)}</b></td><td>${whileStale('stale: ', stale)}${best.book}${best.others > 0 && ` +${best.others}`}</td><td class="num">${read}</td></tr>`;
}

const HELP = html`<p class="home-help">18+ only. National Gambling Helpline: <a href="tel:1800858858">1800 858 858</a></p>`;

function noRacePanel({ outcome }: HomeView): Html {
  const last = outcome && html`<p class="kicker">Latest result</p>${outcomeCard(outcome, 3)}`;
  return html`<section class="panel home-race" data-freshness="none" aria-labelledby="home-race-title"><header><h2 id="home-race-title">No race is open for betting</h2></header>
${last}<p class="home-more"><a href="/today">Races today</a> · <a href="/results">Results</a></p>
${HELP}
</section>`;
}

function callPanel({ address, page, lines, atMs }: HomeCall): Html {
  const at = html`<time datetime="${instant(atMs)}">${clockText(atMs)} ${zoneText(atMs)}</time>`;
  return html`<section class="panel home-call" aria-labelledby="home-call-title"><h2 id="home-call-title">One call</h2>
<pre tabindex="0" role="region" aria-label="The call"><code>curl -H "X-API-Key: $KEY" \\
  "${address}"</code></pre>
<p class="home-answered">The answer of this service at ${at}. “…” marks what is left out here.</p>
<pre tabindex="0" role="region" aria-label="The answer"><code>${lines.join('\n')}</code></pre>
<p class="home-more"><a href="${page}">This operation</a> · <a href="/docs">All operations</a> · <a href="/docs/try">Try them here</a></p></section>`;
}

const DIFFERENCES = html`<section class="panel home-different" aria-labelledby="home-different-title"><h2 id="home-different-title">What is different</h2>
<ul>
<li><b>Every price has its age.</b> Each quote has the time at which its bookmaker was read, and one that is too old is marked <a href="/docs/next-to-go"><code>stale</code></a>.</li>
<li><b>Closing lines are kept.</b> <a href="/past">Past races</a> have them with the path of every price, and how each close was found.</li>
<li><b>Past days play again.</b> The <a href="/docs/guides/backtesting">replay</a> sends a day as it happened, so that a model sees only what it could have seen.</li>
<li><b>Files can be proved.</b> Whole days and months are <a href="/docs/guides/archives">files</a> with a <a href="/docs/bulk-manifest">signed manifest</a>, and an account’s statement of credits is a chain of hashes.</li>
<li><b>Models can ask.</b> The operations are tools for language models over <a href="/docs/guides/mcp">MCP</a>.</li>
<li><b>Faults are public.</b> <a href="/data-quality">Data quality</a>, <a href="/price-quality">price quality</a> and <a href="/coverage-report">coverage</a> show what was late, wrong or missing.</li>
</ul></section>`;

const PLANS_PANEL = html`<section class="panel home-plans" aria-labelledby="home-plans-title"><h2 id="home-plans-title">Plans</h2>
${shortPlanTable()}
<p class="home-more"><a href="/pricing">All plans, limits and the cost of each call</a></p></section>`;

const FOR_WHOM = html`<section class="panel home-whom" aria-labelledby="home-whom-title"><h2 id="home-whom-title">Who it is for</h2>
<dl><dt>Modellers</dt><dd>Closing lines, price paths and results as CSV and Parquet, and the <a href="/docs/guides/backtesting">replay</a> to test on.</dd>
<dt>Media</dt><dd><a href="/docs/guides/widgets">Widgets</a> with best prices in pages of your own, and <a href="/movers">movers</a>.</dd>
<dt>Makers of tools for people who bet</dt><dd>Best odds, <a href="/docs/guides/stream">a stream</a> of changes, <a href="/docs/guides/webhooks">webhooks</a>, and the value of bets against the close.</dd></dl></section>`;

function servicePanel(status: ServiceStatus, { contact, speed }: HomeFrame, nowMs: number): Html {
  const write = contact !== null && html` Questions: <a href="${contact}">${contact.replace(/^mailto:/, '')}</a>.`;
  return html`<section class="panel home-service" aria-labelledby="home-service-title"><h2 id="home-service-title">Service</h2>
<p><a href="/status">Status</a>: ${serviceState(status, nowMs, speed)}${write} It takes no bets and gives no tips.</p></section>`;
}
