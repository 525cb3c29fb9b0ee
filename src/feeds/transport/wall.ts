// Walls that come as a page with 200, for books whose good replies are pages too: told by the titles that Cloudflare, Akamai and the
// books themselves use.

const WALL = /just a moment|are you (a )?human|access denied|attention required/i;

/** The wall's title; null when the page is none. */
export function wallIn(html: string): string | null {
  const title = /<title[^>]{0,200}>([^<]{0,200})/i.exec(html)?.[1] ?? '';
  return WALL.test(title) ? title.trim().slice(0, 80) : null;
}
