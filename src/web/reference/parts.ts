// Parts that the pages of the reference share: tables of members, examples, lists of operations.
import { richText } from '../changelog/changes';
import { type Html, html } from '../html';
import type { Member, Operation } from './model';

export const operationPath = ({ slug }: Pick<Operation, 'slug'>): string => `/docs/${slug}`;

/** Long names break at their points, and a row of an inner member is indented. */
export function memberTable(title: string, members: readonly Member[]): Html | null {
  if (members.length === 0) return null;
  return html`<div class="scroll" role="region" aria-label="${title}" tabindex="0"><table class="ruled members">
<caption class="vh">${title}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${members.map(row)}</tbody></table></div>`;
}

/** Deeper levels look like the last. */
const DEEPEST = 5;

const row = ({ name, depth, isRequired, type, description, example }: Member): Html =>
  html`<tr><th scope="row" class="d${Math.min(depth, DEEPEST)}"><code>${name}</code>${isRequired && html` <span class="need">required</span>`}</th>
<td>${richText(type)}</td><td>${richText(description)}${example !== null && html` <span class="eg">Example: <code>${example}</code></span>`}</td></tr>\n`;

/** `id` is unique in its page. */
export const codeBlock = (id: string, label: string, code: Html | string): Html =>
  html`<div class="snippet"><pre tabindex="0" role="region" aria-label="${label}"><code id="${id}">${code}</code></pre>
<button type="button" class="button copy" data-copy="${id}" hidden>Copy<span class="vh"> ${label}</span></button></div>`;

export const operationList = (operations: readonly Operation[], current: Operation | null = null): Html =>
  html`<ul class="operations">${operations.map((one) => operationItem(one, one === current))}</ul>`;

const operationItem = (one: Operation, isCurrent: boolean): Html =>
  html`<li><a href="${operationPath(one)}"${isCurrent && html` aria-current="page"`}><span class="summary">${one.summary}</span> <code>${one.method} ${one.path}</code></a></li>\n`;

export const textParagraphs = (texts: readonly string[]): Html =>
  html`${texts.map((text) => html`<p>${richText(text)}</p>\n`)}`;
