// Reads the parameters of a call from its path and query string.
import { AppError } from '../../errors';
import type { Endpoint } from './endpoint/endpoint';
import { acceptedFormat } from './input/accepted-format';
import { queryReader, type ReadQuery } from './input/query';

export interface ReadRequest extends ReadQuery {
  readonly params: Readonly<Record<string, unknown>>;
  /** Equal for equal requests, in any spelling: aliases replaced, defaults filled in, in the declared order. */
  readonly key: string;
  /** Whether the header `Accept` was read: the response varies by it. */
  readonly isNegotiated: boolean;
  /** The refusal of an `Accept` that names only types that are not served. */
  readonly refusal: AppError | null;
}

type Params = Readonly<Record<string, string>>;

const NO_PARAMS = { query: {}, problems: [] };

export function requestReader(endpoint: Endpoint): (search: string, params: Params, accept?: string) => ReadRequest {
  const readQuery = queryReader(endpoint.query, endpoint.exclusive);
  const readParams = endpoint.params && queryReader(endpoint.params);
  const names = Object.keys(endpoint.query ?? {});
  const { rowFormats } = endpoint;
  return (search, sent, accept) => {
    const { query, given, problems } = readQuery(search);
    const isNegotiated = rowFormats !== undefined && !given.has('format');
    const format = isNegotiated ? acceptedFormat(accept, rowFormats) : null;
    if (typeof format === 'string') query.format = format;
    const params = readParams ? readParams(String(new URLSearchParams(sent))) : NO_PARAMS;
    return {
      query,
      given,
      problems: [...problems, ...params.problems],
      params: params.query,
      key: JSON.stringify([params.query, names.map((name) => query[name])]),
      isNegotiated,
      refusal: format instanceof AppError ? format : null,
    };
  };
}
