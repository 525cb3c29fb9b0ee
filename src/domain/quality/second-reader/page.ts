// A race page as rows: the contents of the cells of a runner's row. For the one book whose reply is not JSON; it reads
// the text between tags, with no parser that its mapper uses.

export interface PageRow {
  readonly name: string;
  /** As shown. */
  readonly win: string | null;
}

/** The classes of its cells, in the order of the attribute. */
const NAME = 'acceptor';
const WIN = 'fixed win';
/** The class of the element that states whether betting is open. */
const STATE = 'dividends-as-at';
const OPEN = /^[^<>]*>\s*dividends as at/i;
const LONGEST_TAG = 1000;

/**
 * Returns no row of a page whose betting is closed: it shows deductions in place of prices. Takes time in proportion to
 * the page's length.
 */
export function rowsOfPage(html: string): readonly PageRow[] {
  const state = html.indexOf(STATE);
  if (state < 0 || !OPEN.test(html.slice(state, state + LONGEST_TAG))) return [];
  return elementsIn(html, 'tr').flatMap((row) => {
    const cells = elementsIn(row, 'td');
    const cell = cellOf(cells, NAME);
    if (cell === null) return [];
    const name = textIn(cell);
    const shown = textIn(cellOf(cells, WIN) ?? '').replace(/^Favourite/, '');
    const isOut = textIn(row.slice(row.indexOf('>') + 1))
      .replace(name, '')
      .includes('Scratched');
    return [{ name, win: isOut || shown === '-' || shown === '' ? null : shown }];
  });
}

/**
 * The text from the start of each opening tag to the closing tag. An element that is not closed before the next one
 * opens is left out.
 */
const elementsIn = (markup: string, tag: 'td' | 'tr'): readonly string[] =>
  markup
    .split(tag === 'tr' ? /<tr\b/i : /<td\b/i)
    .slice(1)
    .flatMap((part) => {
      const end = part.search(tag === 'tr' ? /<\/tr>/i : /<\/td>/i);
      return end < 0 ? [] : [part.slice(0, end)];
    });

/** The markup of the first cell with these classes. */
function cellOf(cells: readonly string[], classes: string): string | null {
  for (const cell of cells) {
    const end = cell.indexOf('>');
    const [, own = ''] = /\sclass="([^"]*)"/i.exec(cell.slice(0, end)) ?? [];
    if (` ${own} `.includes(` ${classes} `)) return cell.slice(end + 1);
  }
  return null;
}

const SIGNS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

const textIn = (markup: string): string =>
  markup
    .split('<')
    .map((part, i) => (i === 0 ? part : part.slice(part.indexOf('>') + 1)))
    .join('')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, sign: string) => SIGNS[sign]!)
    .replace(/\s+/g, ' ')
    .trim();
