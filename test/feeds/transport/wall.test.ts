// Which pages are walls: recognised by their title alone, because a race page may contain any text.
import { wallIn } from '../../../src/feeds/transport/refusal';

const page = (title: string, body = ''): string =>
  `<!DOCTYPE html><html><head>${title}</head><body>${body}</body></html>`;

test.each([
  ['<title>Just a moment...</title>', 'Just a moment...'],
  ['<TITLE lang="en">\n Are you human? </TITLE>', 'Are you human?'],
  ['<title>Access Denied</title>', 'Access Denied'],
  ['<title>Attention Required! | Cloudflare</title>', 'Attention Required! | Cloudflare'],
])('%s', (title, wall) => {
  expect(wallIn(page(title))).toBe(wall);
});

test.each([
  page('<title>Race 1 at Flemington</title>', '<h1>Access Denied</h1> wins at 4.20'),
  page('', 'Just a moment'),
  '',
])('%s is not one', (html) => {
  expect(wallIn(html)).toBeNull();
});
