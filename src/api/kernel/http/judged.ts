// A process also starts while its database does not answer. Until it has answered and is judged, every request gets a
// 503: sessions in another zone or by another clock would give another figure.
import type { Middleware } from 'koa';
import { databaseAway } from '../../../errors';

export const onlyJudged =
  (isJudged: () => boolean): Middleware =>
  (_, next) => {
    if (!isJudged()) throw databaseAway();
    return next();
  };
