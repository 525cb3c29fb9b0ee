// The page of one operation: how to call it, what to send, what comes back, and what can go wrong.
import { type ErrorCode, PROBLEMS, slugOf } from '../../errors';
import { richText } from '../changelog/changes';
import { type Html, html } from '../html';
import type { PlainPage } from '../plain/plain-pages';
import { PROBLEM_TEXTS } from '../plain/problem-texts';
import type { Body, ClientCalls, ErrorEntry, Group, Operation, Response, Sample } from './model';
import { codeBlock, memberTable, operationList, textParagraphs } from './parts';

export function operationPage(group: Group, one: Operation): PlainPage {
  const main = html`<p class="back"><a href="/docs">API reference</a></p>
<div class="reference">
<nav class="side" aria-label="${group.name}"><h2>${group.name}</h2>${operationList(group.operations, one)}</nav>
<article class="panel plain" aria-labelledby="page-title"><h1 id="page-title">${one.summary}</h1>
<p class="call"><code>${one.method} ${one.path}</code></p>
${textParagraphs(one.paragraphs)}<p>Authentication: ${richText(one.authentication)}.</p>
${samples(one.samples)}${one.clientCalls && inClients(one.clientCalls)}
${one.parameters.length > 0 && html`<h2>Parameters</h2>${memberTable('Parameters', one.parameters)}`}
${one.body && body(one.body)}
${one.responses.map(response)}
${errors(one.errors)}
</article></div>`;
  return { title: `${one.summary}: ${one.method} ${one.path}`, main };
}

function samples(all: readonly Sample[]): Html | null {
  if (all.length === 0) return null;
  const takesKey = all.some(({ key }) => key !== null);
  return html`<h2>Call it</h2>
${takesKey && KEY_FIELD}${all.map(sample)}`;
}

const inClients = ({ python, typescript }: ClientCalls): Html =>
  html`<p>With a client: <code>${python}</code> in <a href="/docs/guides/client-python">Python</a>, <code>${typescript}</code> in <a href="/docs/guides/client-typescript">TypeScript</a>.</p>`;

/** Shown by the script, which keeps the key in this tab and sends it nowhere. */
const KEY_FIELD = html`<div class="own-key" hidden><label for="own-key">Your key, to copy it with the code. It stays in this tab.</label>
<input id="own-key" type="password" autocomplete="off" spellcheck="false" maxlength="200"></div>
`;

const sample = ({ language, code, key, quote }: Sample, i: number): Html =>
  html`<details name="sample"${i === 0 && html` open`}><summary>${language}</summary>
${codeBlock(`sample-${i}`, `${language} sample`, key === null ? code : withKey(code, key, quote))}</details>\n`;

function withKey(code: string, key: string, quote: string): Html {
  const [before = '', after = ''] = code.split(key);
  return html`${before}<span data-key="${quote}">${key}</span>${after}`;
}

const body = ({ description, members, example }: Body): Html => html`<h2>JSON body</h2>
<p>${richText(description)}</p>
${memberTable('JSON body', members)}${example !== null && codeBlock('body-example', 'Example of a body', example)}`;

const response = ({ status, description, media, members }: Response): Html => html`<h2>Response ${status}</h2>
<p>${richText(description)}</p>
${memberTable(`Response ${status}`, members)}${media.map(
  ({ type, example }, i) =>
    html`<p class="media"><code>${type}</code></p>${example !== null && codeBlock(`response-${status}-${i}`, `Example of ${type}`, example)}`,
)}`;

const errors = (refusals: readonly ErrorEntry[]): Html => html`<h2>Errors</h2>
<div class="scroll" role="region" aria-label="Errors" tabindex="0"><table class="ruled members"><caption class="vh">Errors</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">What to do</th></tr></thead>
<tbody>${refusals.flatMap(({ status, codes }) => codes.map((code) => errorRow(status, code as ErrorCode)))}</tbody></table></div>`;

const errorRow = (status: string, code: ErrorCode): Html =>
  html`<tr><td>${status}</td><th scope="row"><a href="/errors/${slugOf(code)}"><code>${code}</code></a></th><td>${PROBLEMS[code].title}. ${PROBLEM_TEXTS[code].remedy}</td></tr>\n`;
