// Reads the parameters of a call from its path and query string.
import type { Endpoint } from '../endpoint';
import { queryReader, type ReadQuery } from './query';

export interface ReadRequest extends ReadQuery {
  readonly params: Readonly<Record<string, unknown>>;
  /** Equal for equal requests, however they are spelled: aliases replaced, defaults filled in, in the declared order. */
  readonly key: string;
}

type Params = Readonly<Record<string, string>>;

const NO_PARAMS = { query: {}, problems: [] };

export function requestReader(endpoint: Endpoint): (search: string, params: Params) => ReadRequest {
  const readQuery = queryReader(endpoint.query ?? {}, endpoint.exclusive);
  const readParams = endpoint.params && queryReader(endpoint.params);
  const names = Object.keys(endpoint.query ?? {});
  return (search, sent) => {
    const { query, given, problems } = readQuery(search);
    const params = readParams ? readParams(String(new URLSearchParams(sent))) : NO_PARAMS;
    return {
      query,
      given,
      problems: [...problems, ...params.problems],
      params: params.query,
      key: JSON.stringify([params.query, names.map((name) => query[name])]),
    };
  };
}
