// What the kinds draw from: the operations of the document with an address and a key for each, and what the world has
// to ask about.
import { documentedIn } from './documented.mjs';
import { randomFrom } from './random.mjs';

export async function setUp({ url, keys, unknownKeys = [], about = {}, connections }, seed) {
  const document = await (await fetch(`${url}/openapi.json`)).json();
  const documented = documentedIn(document);
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
    /** Those that the API accepts: `total`, and `perAddress`. */
    connections,
    /** Those that end. */
    reading: operations.filter(({ method, responses }) => method === 'GET' && !responses[200]?.includes(EVENTS)),
    /** What a stranger with a key can send comes first. */
    writing: [...writing.filter((one) => !one.forOperators), ...writing.filter((one) => one.forOperators)],
    // A kind makes the same requests whether it runs alone or after others.
    random: () => randomFrom(seed),
  };
}

const EVENTS = 'text/event-stream';

const PATH_VALUES = { bookmaker_key: 'boostbet' };
const targetOf = (path) => path.replace(/\{(\w+)\}/g, (_, name) => PATH_VALUES[name] ?? 'x');
