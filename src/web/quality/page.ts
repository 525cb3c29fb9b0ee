// The page of data quality: what is matched, how fresh it is, the findings of the audits, and the last response of
// every bookmaker and registry.
import { connectorTitle } from '../../domain/registry/connectors';
import { UNKNOWN } from '../format';
import { type Fragment, type Html, html } from '../html';
import { age, tag } from '../race-parts';
import { degradedText, SPORTS } from './degraded-text';
import type { DataQuality } from './source';

export function qualityMain(quality: DataQuality, nowMs: number): Html {
  const { status, recent_market_quality: markets, sport_market_quality: sports } = quality;
  const state =
    status === 'ok' ? tag('good', 'OK') : html`${tag('warn', 'Degraded')} <span>${degradedText(quality)}</span>`;
  return html`<p class="back"><a href="/live">Live board</a></p>
<section class="panel quality" aria-labelledby="page-title"><header class="list-head"><h1 id="page-title">Data quality</h1><p>As of ${ago(quality.as_of, nowMs)} ago. The same figures as <a href="/data-quality.json">JSON</a>.</p></header>
<p class="q-state">${state}</p>
<dl class="q-figures">${figure(quality.canonical_events, 'races and matches')}${figure(quality.source_mappings, 'bookmaker listings matched to them')}${figure(markets.ok, 'fresh markets')}${figure(markets.warn, 'markets close to stale')}${figure(markets.stale, 'stale markets')}${figure(sports.ok + sports.warn, 'fresh sports markets')}${figure(sports.stale, 'stale sports markets')}</dl>
<h2>Audits</h2>
<p class="q-note">Every ten minutes the bookmakers of races about to run are read a second time, by a reader of its own, and compared with the prices that are served here; so is what bookmakers push. “Out of bounds” counts figures over all stored prices of a bookmaker that no bookmaker has.</p>
${quality.audits.length === 0 ? html`<p class="empty">No audit has ended yet.</p>` : audits(quality, nowMs)}
<h2>Bookmakers and registries</h2>
${connectors(quality, nowMs)}
</section>`;
}

const ago = (at: string | null, nowMs: number): Fragment => (at === null ? UNKNOWN : age(Date.parse(at), nowMs));

const counted = (value: number | null): string => (value === null ? UNKNOWN : value.toLocaleString('en-AU'));

const figure = (value: number, name: string): Html => html`<div><dt>${name}</dt><dd>${counted(value)}</dd></div>`;

const VERDICTS: Readonly<Record<string, Html>> = {
  ok: tag('good', 'all equal'),
  differs: tag('bad', 'differs'),
  empty: tag('quiet', 'nothing to compare'),
  failed: tag('warn', 'did not end'),
};

const audits = (
  { audits }: DataQuality,
  nowMs: number,
): Html => html`<div class="q-scroll" tabindex="0" role="region" aria-label="Audits"><table class="q-table"><caption class="vh">The newest audit of each sport</caption>
<thead><tr><th scope="col">Sport</th><th scope="col">Result</th><th scope="col" class="num">Prices</th><th scope="col" class="num">Equal</th><th scope="col" class="num">Different</th><th scope="col" class="num">Missing</th><th scope="col" class="num">Outliers</th><th scope="col" class="num">Out of bounds</th><th scope="col" class="num">Bookmakers</th><th scope="col" class="num">Races</th><th scope="col" class="num">Age</th></tr></thead>
<tbody>${audits.map((one) => html`<tr><th scope="row">${SPORTS[one.sport_key] ?? one.sport_key}</th><td>${VERDICTS[one.status] ?? one.status}</td>${[one.api_rows, one.exact_matches, one.diff_rows, missing(one), one.outliers, one.cross_checks, one.books_checked, one.races_checked].map((value) => html`<td class="num">${counted(value)}</td>`)}<td class="num">${ago(one.finished_at ?? one.started_at, nowMs)}</td></tr>`)}</tbody></table></div>`;

const missing = ({ missing_api, missing_source }: DataQuality['audits'][number]): number | null =>
  missing_api === null || missing_source === null ? null : missing_api + missing_source;

const connectors = (
  { connectors }: DataQuality,
  nowMs: number,
): Html => html`<div class="q-scroll" tabindex="0" role="region" aria-label="Bookmakers and registries"><table class="q-table"><caption class="vh">Bookmakers and registries with their last successful response</caption>
<thead><tr><th scope="col">Name</th><th scope="col" class="num">Last successful response</th><th scope="col" class="num">Records</th><th scope="col">Trouble</th></tr></thead>
<tbody>${connectors.map((one) => html`<tr><th scope="row">${connectorTitle(one.connector)}</th><td class="num">${ago(one.last_ok, nowMs)}</td><td class="num">${counted(one.records_written)}</td><td>${one.message ?? UNKNOWN}</td></tr>`)}</tbody></table></div>`;
