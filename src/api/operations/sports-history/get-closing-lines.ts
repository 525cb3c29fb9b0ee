// GET /v1/sports/{sport_key}/closing-lines (A 2.13, A 4.13).

import { Type } from '@sinclair/typebox';
import type { Reads } from '../../../store/reads/reads';
import { CLOSING_MATCHES } from '../../../store/reads/sports/closing';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { bookmakers, offset } from '../../wire/parameters';
import { comparedBooks } from '../../wire/select-race';
import { nextPage, spanOf, spanRules } from '../sports/span';
import { sportInPath } from '../sports/sport-key-schema';
import { requireSport } from '../sports/sports-board';
import { exampleClosing } from './history-examples';
import { SportClosing, span } from './history-schema';
import { presentClosing } from './present-history';

export const getClosingLines = endpoint<{ baseUrl: string; reads: Reads }>()({
  method: 'get',
  path: '/v1/sports/{sport_key}/closing-lines',
  operationId: 'get_closing_lines',
  tag: 'Sports',
  summary: 'Closing prices and lines of a sport',
  description:
    'Of each match that has started: every book’s last head-to-head price, handicap line and total before the start, and their consensus. ' +
    `${CLOSING_MATCHES} matches a page; a page with fewer is the last, and the header \`Link\` of the others has the next one. An unknown sport is a free 404.`,
  auth: 'key',
  cost: flat(5),
  params: sportInPath,
  query: { ...span('start'), bookmakers, offset: { ...offset, description: 'Number of matches to skip.' } },
  rules: spanRules,
  paged: true,
  errors: ['not_found'],
  ok: {
    description: 'The matches, by start, the latest first, then id.',
    schema: Type.Array(SportClosing),
    example: [exampleClosing],
  },
  async handler({ params, query, audience, nowMs, services: { reads, baseUrl } }) {
    const { key: sportKey } = requireSport(params.sport_key);
    const wanted = spanOf(query, nowMs);
    // A match that has not started has not closed.
    const span = { ...wanted, until: wanted.until < isoAfter(nowMs) ? wanted.until : isoAfter(nowMs) };
    const found = await reads.closedMatches({
      sportKey,
      bookmakers: comparedBooks(query.bookmakers, audience),
      ...span,
      offset: query.offset,
    });
    const isLast = found.length < CLOSING_MATCHES;
    return {
      next: isLast ? null : nextPage(`${baseUrl}/v1/sports/${sportKey}/closing-lines`, query, span, found.length),
      body: found.map(presentClosing),
    };
  },
});

const isoAfter = (ms: number): string => new Date(ms + 1).toISOString();
