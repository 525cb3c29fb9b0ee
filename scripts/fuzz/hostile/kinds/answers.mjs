// Requests that succeed and are charged, and pages that need no key: they measure what an ordinary response costs and
// are not meant to break anything.
import { keyHeader, single } from '../requests.mjs';

const TIMES = 9;
const PAGES = ['/', '/docs', '/openapi.json', '/openapi.yaml', '/healthz', '/data-quality.json'];

export const answers = {
  name: 'answers',
  title: 'ordinary requests',
  *cases({ keys, about }) {
    for (const target of about.answered)
      for (let i = 0; i < TIMES; i += 1) yield single(target, { target, headers: [keyHeader(keys.enterprise)] });
    for (const target of PAGES) for (let i = 0; i < TIMES; i += 1) yield single(target, { target });
  },
};
