// A race page as rows: what stands in the cells of a runner's row. For the one book whose reply is no JSON; it reads text between tags, by no
// parser that its mapper uses.

export interface PageRow {
  readonly name: string;
  /** As shown. */
  readonly win: string | null;
}

const ROWS = /<tr\b[\s\S]*?<\/tr>/gi;
const NAME = /<td\b[^>]*\bclass="[^"]*\bacceptor\b[^"]*"[^>]*>([\s\S]*?)<\/td>/i;
const WIN = /<td\b[^>]*\bclass="[^"]*\bfixed win\b[^"]*"[^>]*>([\s\S]*?)<\/td>/i;
const STATE = /class="[^"]*\bdividends-as-at\b[^"]*"[^>]*>([^<]*)</i;
const OPEN = /^\s*dividends as at/i;

/** No row of a page whose betting is closed: deductions stand there in place of prices. */
export function rowsOfPage(html: string): readonly PageRow[] {
  if (!OPEN.test(STATE.exec(html)?.[1] ?? '')) return [];
  return (html.match(ROWS) ?? []).flatMap((row) => {
    const cell = NAME.exec(row)?.[1];
    if (cell === undefined) return [];
    const name = textIn(cell);
    const shown = textIn(WIN.exec(row)?.[1] ?? '').replace(/^Favourite/, '');
    const isOut = textIn(row).replace(name, '').includes('Scratched');
    return [{ name, win: isOut || shown === '-' || shown === '' ? null : shown }];
  });
}

const SIGNS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

const textIn = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, sign: string) => SIGNS[sign]!)
    .replace(/\s+/g, ' ')
    .trim();
