// What a call asks, read from its address. The same address is the same question: the texts that come again and again are read once.
import type { Endpoint } from '../endpoint';
import { queryReader, type ReadQuery } from './query';

/** Frozen: calls share it. */
export interface Question extends ReadQuery {
  readonly params: Readonly<Record<string, unknown>>;
  /** The same for every way of asking the same: aliases folded, defaults filled in, in the declared order. */
  readonly key: string;
}

const MOST_REMEMBERED = 500;
const LONGEST_REMEMBERED = 500;

type Params = Readonly<Record<string, string>>;

export function questionReader(endpoint: Endpoint): (search: string, params: Params) => Question {
  const read = addressReader(endpoint);
  const remembered = new Map<string, Question>();
  return (search, params) => {
    const address = endpoint.params ? `${JSON.stringify(params)} ${search}` : search;
    const known = remembered.get(address);
    if (known) return known;
    const question = read(search, params);
    // One with problems is refused and not worth a place.
    if (question.problems.length === 0 && address.length <= LONGEST_REMEMBERED) {
      if (remembered.size >= MOST_REMEMBERED) remembered.delete(remembered.keys().next().value!);
      remembered.set(address, question);
    }
    return question;
  };
}

const NO_PARAMS = { query: {}, problems: [] };

function addressReader(endpoint: Endpoint): (search: string, params: Params) => Question {
  const readQuery = queryReader(endpoint.query ?? {}, endpoint.exclusive);
  const readParams = endpoint.params && queryReader(endpoint.params);
  const names = Object.keys(endpoint.query ?? {});
  return (search, sent) => {
    const { query, given, problems } = readQuery(search);
    const params = readParams ? readParams(String(new URLSearchParams(sent))) : NO_PARAMS;
    return {
      query: frozen(query),
      given,
      problems: [...problems, ...params.problems],
      params: frozen(params.query),
      key: JSON.stringify([params.query, names.map((name) => query[name])]),
    };
  };
}

function frozen(values: Record<string, unknown>): Readonly<Record<string, unknown>> {
  for (const value of Object.values(values)) Object.freeze(value);
  return Object.freeze(values);
}
