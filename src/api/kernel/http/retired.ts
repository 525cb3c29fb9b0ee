// Retired addresses answer 410 to every method, without a key and at no charge (A 4.13).
import type { Middleware } from 'koa';
import { AppError } from '../../../errors';

const RETIRED: readonly (readonly [path: RegExp, detail: string])[] = [
  [/^\/v1\/value(?:\/|$)/, 'The value board was retired. /v1/racing/best-odds has the best price of each runner.'],
  [
    /^\/v1\/arb\/racing$/,
    'Racing arbitrage was retired. /v1/racing/best-odds has the market percentage at the best prices.',
  ],
  [
    /^\/v1\/racing\/exchange$/,
    'An exchange’s prices are withheld from customers. /v1/racing/best-odds has the best price of the bookmakers.',
  ],
  [/^\/sitemap-(?:blog|results)\.xml$/, 'This sitemap was retired. /sitemap.xml lists the current ones.'],
];

export const retired: Middleware = (ctx, next) => {
  const found = RETIRED.find(([path]) => path.test(ctx.path));
  if (found) throw new AppError('gone', found[1]);
  return next();
};
