// What a public page says of itself to search engines and to those who share its address. Nothing of others: no tracker
// reads it.
import { HEIGHT, WIDTH } from '../cards/layout';
import { type Html, html } from '../html';
import { SITE_PAGES } from './pages';

const SITE_NAME = 'Racing Odds';
const IN_GENERAL =
  'Fixed odds of Australian bookmakers on thoroughbred, harness and greyhound races, side by side, each price with its age.';

export interface PublicPage {
  readonly title: string;
  /** Path, as it was asked for. */
  readonly path: string;
  /** Of the service. */
  readonly baseUrl: string;
  /** Path of the picture that is shown where the page is shared; null: it has none. */
  readonly image: string | null;
}

export function pageHead({ title, path, baseUrl, image }: PublicPage): Html {
  const about = SITE_PAGES.find((page) => page.path === path)?.about ?? `${title}. ${IN_GENERAL}`;
  const url = baseUrl + path;
  return html`<meta name="description" content="${about}">
<link rel="canonical" href="${url}">
<link rel="manifest" href="/manifest.webmanifest">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${SITE_NAME}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${about}">
<meta property="og:url" content="${url}">
${image === null ? SMALL_CARD : pictureHead(baseUrl + image, title)}
`;
}

const SMALL_CARD = html`<meta name="twitter:card" content="summary">`;

const pictureHead = (url: string, title: string): Html => html`<meta property="og:image" content="${url}">
<meta property="og:image:width" content="${WIDTH}">
<meta property="og:image:height" content="${HEIGHT}">
<meta property="og:image:alt" content="${title}">
<meta name="twitter:card" content="summary_large_image">`;

/** With which a browser installs the board as an application. `icon`: its address. */
export const webManifestText = (icon: string): string =>
  JSON.stringify({
    name: SITE_NAME,
    short_name: SITE_NAME,
    description: IN_GENERAL,
    lang: 'en-AU',
    id: '/',
    start_url: '/live',
    scope: '/',
    display: 'standalone',
    background_color: '#f4f5f2',
    theme_color: '#f4f5f2',
    icons: [{ src: icon, sizes: 'any', type: 'image/svg+xml', purpose: 'any' }],
  });
