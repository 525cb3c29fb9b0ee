// A real headless Chromium for page tests: `CHROMIUM_PATH`, else an installed Chrome, else the build inside @sparticuz/chromium
// (Linux only). Never downloads anything.
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

export async function openBrowser(): Promise<Browser> {
  const path = process.env.CHROMIUM_PATH;
  if (path) return chromium.launch({ executablePath: path });
  return chromium.launch({ channel: 'chrome' }).catch(packagedChromium);
}

/** Why there is no browser to test with, or null. Decided without starting one. */
export function noBrowserReason(): string | null {
  if (process.env.CHROMIUM_PATH || process.platform === 'linux' || existsChrome()) return null;
  return `no Chrome is installed, CHROMIUM_PATH is not set, and the packaged Chromium does not run on ${process.platform}`;
}

const PACKAGED_ARGS = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'];

const existsChrome = (): boolean =>
  ['/Applications/Google Chrome.app', 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'].some(existsSync);

async function packagedChromium(noChrome: Error): Promise<Browser> {
  if (process.platform !== 'linux') throw noChrome;
  const packaged = (await import('@sparticuz/chromium')).default;
  // Its own list of arguments is made for a function host: one process for all, web security off. A page test wants neither.
  return chromium.launch({ executablePath: await packaged.executablePath(), args: PACKAGED_ARGS });
}
