// Strict readers of feeds: JSON Feed 1.1 by a schema after jsonfeed.org/version/1.1, RSS 2.0 by an XML parser and the
// rules of rssboard.org.
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { XMLParser, XMLValidator } from 'fast-xml-parser';

interface FeedEntry {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  /** HTML. */
  readonly content: string;
  readonly date: string;
  readonly area: string;
}

const TEXT = { type: 'string', minLength: 1 };
const URL_TEXT = { type: 'string', format: 'uri' };

/** The members of the specification that we send; others are refused. */
const JSON_FEED = {
  type: 'object',
  additionalProperties: false,
  required: ['version', 'title', 'home_page_url', 'feed_url', 'items'],
  properties: {
    version: { const: 'https://jsonfeed.org/version/1.1' },
    title: TEXT,
    home_page_url: URL_TEXT,
    feed_url: URL_TEXT,
    description: TEXT,
    language: { type: 'string', pattern: '^[a-z]{2}-[A-Z]{2}$' },
    items: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'url', 'title', 'content_html', 'date_published', 'tags'],
        properties: {
          id: TEXT,
          url: URL_TEXT,
          title: TEXT,
          content_html: TEXT,
          date_published: { type: 'string', format: 'date-time' },
          tags: { type: 'array', items: TEXT, minItems: 1, maxItems: 1 },
        },
      },
    },
  },
};

const isJsonFeed = addFormats(new Ajv({ allErrors: true })).compile(JSON_FEED);

interface ReadFeed {
  readonly self: string;
  readonly home: string;
  readonly entries: readonly FeedEntry[];
}

export function readJsonFeed(text: string): ReadFeed {
  const feed = JSON.parse(text);
  if (!isJsonFeed(feed)) throw new Error(JSON.stringify(isJsonFeed.errors?.slice(0, 5)));
  // biome-ignore lint/suspicious/noExplicitAny: of the schema above.
  const { items, feed_url: self, home_page_url: home } = feed as any;
  return {
    self,
    home,
    entries: items.map((one: Record<string, string>) => ({
      id: one.id,
      url: one.url,
      title: one.title,
      content: one.content_html,
      date: one.date_published,
      area: one.tags![0],
    })),
  };
}

/** XML has five names; the parser would also accept those of HTML. */
const FOREIGN_ENTITY = /&(?!(?:amp|lt|gt|quot|apos|#\d+);)/;
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  ignoreDeclaration: true,
  processEntities: true,
  parseTagValue: false,
  htmlEntities: true,
  isArray: (name: string) => name === 'item',
});

export function readRss(xml: string): ReadFeed {
  const isWellFormed = XMLValidator.validate(xml);
  if (isWellFormed !== true) throw new Error(JSON.stringify(isWellFormed));
  expect(xml).not.toMatch(FOREIGN_ENTITY);
  const { rss, ...others } = parser.parse(xml);
  expect([Object.keys(others), rss.version]).toEqual([[], '2.0']);
  const { channel } = rss;
  for (const name of ['title', 'link', 'description', 'language']) expect(channel[name]).toMatch(/\S/);
  const isDate = (text: string) => DATE.test(text) && new Date(text).toUTCString() === text;
  expect(isDate(channel.lastBuildDate)).toBe(true);
  expect(channel['atom:link']).toMatchObject({ rel: 'self', type: 'application/rss+xml' });
  return {
    self: channel['atom:link'].href,
    home: channel.link,
    // biome-ignore lint/suspicious/noExplicitAny: parsed XML.
    entries: channel.item.map(({ guid, link, title, description, pubDate, category }: any) => {
      if (!isDate(pubDate) || guid.isPermaLink !== 'true') throw new Error(`${pubDate} ${JSON.stringify(guid)}`);
      const date = new Date(pubDate).toISOString();
      return { id: guid['#text'], url: link, title, content: description, date, area: category };
    }),
  };
}
