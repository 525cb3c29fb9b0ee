// The page that customers' sites frame. It has no prices of its own: its script fetches them, so that a site that
// browsers do not let frame it causes no charge.
import { widgetPage } from '../../security-headers';
import { assetUrl, WIDGET_MODULES } from '../assets';
import { type Html, html } from '../html';
import type { WidgetFrame } from './source';

const accentStyle = ({ accent }: WidgetFrame): string => `:root{--accent:${accent}}`;

/** The race clock, on which countdowns and ages run. */
interface FrameClock {
  readonly nowMs: number;
  readonly speed: number;
}

/** `pricesPath`: where the script fetches the prices. */
export const widgetDocument = (
  frame: WidgetFrame,
  pricesPath: string,
  { nowMs, speed }: FrameClock,
): Html => html`<!doctype html>
<html lang="en-AU" data-theme="${frame.theme}" data-prices="${pricesPath}" data-token="${frame.token}" data-now="${nowMs}" data-speed="${speed}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${frame.title ?? frame.caption}</title>
<link rel="stylesheet" href="${assetUrl('widget.css')}">
<style>${accentStyle(frame)}</style>
<script src="${assetUrl('idiomorph.js')}" defer></script>
${WIDGET_MODULES.map((name) => html`<script type="module" src="${assetUrl(name)}"></script>`)}
</head>
<body>
<main>
<h1${frame.title === null && html` class="vh"`}>${frame.title ?? frame.caption}</h1>
<div id="prices" aria-busy="true"><p class="notice">Loading odds…</p></div>
<p class="notice" id="state" role="status"></p>
<noscript><p class="notice">Odds need JavaScript.</p></noscript>
</main>
<footer>Prices can change before a bet is placed. Times are Sydney time.</footer>
</body>
</html>`;

/** Framed by its owner's sites only. */
export const widgetSecurity = (frame: WidgetFrame) => widgetPage(accentStyle(frame), frame.allowedOrigins);
