// Which table cells of a page are cut off: they or their text end beyond an ancestor that hides what overflows it, with
// nothing between that scrolls.
import type { Page } from 'playwright-core';

/** Phones: the narrowest in use, and a usual one. */
const PHONES = [320, 390];

interface CellsFound {
  readonly cells: number;
  /** Class of the table, and text, of each. */
  readonly cut: readonly string[];
}

const FIND = `(() => {
  const isShown = (cell) => {
    const { width, height } = cell.getBoundingClientRect();
    return width > 1 && height > 1 && !cell.closest('.vh') && cell.checkVisibility({ visibilityProperty: true });
  };
  const extent = (cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    const boxes = [cell.getBoundingClientRect(), range.getBoundingClientRect()].filter(({ width }) => width > 0);
    return [Math.min(...boxes.map(({ left }) => left)), Math.max(...boxes.map(({ right }) => right))];
  };
  const isCut = (cell) => {
    const [left, right] = extent(cell);
    for (let box = cell; box; box = box.parentElement) {
      const overflow = getComputedStyle(box).overflowX;
      if (overflow === 'auto' || overflow === 'scroll') return false;
      if (overflow === 'visible') continue;
      const edge = box.getBoundingClientRect();
      if (left < edge.left - 0.5 || right > edge.right + 0.5) return true;
    }
    return left < -0.5 || right > innerWidth + 0.5;
  };
  const cells = [...document.querySelectorAll('td, th')].filter(isShown);
  return {
    cells: cells.length,
    cut: cells.filter(isCut).map((cell) => cell.closest('table').className + ': ' + cell.textContent.slice(0, 40)),
  };
})()`;

export const cutCells = (page: Page): Promise<CellsFound> => page.evaluate(FIND);

/** At the widths of phones; the window keeps its size. */
export async function cutOnPhones(page: Page): Promise<CellsFound> {
  const size = page.viewportSize()!;
  const found: CellsFound[] = [];
  for (const width of PHONES) {
    await page.setViewportSize({ ...size, width });
    const { cells, cut } = await cutCells(page);
    found.push({ cells, cut: cut.map((cell) => `${cell} (${width} px)`) });
  }
  await page.setViewportSize(size);
  return { cells: found[0]!.cells, cut: found.flatMap(({ cut }) => cut) };
}
