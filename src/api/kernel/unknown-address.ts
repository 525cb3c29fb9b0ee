// The refusal of an unknown address, with the addresses that it may be a misspelling of. Comes after every route.
import type { Middleware } from 'koa';
import { AppError } from '../../errors';
import { didYouMean } from '../../nearest';
import type { Endpoint } from './endpoint/endpoint';

export function unknownAddress(endpoints: readonly Endpoint[]): Middleware {
  const documents = ['/openapi.json', '/openapi.yaml', '/docs'];
  const paths = [...endpoints.map(({ path }) => path).filter((path) => !path.includes('{')), ...documents];
  return (ctx) => {
    throw new AppError('not_found', `There is no resource at ${ctx.path.slice(0, 200)}.${didYouMean(ctx.path, paths)}`);
  };
}
