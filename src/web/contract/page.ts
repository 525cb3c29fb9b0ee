// The contract as a page, by subject: only public clauses, each with an address, and nothing about where they are
// implemented or tested.
import { richText } from '../changelog/changes';
import { type Html, html } from '../html';
import type { PlainPage } from '../plain/plain-pages';
import { anchorOf, type Clause, citedIn, readSubjects, type Subject } from './clauses';

export const publicSubjects = (subjects: readonly Subject[]): readonly Subject[] =>
  subjects
    .map((one) => ({ ...one, clauses: one.clauses.filter(({ isPublic }) => isPublic) }))
    .filter(({ clauses }) => clauses.length > 0);

const SUBJECTS = publicSubjects(readSubjects());

export const contractPage = (): PlainPage => ({ title: 'Contract', main: MAIN });

const text = (rich: string): Html => linked(rich, citedIn(rich));

/** Code as code, and each cited clause as a link to it. */
function linked(rich: string, [cited, ...others]: readonly string[]): Html {
  if (cited === undefined) return richText(rich);
  const at = rich.indexOf(cited);
  const rest = linked(rich.slice(at + cited.length), others);
  return html`${richText(rich.slice(0, at))}<a href="#${anchorOf(cited)}">${cited}</a>${rest}`;
}

function block(one: Clause['blocks'][number]): Html {
  if (one.kind === 'text') return html`<p>${text(one.text)}</p>`;
  if (one.kind === 'list') return html`<ul>${one.items.map((item) => html`<li>${text(item)}</li>\n`)}</ul>`;
  return html`<table class="ruled"><thead><tr>${one.head.map((cell) => html`<th scope="col">${text(cell)}</th>`)}</tr></thead>
<tbody>${one.rows.map(row)}</tbody></table>`;
}

const row = ([first = '', ...rest]: readonly string[]): Html =>
  html`<tr><th scope="row">${text(first)}</th>${rest.map((cell) => html`<td>${text(cell)}</td>`)}</tr>\n`;

const clauseSection = ({ id, title, blocks }: Clause): Html =>
  html`<h3 id="${anchorOf(id)}"><a href="#${anchorOf(id)}">${id}</a> ${text(title)}</h3>
${blocks.map(block)}`;

const subjectSection = ({ name, title, clauses }: Subject): Html =>
  html`<h2 id="${name}">${title}</h2>
${clauses.map(clauseSection)}`;

const MAIN = html`<p class="back"><a href="/live">Live board</a></p>
<section class="panel plain clauses" aria-labelledby="page-title"><h1 id="page-title">Contract</h1>
<p>What the service promises, a clause at a time. A is the API with its costs and limits, B is archive, form, backfill and webhooks, and D decides what both leave open. The <a href="/docs">API reference</a> has every field of every operation.</p>
<ul>${SUBJECTS.map(({ name, title }) => html`<li><a href="#${name}">${title}</a></li>\n`)}</ul>
${SUBJECTS.map(subjectSection)}
</section>`;
