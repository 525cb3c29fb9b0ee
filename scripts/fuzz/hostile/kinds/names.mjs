// Names of members that every JavaScript object has, wherever a caller may write a name or a value.
import { asked, bytesOf, keyHeader, posting, single } from '../requests.mjs';

const NAMES = Object.getOwnPropertyNames(Object.prototype);

const HEADERS = [
  'Content-Encoding',
  'Content-Type',
  'Content-Length',
  'Transfer-Encoding',
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'X-API-Key',
  'X-Request-Id',
  'If-None-Match',
  'If-Modified-Since',
  'Expect',
  'Origin',
  'Range',
  'Connection',
  'Cookie',
  'Access-Control-Request-Method',
  'Access-Control-Request-Headers',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'Forwarded',
];
const PATHS = ['/', '/v1/', '/v1/racing/', '/v1/ingest/', '/race/', '/assets/', '/docs/', '/errors/', '/board/'];

export const names = {
  name: 'names',
  title: 'names of Object.prototype',
  *cases({ writing, reading, random }) {
    for (const operation of writing) {
      for (const name of NAMES) yield* inBody(operation, name);
      for (const header of HEADERS) for (const name of NAMES) yield inHeader(operation, header, name);
    }
    const [some] = random.some(reading, 1);
    for (const header of HEADERS) for (const name of NAMES) yield inHeader({ ...some, method: 'GET' }, header, name);
    for (const operation of reading) for (const name of random.some(NAMES, 4)) yield inQuery(operation, name, 'x');
    for (const operation of reading)
      for (const parameter of operation.parameters) yield inQuery(operation, parameter, random.pick(NAMES));
    for (const path of PATHS)
      for (const name of NAMES)
        yield single(`path ${path}${name}`, { target: path + name, headers: [keyHeader(some.key)] });
  },
};

function inHeader(operation, header, name) {
  const request =
    operation.method === 'GET'
      ? { target: operation.target, headers: [keyHeader(operation.key)] }
      : posting(operation, '{}');
  const headers = [...request.headers.filter(([own]) => own !== header), [header, name], [name, 'x']];
  const waits = header === 'Content-Length' || header === 'Transfer-Encoding';
  return single(
    `header ${header}: ${name} at ${operation.target}`,
    { ...request, headers },
    waits ? { untilClose: true } : {},
  );
}

function inQuery({ target, key }, name, value) {
  return single(`parameter ${name}=${value} at ${target}`, {
    target: `${target}?${name}=${value}`,
    headers: [keyHeader(key)],
  });
}

// As a member at each depth of the example, and as every text in it. Written as text: an object would interpret
// `__proto__`.
function* inBody(operation, name) {
  const text = JSON.stringify(operation.example);
  const bodies = {
    'member on its own': `{${JSON.stringify(name)}:{"polluted":true}}`,
    'member everywhere': text.replaceAll('{', `{${JSON.stringify(name)}:{"polluted":true},`),
    'every text': text.replaceAll(/:"[^"]*"/g, `:${JSON.stringify(name)}`),
    'every list': text.replaceAll('[', `[${JSON.stringify(name)},`),
    'a member twice': `{${JSON.stringify(name)}:1,${text.slice(1, -1)},${JSON.stringify(name)}:2}`,
  };
  for (const [what, body] of Object.entries(bodies)) {
    const request = posting(operation, body);
    yield { name: `${what}: ${name} at ${operation.target}`, sends: [bytesOf(request)], requests: [asked(request)] };
  }
}
