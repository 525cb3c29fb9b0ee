// Why a bookmaker could not be read for an audit, as customers read it: the rest of "Not read: …".
import type { FeedFailure } from '../../feeds/feed';

export const UNREADABLE = 'its response could not be read';

export const UNREAD: Readonly<Record<FeedFailure, string>> = {
  timeout: 'the bookmaker did not respond in time',
  network: 'the bookmaker could not be reached',
  rate_limited: 'the bookmaker asked for fewer requests',
  blocked: 'the bookmaker refused the request',
  http_error: 'the bookmaker responded with an error',
  not_found: 'the bookmaker does not list the race any more',
  wrong_content_type: UNREADABLE,
  malformed: UNREADABLE,
  too_large: UNREADABLE,
  over_budget: 'our own limit of requests to the bookmaker was used up',
  breaker_open: 'our requests to the bookmaker were paused after failures',
  another_race: 'the runners in the response belong to another race',
  out_of_order: 'the response was older than an earlier one',
};
