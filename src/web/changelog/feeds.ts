// The changelog as JSON Feed 1.1 (jsonfeed.org) and as RSS 2.0 (rssboard.org), every change of it: both have the same
// entries under the same ids.
import { instant } from '../format';
import { html } from '../html';
import type { Feed } from '../site/pages';
import { CHANGES, type Change, changedMs, plainText, richText } from './changes';

const TITLE = 'Racing Odds Service: changelog';
const ABOUT = 'Every change that customers can see, with its date.';
const LANGUAGE = 'en-AU';

const pageOf = (baseUrl: string): string => `${baseUrl}/changelog`;
const addressOf = (baseUrl: string, { id }: Change): string => `${pageOf(baseUrl)}#${id}`;

const JSON_PATH = '/changelog.json';
const RSS_PATH = '/changelog.xml';

function jsonFeed(baseUrl: string): string {
  const items = CHANGES.map((change) => ({
    id: addressOf(baseUrl, change),
    url: addressOf(baseUrl, change),
    title: plainText(change.title),
    content_html: richText(change.text).text,
    date_published: instant(changedMs(change)),
    tags: [change.area],
  }));
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: TITLE,
    home_page_url: pageOf(baseUrl),
    feed_url: baseUrl + JSON_PATH,
    description: ABOUT,
    language: LANGUAGE,
    items,
  });
}

const rssDate = (change: Change): string => new Date(changedMs(change)).toUTCString();

function rss(baseUrl: string): string {
  const items = CHANGES.map((change) => {
    const address = addressOf(baseUrl, change);
    return html`<item>
<title>${plainText(change.title)}</title>
<link>${address}</link>
<guid isPermaLink="true">${address}</guid>
<pubDate>${rssDate(change)}</pubDate>
<category>${change.area}</category>
<description>${richText(change.text).text}</description>
</item>
`;
  });
  return html`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${TITLE}</title>
<link>${pageOf(baseUrl)}</link>
<description>${ABOUT}</description>
<language>${LANGUAGE.toLowerCase()}</language>
<lastBuildDate>${rssDate(CHANGES[0]!)}</lastBuildDate>
<atom:link href="${baseUrl}${RSS_PATH}" rel="self" type="application/rss+xml"/>
${items}</channel>
</rss>
`.text;
}

export const FEEDS: readonly Feed[] = [
  {
    path: JSON_PATH,
    title: 'Changelog as JSON feed',
    about: 'Every dated change, for programs and feed readers.',
    type: 'application/feed+json',
    text: jsonFeed,
  },
  {
    path: RSS_PATH,
    title: 'Changelog as RSS',
    about: 'The same, for feed readers.',
    type: 'application/rss+xml',
    text: rss,
  },
];
