// The changelog as a page: by day, newest first, and in a day by area. Each change has an address, which the feeds link
// to.
import { dateText } from '../format';
import { type Html, html } from '../html';
import type { PlainPage } from '../plain/plain-pages';
import { CHANGES, type Change, changedMs, richText } from './changes';
import { FEEDS } from './feeds';

export const changelogPage = (): PlainPage => ({
  title: 'Changelog',
  alternates: FEEDS,
  main: html`<p class="back"><a href="/live">Live board</a></p>
<section class="panel plain changes" aria-labelledby="page-title"><h1 id="page-title">Changelog</h1>
<p>Every change that customers can see, by the UTC day on which it was made. Changes are additive. Follow it as <a href="/changelog.json">JSON feed</a> or <a href="/changelog.xml">RSS</a>.</p>
${grouped(CHANGES, ({ day }) => day).map(daySection)}
</section>`,
});

function daySection(changes: readonly Change[]): Html {
  const { day } = changes[0]!;
  return html`<h2><time datetime="${day}">${dateText(changedMs(changes[0]!))} ${day.slice(0, 4)}</time></h2>
${grouped(changes, ({ area }) => area).map(areaSection)}`;
}

const areaSection = (changes: readonly Change[]): Html =>
  html`<h3>${changes[0]!.area}</h3>
<ul>${changes.map(({ id, title, text }) => html`<li id="${id}"><a href="#${id}">${richText(title)}</a> ${richText(text)}</li>\n`)}</ul>`;

const grouped = (changes: readonly Change[], by: (change: Change) => string): readonly (readonly Change[])[] => [
  ...Map.groupBy(changes, by).values(),
];
