// A page as a printer has it: a sheet of A4 without the margins of print.css, in CSS pixels.
import type { Page } from 'playwright-core';

const SHEETS = { upright: { width: 703, height: 1031 }, across: { width: 1046, height: 718 } };

/** `cut`: cells of tables beyond the sheet; `books`: columns of books; `ways`: menus and links to elsewhere. */
export interface OnPaper {
  readonly cells: number;
  readonly cut: readonly string[];
  readonly books: number;
  readonly ways: number;
  readonly colours: readonly string[];
  readonly pdfBytes: number;
}

/** Opens an address as it is printed. */
export async function onPaper(page: Page, url: string, sheet: keyof typeof SHEETS): Promise<OnPaper> {
  const { width } = SHEETS[sheet];
  await page.setViewportSize(SHEETS[sheet]);
  await page.goto(url);
  await page.emulateMedia({ media: 'print' });
  const cells = page.locator('main table:visible tr:not(.fold) > :visible');
  const found = (await cells.evaluateAll((all) =>
    all.map((one) => [one.getBoundingClientRect().right, one.textContent]),
  )) as [number, string][];
  const colours = (await page.evaluate(
    '[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]',
  )) as string[];
  const shown = {
    cells: found.length,
    cut: found.filter(([right]) => right > width).map(([, text]) => text),
    books: await page.locator('.prices thead .c-book:visible').count(),
    ways: await page.locator(':is(details.view, .places, .menu, .strip, .link, .skip):visible').count(),
    colours,
  };
  await page.emulateMedia({ media: null });
  const pdf = await page.pdf({ preferCSSPageSize: true });
  if (pdf.subarray(0, 5).toString() !== '%PDF-') throw new Error('no PDF');
  return { ...shown, pdfBytes: pdf.length };
}
