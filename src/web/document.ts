// The document around the main part of a page. That of the board carries the race clock (instant and speed), so that
// countdowns in the browser run on the service's time and not on the visitor's.
import {
  ACCOUNT_MODULES,
  assetUrl,
  DOCS_MODULES,
  EARLY_MODULES,
  LIGHT_MODULES,
  MODULES,
  PAINT_MODULES,
  SIGNED_IN_MODULES,
} from './assets';
import { pricesState } from './assets/freshness.mjs';
import type { Freshness } from './board/model';
import { clockText, dateText, zoneText } from './format';
import { type Html, html } from './html';
import { type SignIn, siteHeader } from './site/header';
import { type PublicPage, pageHead } from './site/page-head';

export interface Frame {
  readonly title: string;
  /** Of the request. */
  readonly path: string;
  readonly signIn: SignIn;
  /** Of a public page that is there; absent or null: it says nothing of itself to search engines. */
  readonly address?: Omit<PublicPage, 'title' | 'image'> | null;
  /** Path of the picture that is shown where the page is shared. Default: none. */
  readonly image?: string | null;
  /** The one address of a page that has several. */
  readonly canonical?: string;
  /** The same content for feed readers. */
  readonly alternates?: readonly Alternate[];
}

interface Alternate {
  readonly path: string;
  /** Media type. */
  readonly type: string;
  readonly title: string;
}

/** From where, and how often, the browser fetches a fresh `<main>` of a page that has no prices of its own race. */
export interface PageRefresh {
  readonly path: string;
  /** In milliseconds on the wall. */
  readonly everyMs: number;
}

export interface BoardFrame extends Frame {
  /** From where the browser fetches a fresh `<main>`; null for a page that does not change. */
  readonly refreshPath: string | null;
  /** The stream that reports a fresh one; without it the browser polls. */
  readonly streamPath?: string | null;
  /** Between two fetches of a page that polls. Absent: as often as prices need it. */
  readonly everyMs?: number;
  /** It has no charts, and loads no script of them. */
  readonly light?: true;
  /** Of the prices that are shown. */
  readonly freshness?: Freshness;
  readonly nowMs: number;
  /** Race seconds per wall second; 1 unless the day is simulated. */
  readonly speed: number;
}

/** In the foot of every page. */
const PLACES_BELOW = html`<a href="/about">About</a> · <a href="/pricing">Plans and prices</a> · <a href="/status">Status</a> · <a href="/price-quality">Price quality</a> · <a href="/coverage-report">Coverage</a> · <a href="/data-quality">Data quality</a> · <a href="/contract">Contract</a> · <a href="/changelog">Changelog</a> · <a href="/terms">Terms of use</a> · <a href="/privacy">Privacy</a>`;

/** Classic scripts, which the modules read from `window`: one brings a fresh page in, the other draws charts. */
const librariesOf = ({ refreshPath, light }: BoardFrame): readonly string[] => [
  ...(refreshPath === null ? [] : ['idiomorph.js']),
  ...(light ? [] : ['uplot.js']),
];

/** Of the pinned race; a script fills it. */
const PIN_BAR = html`<aside class="pin-bar" id="pin" aria-label="Pinned race" hidden><a data-part="race" href="/live">Pinned race</a> <span class="pin-count" data-part="state"></span>
<button type="button" data-part="sound" aria-pressed="false">Sound at 3 min</button><button type="button" data-part="notice" aria-pressed="false">Notify at 3 min</button><button type="button" data-part="off">Unpin</button></aside>
`;

/** Between two loads of a page in a browser without script. */
const NO_SCRIPT_MS = 10_000;

const modules = (names: readonly string[]): Html =>
  html`${names.map((name) => html`<script type="module" src="${assetUrl(name)}"></script>\n`)}`;

/** Where prices are shown, the first paint waits for them. */
const paintModules = (blocks: boolean): Html =>
  html`${PAINT_MODULES.map((name) => html`<script type="module"${blocks && html` blocking="render"`} src="${assetUrl(name)}"></script>\n`)}`;

export function boardDocument(main: Html, frame: BoardFrame): Html {
  const { nowMs, speed, refreshPath, streamPath, everyMs, light, signIn } = frame;
  const stream = streamPath && html` data-stream="${streamPath}"`;
  const refresh =
    refreshPath !== null &&
    html` data-refresh="${refreshPath}"${everyMs !== undefined && html` data-every="${everyMs}"`}${stream}`;
  const head = html`${modules(EARLY_MODULES)}${paintModules(refreshPath !== null && !light)}${librariesOf(frame).map((name) => html`<script src="${assetUrl(name)}" defer></script>\n`)}${modules((light ? LIGHT_MODULES : MODULES).filter((name) => !PAINT_MODULES.includes(name)))}${refreshPath !== null && html`<noscript><meta http-equiv="refresh" content="${Math.ceil((everyMs ?? NO_SCRIPT_MS) / 1000)}"></noscript>`}`;
  const bar = html`<p class="now"><span class="date">${dateText(nowMs)}</span> <time id="now">${clockText(nowMs)}</time> <abbr title="Sydney time">${zoneText(nowMs)}</abbr><span class="own-now" id="own-now"></span>${speed !== 1 && html` <span class="tag tag-warn">clock ×${speed}</span>`}</p>
${refreshPath !== null && linkLine(frame)}`;
  const foot = html`Prices are shown for comparison and can change before a bet is placed. Settle only on a final result.</p>
<p>18+ only. Is gambling a problem for you or someone near you? National Gambling Helpline, free at any hour: <a href="tel:1800858858">1800 858 858</a> · <a href="https://www.gamblinghelponline.org.au/" rel="noreferrer">gamblinghelponline.org.au</a></p>
<p>${PLACES_BELOW}`;
  const attributes = html` data-now="${nowMs}" data-speed="${speed}"${signIn === 'signed_in' && html` data-signed-in`}${refresh}`;
  return framed(main, frame, { attributes, head, bar, foot, aside: PIN_BAR });
}

/** The state of the prices; a change of it is announced, but not each minute of their age. */
function linkLine({ freshness = { kind: 'none' }, nowMs }: BoardFrame): Html {
  const { state, text } = pricesState(freshness, nowMs);
  return html`<p class="link" id="link" data-state="${state}"><span id="link-text">${text}</span></p><p class="vh" id="link-news" role="status"></p>`;
}

/** `goesTo`: another site that the page may navigate to. */
export function accountDocument(main: Html, frame: Frame, goesTo: string | null): Html {
  const onward = goesTo !== null && html`<meta http-equiv="refresh" content="0; url=${goesTo}">`;
  const head = html`${modules(ACCOUNT_MODULES)}${onward}`;
  return framed(main, frame, { attributes: null, head, bar: null, foot: PLACES_BELOW });
}

/** The reference loads no script of the board. */
export const docsDocument = (main: Html, frame: Frame): Html =>
  framed(main, frame, { attributes: null, head: modules(DOCS_MODULES), bar: null, foot: DOCS_FOOT });

const DOCS_FOOT = html`<a href="/errors">Problems</a> · ${PLACES_BELOW}`;

interface Parts {
  readonly attributes: Html | null;
  readonly head: Html;
  readonly bar: Html | null;
  readonly foot: Html | string;
  readonly aside?: Html | null;
}

const framed = (
  main: Html,
  { title, path, signIn, address, image = null, canonical, alternates = [] }: Frame,
  { attributes, head, bar, foot, aside = null }: Parts,
): Html => html`<!doctype html>
<html lang="en-AU"${attributes}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" data-scheme="light" media="(prefers-color-scheme: light)" content="#f4f5f2">
<meta name="theme-color" data-scheme="dark" media="(prefers-color-scheme: dark)" content="#0f1311">
<script src="${assetUrl('before-paint.js')}"></script>
<title>${title}</title>
${address && pageHead({ ...address, ...(canonical !== undefined && { path: canonical }), title, image })}${alternates.map(alternateLink)}<link rel="icon" type="image/svg+xml" href="${assetUrl('icon.svg')}">
<link rel="preload" href="${assetUrl('inter-latin.woff2')}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${assetUrl('board.css')}">
${head}${signIn === 'signed_in' && modules(SIGNED_IN_MODULES)}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
${siteHeader(path, signIn, bar)}
<main id="main" tabindex="-1">${main}</main>
${aside}<footer class="foot"><p>${foot}</p></footer>
</body>
</html>`;

const alternateLink = ({ path, type, title }: Alternate): Html =>
  html`<link rel="alternate" type="${type}" title="${title}" href="${path}">\n`;
