// The faults in the responses of one connection, as sentences; empty if there are none. Knows nothing about processes
// and memory.
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { pathOf } from './documented.mjs';

const UNPACK = { identity: (bytes) => bytes, br: brotliDecompressSync, gzip: gunzipSync, deflate: inflateSync };
const PROBLEM = 'application/problem+json';
/** The largest refusal: a client that sends little must not receive much. */
const REFUSAL_MOST_BYTES = 65_536;
const MEMBERS = ['type', 'title', 'status', 'detail', 'code', 'request_id'];

/** `expects`: `answer` (any correct one), `refusal` (a status from 400), or `anything`, even nothing. */
export function faultsOfExchange({ requests, expects = 'answer' }, { answers, end, unreadable }, documented) {
  const faults = answers.slice(0, requests.length).flatMap((one, i) => faultsOfAnswer(one, requests[i], documented));
  if (unreadable && expects !== 'anything') faults.push(`sends ${unreadable}`);
  if (surplus(answers, requests) > 0) faults.push(`answers ${requests.length} requests ${answers.length} times`);
  if (answers.length === 0 && !unreadable && expects !== 'anything') faults.push(silence(end));
  const [first] = answers;
  if (expects === 'refusal' && first && first.status < 400) faults.push(`is accepted (${first.status})`);
  return [...new Set(faults)];
}

// The rest of a refused body may be refused once more, and the connection ends.
function surplus(answers, requests) {
  const last = answers.at(-1);
  const isEnd = last !== undefined && last.status === 400 && last.headers.get('connection') === 'close';
  return answers.length - requests.length - (isEnd ? 1 : 0);
}

const SILENCE = { silent: 'is not answered', refused: 'is not let in' };
const silence = (end) => SILENCE[end] ?? 'is closed without an answer';

export function faultsOfAnswer({ status, headers, body }, { method, target, accept = '' }, documented) {
  const type = (headers.get('content-type') ?? '').split(';')[0].trim().toLowerCase();
  const path = pathOf(target);
  if (status < 400) return faultsOfSuccess(documented.mediaTypes(method, path, status), { method, status, type, body });
  if (status >= 500 && status !== 503) return [`is answered ${status}`];
  if (type === 'text/html' && (documented.isPage(path) || accept.includes('text/html'))) return [];
  if (type !== PROBLEM) return [`is answered ${status} as ${type || 'nothing'}, not ${PROBLEM}`];
  return method === 'HEAD' ? [] : faultsOfProblem({ status, headers, body });
}

function faultsOfSuccess(types, { method, status, type, body }) {
  if (types === null) return [`is answered ${status}, which is not documented for it`];
  if (body.length === 0 && (method === 'HEAD' || types.length === 0)) return [];
  return types.includes(type) ? [] : [`is answered ${status} as ${type || 'nothing'}, not ${types.join(' or ')}`];
}

function faultsOfProblem({ status, headers, body }) {
  const problem = jsonIn(body, UNPACK[headers.get('content-encoding') ?? 'identity']);
  const missing = MEMBERS.filter((name) => problem?.[name] === undefined);
  if (missing.length > 0) return [`is answered ${status} without ${missing.join(', ')} in the problem`];
  if (body.length > REFUSAL_MOST_BYTES) return [`is refused in more than ${REFUSAL_MOST_BYTES / 1024} kB`];
  const own = problem.status === status && problem.request_id === headers.get('x-request-id');
  return own ? [] : [`is answered ${status} with another status or request id in the problem`];
}

function jsonIn(body, unpack) {
  try {
    return JSON.parse(unpack(body).toString('utf8'));
  } catch {
    return null;
  }
}
