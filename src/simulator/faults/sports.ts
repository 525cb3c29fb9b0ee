// Replies of the feed of sports that are complete but wrong: a match is missing, or the sides of each match are
// swapped.
import type { Middleware } from 'koa';
import type { OddsEventHead } from '../../feeds/the-odds-api/payload';
import { ODDS_API } from '../sports/season/the-odds-api';
import { NOTHING_LISTED } from './scenarios';
import type { Switches } from './switches';

type Spoil = (events: readonly OddsEventHead[]) => readonly OddsEventHead[];

/** Changes to the lists of matches; each price stays with the side that it names. */
const SPOILT: ReadonlyMap<string, Spoil> = new Map<string, Spoil>([
  [NOTHING_LISTED, () => []],
  [
    'sides_exchanged',
    (events) => events.map((one) => ({ ...one, home_team: one.away_team, away_team: one.home_team })),
  ],
]);

const OF_MATCHES = new RegExp(`^/${ODDS_API}/v4/sports/[\\w-]+/(events|odds)$`);

export function faultySports(switches: Switches, now: () => number): Middleware {
  return async (ctx, next) => {
    await next();
    if (!OF_MATCHES.test(ctx.path) || ctx.status !== 200 || typeof ctx.body !== 'string') return;
    const spoil = switches
      .of(ODDS_API, now())
      .map(({ scenario }) => SPOILT.get(scenario))
      .findLast((one) => one !== undefined);
    if (!spoil) return;
    const { type } = ctx;
    ctx.body = JSON.stringify(spoil(JSON.parse(ctx.body)));
    ctx.type = type;
  };
}
