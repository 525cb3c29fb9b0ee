// Routes a request to the book that its path's prefix names.
import { text } from 'node:stream/consumers';
import type { Middleware } from 'koa';
import { REGISTRY } from '../../domain/registry/registry';
import { worldListedBy } from '../books/abroad';
import { betfairBook } from '../books/betfair/betfair';
import { betdeluxeBook } from '../books/blackstream';
import { betrBook, betrightBook } from '../books/bluebet';
import { dabbleBook } from '../books/dabble';
import { entainBook } from '../books/entain/entain';
import { palmerbetBook } from '../books/palmerbet';
import { playUpBook } from '../books/playup';
import { pointsbetBook } from '../books/pointsbet';
import {
  BETDELUXE,
  BETFAIR,
  BETR,
  BETRIGHT,
  DABBLE,
  LADBROKES,
  NEDS,
  PALMERBET,
  PLAYUP,
  POINTSBET,
  SPORTSBET,
  TAB,
  TABTOUCH,
  UNIBET,
} from '../books/profiles';
import type { SlowBook } from '../books/reply';
import { sportsbetBook } from '../books/sportsbet';
import { tabBook } from '../books/tab/tab';
import { tabTouchBook } from '../books/tabtouch/tabtouch';
import { unibetBook } from '../books/unibet';
import { racingAustralia } from '../registry/racing-australia';
import { ODDS_API, theOddsApi } from '../sports/season/the-odds-api';
import { TOPAZ, topazApi } from '../topaz/topaz';
import type { World } from '../world/world';

/** Every book has one line. */
function everyBook(world: World): ReadonlyMap<string, SlowBook> {
  return new Map([
    [LADBROKES.key, entainBook(world, LADBROKES)],
    [NEDS.key, entainBook(world, NEDS)],
    [DABBLE.key, dabbleBook(world)],
    [PALMERBET.key, palmerbetBook(world)],
    [PLAYUP.key, playUpBook(world)],
    [POINTSBET.key, pointsbetBook(world)],
    [SPORTSBET.key, sportsbetBook(world)],
    [TAB.key, tabBook(world)],
    [TABTOUCH.key, tabTouchBook(world)],
    [UNIBET.key, unibetBook(world)],
    [BETDELUXE.key, betdeluxeBook(world)],
    [BETFAIR.key, betfairBook(world)],
    [BETR.key, betrBook(world)],
    [BETRIGHT.key, betrightBook(world)],
    [REGISTRY, racingAustralia(world)],
    [TOPAZ, topazApi(world)],
    [ODDS_API, theOddsApi(world.seed)],
  ]);
}

export interface Books {
  readonly keys: readonly string[];
  readonly answer: Middleware;
}

/** `worldOf`: the world as one book shows it. A fault may set another instant for the reply (`ctx.state.asOfMs`). */
export function books(worldOf: (book: string) => World, now: () => number): Books {
  const byPrefix = new Map<string, SlowBook>();
  const keys = [...everyBook(worldOf('')).keys()];
  for (const key of keys) byPrefix.set(key, everyBook(worldListedBy(worldOf(key), key)).get(key)!);
  return { keys, answer: answering(byPrefix, now) };
}

function answering(byPrefix: ReadonlyMap<string, SlowBook>, now: () => number): Middleware {
  return async (ctx) => {
    const prefix = ctx.path.split('/', 2)[1] ?? '';
    const book = byPrefix.get(prefix);
    const method = ctx.method;
    if (!book || (method !== 'GET' && method !== 'POST')) return;
    const below = prefix.length + 1;
    const reply = await book({
      method,
      body: method === 'POST' ? await text(ctx.req) : '',
      path: ctx.path.slice(below),
      url: ctx.url.slice(below),
      query: new URLSearchParams(ctx.querystring),
      baseUrl: `${ctx.protocol}://${ctx.host}/${prefix}`,
      header: (name) => ctx.get(name),
      nowMs: ctx.state.asOfMs ?? now(),
    });
    ctx.status = reply.status;
    ctx.set({ ...reply.headers });
    ctx.type = reply.type ?? 'application/json';
    ctx.body = reply.body;
    ctx.state.tagged = reply.tagged;
  };
}
