// A click on a price: to the betslip for a signed-in owner whose plan includes the links (A 2.4 rule 6), to the book's
// page of the race for everybody else. It charges nothing. Judged at the click, so never a way to a bet that cannot be
// placed, and never to an address that the request names.
import type Router from '@koa/router';
import type { Context } from 'koa';
import { seesBetslip } from '../../plans/plans';
import type { AccountPagesDeps } from '../account/deps';
import type { LiveBoard } from '../board/model';
import { html } from '../html';
import { type PlainPage, plainPage } from '../plain/plain-pages';
import { missing, type SendPlain } from '../plain/routes';
import { racePath } from '../race-parts';
import { type BetMarket, pageOfBet } from './bets';

/** The links of one runner at one book, null where there are none. */
interface BetslipOfBook {
  readonly win: string | null;
  readonly place: string | null;
  /** On a computer they lead to a page of downloads. */
  readonly appOnly: boolean;
}

interface BookPage {
  readonly raceId: string;
  readonly bookmaker: string;
  readonly sourceUrl: string;
  readonly number: number;
}

/** By the rule of the operations: null without a route or a passed check. */
export type ReadBetslip = (book: BookPage) => Promise<BetslipOfBook | null>;

export interface BetDeps {
  readonly live: Pick<LiveBoard, 'race'>;
  /** Absent: no visitor is signed in. */
  readonly accounts?: Pick<AccountPagesDeps, 'browserOf'>;
  /** Absent: there are no betslip links. */
  readonly betslip?: ReadBetslip;
}

const MARKETS: readonly string[] = ['win', 'place'] satisfies BetMarket[];

export function betRoutes(router: Router, deps: BetDeps, send: SendPlain): void {
  router.get('/go/:race_id/:number/:book/:market', async (ctx, next) => {
    const { race_id: raceId = '', number = '', book = '', market = '' } = ctx.params;
    const to = MARKETS.includes(market)
      ? await addressOfBet(ctx, deps, { raceId, number: Number(number), book, market: market as BetMarket })
      : null;
    if (to === null) await missing(send, ctx, next, () => noBet(raceId));
    else {
      ctx.status = 302;
      ctx.set('Location', to);
      ctx.body = '';
    }
    ctx.set('Cache-Control', 'no-store');
  });
}

interface Bet {
  readonly raceId: string;
  readonly number: number;
  readonly book: string;
  readonly market: BetMarket;
}

async function addressOfBet(
  ctx: Context,
  deps: BetDeps,
  { raceId, number, book, market }: Bet,
): Promise<string | null> {
  const view = await deps.live.race(raceId);
  const page = view && pageOfBet(view.sheet, number, book, market);
  if (!page || !deps.betslip || !(await ownsBetslip(ctx, deps))) return page;
  const links = await deps.betslip({ raceId, bookmaker: book, sourceUrl: page, number });
  if (links === null || (links.appOnly && !isPhone(ctx))) return page;
  return links[market] ?? page;
}

async function ownsBetslip(ctx: Context, { accounts }: BetDeps): Promise<boolean> {
  const session = await accounts?.browserOf(ctx).session();
  return session ? seesBetslip(session.plan) : false;
}

const isPhone = (ctx: Context): boolean =>
  ctx.get('Sec-CH-UA-Mobile') === '?1' || /Android|iPhone|iPad|iPod/.test(ctx.get('User-Agent'));

const noBet = (raceId: string): PlainPage =>
  plainPage(
    'This price cannot be taken',
    html`<p>The market is suspended or closed, the runner is scratched, or the bookmaker has no price on it. No bookmaker was opened. Look at <a href="${racePath(raceId)}">the race and its prices</a>.</p>`,
  );
