// Requests that succeed and are charged, and pages that need no key: they measure what an ordinary response costs and
// are not meant to break anything.
import { keyHeader, single } from '../requests.mjs';

const TIMES = 9;
const FILES = ['/openapi.json', '/openapi.yaml', '/healthz'];

export const answers = {
  name: 'answers',
  title: 'ordinary requests',
  *cases({ keys, about, pages, inPaths }) {
    for (const target of about.answered)
      for (let i = 0; i < TIMES; i += 1) yield single(target, { target, headers: [keyHeader(keys.enterprise)] });
    const shown = pages.map((path) => path.replace(/:(\w+)/g, (_, name) => inPaths[name] ?? 'x'));
    for (const target of [...FILES, ...shown]) for (let i = 0; i < TIMES; i += 1) yield single(target, { target });
  },
};
