// GET /v1/demo/book-sport (A 4.13; shapes 3.8): a truncated sample of live data without a key.

import { Type } from '@sinclair/typebox';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import type { RacingDemo } from './racing-demo';
import type { SportsDemo } from './sports-demo';
import { bookOfSlug, racingOfSlug, slugProblems, sportOfSlug } from './sports-demo';
import { DemoBookSport, MOST_EVENTS } from './sports-demo-schema';

const NOTE = 'A sample of live data. A free key returns every match, market and book.';

const slug = (mustBe: string, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 40, 'x-must-be': mustBe, description, examples: [example] });

export const demoBookSport = endpoint<{ baseUrl: string; racingDemo: RacingDemo; sportsDemo: SportsDemo }>()({
  method: 'get',
  path: '/v1/demo/book-sport',
  operationId: 'demo_book_sport',
  tag: 'Sandbox',
  summary: 'Sample of one book’s prices without a key',
  description:
    `One book’s head-to-head prices of at most ${MOST_EVENTS} matches of a sport, or its win prices of as many races of a code (\`horse-racing\`), the next to start. The sample is refreshed at most every 90 seconds. ` +
    'Limit: 30 requests a minute per address. Racing: see `GET /v1/demo/racing/next-to-go`.',
  auth: 'none',
  cost: flat(0),
  perMinutePerIp: 30,
  query: {
    book: slug('the name of a bookmaker, such as ladbrokes', 'Name or key of a bookmaker, such as `ladbrokes`.', 'tab'),
    sport: slug(
      'the key of a sport, such as tennis-atp, or a racing code, such as horse-racing',
      'Key of a sport, with `-` or `_`, such as `tennis-atp`; or `horse-racing`, `harness-racing` or `greyhound-racing`.',
      'nrl',
    ),
  },
  rules: (query) => slugProblems(query, true),
  ok: {
    description: 'The sample.',
    schema: DemoBookSport,
    example: {
      demo: true,
      note: NOTE,
      signup_url: 'https://api.example.com/signup',
      truncated: false,
      cached: false,
      book: 'tab',
      sport: 'nrl',
      type: 'sports',
      has_data: true,
      items: [
        {
          home_team: 'Brisbane Broncos',
          away_team: 'Melbourne Storm',
          commence_time: '2026-11-21T09:00:00.000Z',
          last_update: '2026-11-21T02:53:08.000Z',
          prices: [
            { name: 'Broncos', price: 1.87 },
            { name: 'Storm', price: 2.12 },
          ],
        },
      ],
    },
  },
  async handler({ query, nowMs, services: { sportsDemo, racingDemo, baseUrl } }) {
    const book = bookOfSlug(query.book)!;
    const racing = racingOfSlug(query.sport);
    const about = { demo: true as const, note: NOTE, signup_url: `${baseUrl}/signup` };
    if (racing) {
      const sample = await racingDemo.bookRacing(book, racing, nowMs);
      return { body: { ...about, book, sport: racing, type: 'racing' as const, ...sample } };
    }
    const sport = sportOfSlug(query.sport)!;
    const sample = await sportsDemo.bookSport(book, sport, nowMs);
    return { body: { ...about, book, sport, type: 'sports' as const, ...sample } };
  },
});
