// Takes a screenshot for the README:
// `node --import tsx test/support/pages/screenshot.ts <url> <file.png> [width] [height] [scale]`.
import { openBrowser } from './browser';

async function take([url, path, width = '1440', height = '1000', scale = '1']: string[]): Promise<void> {
  if (!url || !path) throw new Error('usage: screenshot.ts <url> <file.png> [width] [height] [scale]');
  const browser = await openBrowser();
  const viewport = { width: Number(width), height: Number(height) };
  const page = await browser.newPage({ viewport, deviceScaleFactor: Number(scale), locale: 'en-AU' });
  await page.goto(url);
  // A second visit: the font is cached, as for a returning visitor.
  await page.reload();
  await page.evaluate('document.fonts.ready');
  if ((await page.locator('.plot').count()) > 0) await page.locator('.plot canvas').waitFor();
  await page.screenshot({ path });
  await browser.close();
}

take(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
