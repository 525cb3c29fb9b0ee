// `/at/<epoch ms>/…` replies as the rest of the address did at that instant of race time, to give a new installation a
// past. Never the future: a book cannot show what has not happened.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Middleware } from 'koa';

export interface Past {
  /** The instant of the current request, or now. */
  readonly now: () => number;
  readonly route: Middleware;
}

const ADDRESS = /^\/at\/(\d{12,14})(\/.*)$/;

export function pastOf(presentMs: () => number): Past {
  const instants = new AsyncLocalStorage<number>();
  return {
    now: () => instants.getStore() ?? presentMs(),
    route: (ctx, next) => {
      const [, ms, rest] = ADDRESS.exec(ctx.path) ?? [];
      if (rest === undefined) return next();
      if (Number(ms) > presentMs()) ctx.throw(404, 'that instant is not over');
      ctx.path = rest;
      return instants.run(Number(ms), next);
    },
  };
}
