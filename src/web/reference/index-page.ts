// The first page of the reference: search, the rules that all operations share, and every operation and event.
import { richText } from '../changelog/changes';
import { guideList } from '../guides/page';
import { type Html, html } from '../html';
import type { PlainPage } from '../plain/plain-pages';
import type { ApiReference, EventEntry, Group } from './model';
import { operationList, textParagraphs } from './parts';
import type { Found } from './search';

export const MOST_QUERY_CHARACTERS = 100;

const searchForm = (query: string): Html => html`<form class="search" action="/docs" role="search">
<label for="q">Search operations, fields and events</label>
<div class="with-button"><input id="q" name="q" type="search" maxlength="${MOST_QUERY_CHARACTERS}" value="${query}"><button class="button">Search</button></div></form>`;

export function indexPage({ about, plans, groups, events }: ApiReference): PlainPage {
  const main = html`<p class="back"><a href="/live">Live board</a></p>
<div class="reference">
<nav class="side" aria-label="Contents"><h2>Contents</h2><ul><li><a href="#guides">Guides</a></li>
${groups.map(({ name }) => html`<li><a href="#${anchorOf(name)}">${name}</a></li>\n`)}<li><a href="#events">Events of webhooks</a></li>
<li><a href="#rules">Rules of all operations</a></li>
<li><a href="#plans">Plans</a></li></ul></nav>
<article class="panel plain" aria-labelledby="page-title"><h1 id="page-title">API reference</h1>
<p>Every operation with its parameters, fields, costs, errors and code to call it. For programs: <a href="/openapi.json">OpenAPI as JSON</a>, <a href="/openapi.yaml">as YAML</a>, and the whole reference <a href="/llms-full.txt">as one text</a>. <a href="/docs/try">Try calls in the browser</a>.</p>
${searchForm('')}
<h2 id="guides">Guides</h2>
${guideList()}
${groups.map(groupSection)}
<h2 id="events">Events of webhooks</h2>
${eventList(events)}
<h2 id="rules">Rules of all operations</h2>
${about.map(({ title, text }) => html`<h3>${title}</h3>\n${textParagraphs([text])}`)}
<h2 id="plans">Plans</h2>
${planTable(plans)}
</article></div>`;
  return { title: 'API reference', main };
}

const anchorOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

const groupSection = ({ name, about, operations }: Group): Html => html`<h2 id="${anchorOf(name)}">${name}</h2>
<p>${richText(about)}</p>
${operationList(operations)}`;

const planTable = ({ head, rows }: ApiReference['plans']): Html =>
  html`<div class="scroll" role="region" aria-label="Plans" tabindex="0"><table class="ruled members columns"><caption class="vh">Plans</caption>
<thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map(([name = '', ...cells]) => html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody></table></div>`;

const eventList = (events: readonly EventEntry[]): Html =>
  html`<ul class="operations">${events.map(({ slug, name, summary }) => html`<li><a href="/docs/events/${slug}"><span class="summary">${summary}</span> <code>${name}</code></a></li>\n`)}</ul>`;

export function searchPage(query: string, found: readonly Found[]): PlainPage {
  const main = html`<p class="back"><a href="/docs">API reference</a></p>
<section class="panel plain" aria-labelledby="page-title"><h1 id="page-title">Search</h1>
${searchForm(query)}
<p role="status">${found.length === 0 ? 'Nothing has all of these terms.' : `${found.length} ${found.length === 1 ? 'page' : 'pages'}`}</p>
<ul class="operations">${found.map(({ path, title, name }) => html`<li><a href="${path}"><span class="summary">${title}</span> <code>${name}</code></a></li>\n`)}</ul>
</section>`;
  return { title: 'Search the API reference', main };
}
