// The pages that betslip links open in the local stack: `/<book>/betslip/<race>/<runner>[/<market>]`.
// The books' own patterns are not public, so these pages prove only that a link opens; the configuration points the
// routes here.
import type { Middleware } from 'koa';
import { page } from '../books/reply';

const PAGE = /^\/(unibet|tab|ladbrokes_au|neds)\/betslip\/[^/]+\/[^/]+(\/(win|place|fw|fp))?$/;

export const betslipPages: Middleware = (ctx, next) => {
  if (!PAGE.test(ctx.path)) return next();
  const { status, body, type } = page(200, '<!doctype html><title>Betslip</title><p>One selection.</p>');
  ctx.status = status;
  ctx.type = type!;
  ctx.body = body;
};
