// Parses pages into trees, with the tolerant parser.
// Never parse by the browsers' rules: those reopen formatting elements, and 100 kB of
// `<font size=1><p><font size=2><p>…` made 4 GB of nodes (parse5 7, November 2026).
import { type CheerioAPI, load } from 'cheerio/slim';

export type Page = CheerioAPI;
/** An element of a page. */
export type Piece = ReturnType<CheerioAPI>;

/**
 * Far above any page of a book or registry. Too many tags make the parser quadratic in the number of open elements, too
 * much depth overflows a recursive walk, and too much width makes searches quadratic.
 */
const MOST_TAGS = 20_000;
const MOST_LEVELS = 200;
const MOST_CHILDREN = 5000;

/** A page beyond any of the limits is read as an empty one. */
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
