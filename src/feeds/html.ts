// Pages as trees. By the tolerant parser and not by the browsers' rules: those rebuild open formatting elements again and again, and 100 kB of
// `<font size=1><p><font size=2><p>…` made 4 GB of nodes (seen with parse5 7, November 2026).
import { type CheerioAPI, load } from 'cheerio/slim';

export type Page = CheerioAPI;
/** A table, or any element, of a page. */
export type Piece = ReturnType<CheerioAPI>;

/** No page of a book or registry comes near: a deeper one overflows whoever walks it, a wider one is searched in the square of its width. */
const MOST_LEVELS = 200;
const MOST_CHILDREN = 5000;
const MOST_NODES = 100_000;

/** A page beyond all bounds reads as an empty one. */
export function openPage(html: string): Page {
  const page = load(html);
  return isBounded(page.root().get(0) as Node) ? page : load('');
}

interface Node {
  readonly children?: readonly Node[];
}

function isBounded(root: Node): boolean {
  let level: readonly Node[] = [root];
  let nodes = 0;
  for (let levels = 0; level.length > 0; levels += 1) {
    nodes += level.length;
    if (levels > MOST_LEVELS || nodes > MOST_NODES) return false;
    if (level.some(({ children = [] }) => children.length > MOST_CHILDREN)) return false;
    level = level.flatMap(({ children = [] }) => children);
  }
  return true;
}
