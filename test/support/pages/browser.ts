// A real headless Chromium for page tests: `CHROMIUM_PATH`, otherwise an installed Chrome, otherwise the build inside
// @sparticuz/chromium (Linux only). Never downloads anything.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { devDependencies } from '../../../package.json';
import { whenGroupEnds } from '../group-end';

const { cacheRoot, installed } = require('../../../scripts/install/cache-folder.mjs') as {
  cacheRoot(): string;
  installed(folder: string, build: (unfinished: string) => Promise<unknown>, options: object): Promise<string>;
};

let shared: Browser | null = null;

/** In a whole run the files of a group use one after the other: `close` then closes only what a file opened in it. */
export async function openBrowser(): Promise<Browser> {
  if (shared?.isConnected()) return shared;
  const browser = await launched();
  const close = browser.close.bind(browser);
  if (!whenGroupEnds(close)) return browser;
  browser.close = async () => {
    for (const context of browser.contexts()) await context.close();
  };
  shared = browser;
  return browser;
}

async function launched(): Promise<Browser> {
  const path = process.env.CHROMIUM_PATH;
  if (path) return chromium.launch({ executablePath: path });
  return chromium.launch({ channel: 'chrome' }).catch(packagedChromium);
}

/** The reason why there is no browser to test with, or null. Decided without starting one. */
export function noBrowserReason(): string | null {
  if (process.env.CHROMIUM_PATH || process.platform === 'linux' || existsChrome()) return null;
  return `no Chrome is installed, CHROMIUM_PATH is not set, and the packaged Chromium does not run on ${process.platform}`;
}

const PACKAGED_ARGS = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'];

const existsChrome = (): boolean =>
  ['/Applications/Google Chrome.app', 'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'].some(existsSync);

async function packagedChromium(noChrome: Error): Promise<Browser> {
  if (process.platform !== 'linux') throw noChrome;
  const folder = join(cacheRoot(), `chromium-${devDependencies['@sparticuz/chromium']}`);
  const executablePath = join(await installed(folder, unpack, {}), 'chromium');
  // Its default arguments are for a function host: a single process, with web security off. A page test needs neither.
  return chromium.launch({ executablePath, args: PACKAGED_ARGS });
}

/**
 * The package decompresses into the system's temporary folder, and would use a copy that another process is still
 * writing.
 */
async function unpack(folder: string): Promise<void> {
  const program = "import('@sparticuz/chromium').then((packaged) => packaged.default.executablePath())";
  const options = { cwd: dirname(__dirname), env: { ...process.env, TMPDIR: folder } };
  await promisify(execFile)(process.execPath, ['--eval', program], options);
}
