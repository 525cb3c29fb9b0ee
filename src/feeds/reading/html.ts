// Pages as trees. By the tolerant parser and not by the browsers' rules: those rebuild open formatting elements again and again, and 100 kB of
// `<font size=1><p><font size=2><p>…` made 4 GB of nodes (seen with parse5 7, November 2026).
import { type CheerioAPI, load } from 'cheerio/slim';

export type Page = CheerioAPI;
/** A table, or any element, of a page. */
export type Piece = ReturnType<CheerioAPI>;

/**
 * No page of a book or registry comes near. A page of more tags costs the parser the square of what is left open, a deeper one overflows whoever
 * walks it, a wider one is searched in the square of its width.
 */
const MOST_TAGS = 20_000;
const MOST_LEVELS = 200;
const MOST_CHILDREN = 5000;

/** A page beyond any of the bounds reads as an empty one. */
export function openPage(html: string): Page {
  if ((html.match(/<[a-z]/gi)?.length ?? 0) > MOST_TAGS) return load('');
  const page = load(html);
  return isBounded(page.root().get(0) as Node) ? page : load('');
}

interface Node {
  readonly children?: readonly Node[];
}

function isBounded(root: Node): boolean {
  let level: readonly Node[] = [root];
  for (let levels = 0; level.length > 0; levels += 1) {
    if (levels > MOST_LEVELS || level.some(({ children = [] }) => children.length > MOST_CHILDREN)) return false;
    level = level.flatMap(({ children = [] }) => children);
  }
  return true;
}
