// The methods that a path allows, over all routers of the application.
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { AppError } from '../../../errors';

/**
 * Sorted; empty if the path does not exist. A literal path is its own resource: `/webhooks/events` does not match
 * `/webhooks/{webhook_id}`.
 */
export function methodsAt(routers: readonly Router[], path: string): readonly string[] {
  const layers = routers.flatMap((router) => router.match(path, 'OPTIONS').path);
  const writtenOut = layers.filter((layer) => layer.paramNames.length === 0);
  return [...new Set((writtenOut.length > 0 ? writtenOut : layers).flatMap((layer) => layer.methods))].sort();
}

/** 405 with `Allow` if the path exists but not with this method (D5). */
export function methodNotAllowed(routers: readonly Router[]): Middleware {
  return (ctx, next) => {
    const methods = methodsAt(routers, ctx.path);
    if (methods.length === 0 || methods.includes(ctx.method)) return next();
    const Allow = methods.join(', ');
    const detail = `${ctx.method} is not allowed here; allowed methods: ${Allow}.`;
    throw new AppError('method_not_allowed', detail, {}, { Allow });
  };
}
