// The page of one guide, and the list of all.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT } from '../../root';
import { type Html, html } from '../html';
import type { PlainPage } from '../plain/plain-pages';
import { GUIDES, type Guide, guidePath, NOTEBOOK } from './guides';
import { renderMarkdown } from './markdown';

/** The address that stands for this service's own in the texts. */
const EXAMPLE = 'https://api.example.com';

export const guideSource = ({ file }: Pick<Guide, 'file'>): string => readFileSync(join(ROOT, 'docs', file), 'utf8');

export const notebookText = (baseUrl: string): string => guideSource(NOTEBOOK).replaceAll(EXAMPLE, baseUrl);

export function guidePage(guide: Guide, baseUrl: string): PlainPage {
  const text = guideSource(guide).replaceAll(EXAMPLE, baseUrl);
  const main = html`<p class="back"><a href="/docs">API reference</a></p>
<div class="reference">
<nav class="side" aria-label="Guides"><h2>Guides</h2>${guideList(guide)}</nav>
<article class="panel plain guide">${renderMarkdown(text, (href) => addressOf(href, guide))}</article></div>`;
  return { title: guide.title, main };
}

export const guideList = (current: Guide | null = null): Html =>
  html`<ul class="operations">${GUIDES.map((one) => html`<li><a href="${guidePath(one)}"${one === current && html` aria-current="page"`}><span class="summary">${one.title}</span>${current === null && html` <span class="about">${one.about}</span>`}</a></li>\n`)}</ul>`;

/** A link to the file of a guide or of the notebook leads to its address. Never guesses: one to another file throws. */
function addressOf(href: string, { file }: Guide): string {
  if (/^(?:https?:|#|\/)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const target = posix.join(posix.dirname(file), path);
  if (target === NOTEBOOK.file) return NOTEBOOK.path;
  const guide = GUIDES.find((one) => one.file === target);
  if (!guide) throw new Error(`${file} links to ${href}, which is no guide`);
  return guidePath(guide) + (anchor === undefined ? '' : `#${anchor}`);
}
