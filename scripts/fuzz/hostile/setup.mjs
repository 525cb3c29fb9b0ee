// What the kinds draw from: the operations of the document, each with an address and a key, and the identifiers of the
// world.
import { documentedIn } from './documented.mjs';
import { randomFrom } from './random.mjs';

export async function setUp({ url, keys, unknownKeys = [], about = {}, connections, pages = [], inPaths = {} }, seed) {
  const document = await (await fetch(`${url}/openapi.json`)).json();
  const documented = documentedIn(document, pages);
  const operations = documented.operations.map((one) => {
    const forOperators = one.path.startsWith('/v1/ingest/');
    const key = forOperators ? keys.internal : one.method === 'GET' ? keys.plus : keys.free;
    return { ...one, forOperators, target: targetOf(one.path), key };
  });
  const writing = operations.filter(({ example }) => example !== null);
  return {
    documented,
    keys,
    unknownKeys,
    about,
    /** Paths of pages, in the router's syntax. */
    pages,
    /** Values of parameters in them. */
    inPaths,
    /** The limits of the API: `total`, and `perAddress`. */
    connections,
    /** Operations whose responses end. */
    reading: operations.filter(({ method, responses }) => method === 'GET' && !responses[200]?.includes(EVENTS)),
    /** Operations that any customer with a key can call come first. */
    writing: [...writing.filter((one) => !one.forOperators), ...writing.filter((one) => one.forOperators)],
    // A kind makes the same requests whether it runs alone or after others.
    random: () => randomFrom(seed),
  };
}

const EVENTS = 'text/event-stream';

const PATH_VALUES = { bookmaker_key: 'boostbet' };
const targetOf = (path) => path.replace(/\{(\w+)\}/g, (_, name) => PATH_VALUES[name] ?? 'x');
