// The part of each page that is refreshed (`<main>`), and the document around it. The document carries the race clock (instant and
// speed), so that countdowns in the browser run on the service's time and not on the visitor's.

import { assetUrl, MODULES } from './assets';
import type { Board, RaceView } from './board/model';
import { clockText, dateText, zoneText } from './format';
import { type Html, html } from './html';
import { legend } from './legend';
import { nextStrip } from './next-strip';
import { jumpedList, outcomeCard, outcomeList } from './outcomes';
import { raceName } from './race-parts';
import { isWide } from './sheet/price-table';
import { raceSheet } from './sheet/race-sheet';

export function boardMain(board: Board, nowMs: number): Html {
  const { next, featured } = board;
  const sheet = featured && raceSheet(featured, { nowMs, markets: ['win'], level: 2, linked: true, outcome: null });
  return html`<h1 class="vh">Live racing odds: next to jump, prices and results</h1>
${nextStrip(next, featured?.raceId ?? null, nowMs)}
<div class="cols${featured && isWide(featured) && ' wide'}">
<div class="col-main">${sheet ?? html`<section class="panel"><p class="empty">No race is on the board.</p></section>`}${legend(featured)}</div>
<div class="col-side">${jumpedList(board.jumped, nowMs)}${outcomeList(board.outcomes)}</div>
</div>`;
}

export function raceMain(view: RaceView, nowMs: number): Html {
  const outcome = view.outcome && outcomeCard(view.outcome, 2);
  const sheet = raceSheet(view.sheet, { nowMs, markets: ['win', 'place'], level: 1, linked: false, outcome });
  return html`${nextStrip(view.next, view.sheet.raceId, nowMs)}
<p class="back"><a href="/">Live board</a></p>
<div class="cols${isWide(view.sheet) ? ' wide' : ' one'}">
<div class="col-main">${sheet}${legend(view.sheet)}</div>
</div>`;
}

export interface Frame {
  readonly title: string;
  /** From where the browser fetches a fresh `<main>`; null for a page that does not change. */
  readonly refreshPath: string | null;
  readonly nowMs: number;
  /** Race seconds per wall second; 1 unless the day is simulated. */
  readonly speed: number;
}

export const raceTitle = (view: RaceView): string => `${raceName(view.sheet)}: odds and result`;

/** Classic scripts: the modules read them from `window`. */
const LIBRARIES = ['idiomorph.js', 'uplot.js'];

const scripts = (): Html =>
  html`${LIBRARIES.map((name) => html`<script src="${assetUrl(name)}" defer></script>\n`)}${MODULES.map((name) => html`<script type="module" src="${assetUrl(name)}"></script>\n`)}`;

export function htmlDocument(main: Html, frame: Frame): Html {
  return html`<!doctype html>
<html lang="en-AU" data-now="${frame.nowMs}" data-speed="${frame.speed}"${frame.refreshPath !== null && html` data-refresh="${frame.refreshPath}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f4f5f2">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0f1311">
<title>${frame.title}</title>
<link rel="icon" type="image/svg+xml" href="${assetUrl('icon.svg')}">
<link rel="preload" href="${assetUrl('inter-latin.woff2')}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assetUrl('board.css')}">
${scripts()}${frame.refreshPath !== null && html`<noscript><meta http-equiv="refresh" content="10"></noscript>`}
</head>
<body>
<a class="skip" href="#main">Skip to the races</a>
${topBar(frame)}
<main id="main" tabindex="-1">${main}</main>
<footer class="foot"><p>Prices are shown for comparison and can change before a bet is placed. Settle only on a final result.</p></footer>
</body>
</html>`;
}

function topBar({ nowMs, speed, refreshPath }: Frame): Html {
  return html`<header class="top">
<a class="brand" href="/"><img src="${assetUrl('icon.svg')}" alt="" width="26" height="26">Racing Odds</a>
<a class="docs" href="/docs">API</a>
<p class="now"><span class="date">${dateText(nowMs)}</span> <time id="now">${clockText(nowMs)}</time> <abbr title="Sydney time">${zoneText(nowMs)}</abbr>${speed !== 1 && html` <span class="tag tag-warn">clock ×${speed}</span>`}</p>
${refreshPath !== null && html`<p class="link" id="link" role="status" data-state="live"><span id="link-text">Live</span></p>`}
</header>`;
}
