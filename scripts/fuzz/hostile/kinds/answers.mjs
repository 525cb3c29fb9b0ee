// Requests that are answered and paid for, and pages that need no key: not to break anything, but to measure what an
// ordinary answer takes.
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
