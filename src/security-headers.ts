// Every security header of the service, by what an answer is to a browser. No other file states a policy: an answer is
// data unless its sender sets the headers of a document. Imports nothing of ours.
import { createHash } from 'node:crypto';

type Headers = Readonly<Record<string, string>>;

/** What the document loads and by whom it is framed; nothing that is not named. */
interface ContentPolicy {
  readonly loads?: readonly string[];
  readonly sendsForms?: boolean;
  readonly framedBy?: readonly string[];
}

/** No document runs a script or a style that stands in its text, but for one style that its hash names. */
const contentPolicy = ({ loads = [], sendsForms = false, framedBy = [] }: ContentPolicy): string =>
  [
    "default-src 'none'",
    ...loads,
    "base-uri 'none'",
    `form-action ${sendsForms ? "'self'" : "'none'"}`,
    `frame-ancestors ${framedBy.join(' ') || "'none'"}`,
  ].join('; ');

/**
 * What a document could ask of the browser. Chromium knows every name on every system, and reports others in the
 * console: `bluetooth` and `web-share` are left out, which it lacks on some.
 */
const FEATURES = [
  'accelerometer',
  'autoplay',
  'camera',
  'clipboard-read',
  'clipboard-write',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-create',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'storage-access',
  'usb',
  'xr-spatial-tracking',
];

/** `used`: by the document itself. */
const permissions = (...used: readonly string[]): string =>
  FEATURES.map((name) => `${name}=${used.includes(name) ? '(self)' : '()'}`).join(', ');

const EVERYWHERE: Headers = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy': permissions(),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

const UNFRAMED: Headers = { ...EVERYWHERE, 'X-Frame-Options': 'DENY' };

const ISOLATED: Headers = { 'Cross-Origin-Embedder-Policy': 'require-corp', 'Origin-Agent-Cluster': '?1' };

const document = (allowed: ContentPolicy): Headers => ({
  ...UNFRAMED,
  ...ISOLATED,
  'Content-Security-Policy': contentPolicy(allowed),
});

/** JSON, text, feeds, problems, fragments, and the files of documents. Opened by itself it loads nothing. */
export const DATA: Headers = { ...UNFRAMED, 'Content-Security-Policy': contentPolicy({}) };

/**
 * A script, a style sheet, a font or an icon of a page. It asks nothing of the browser by itself, and a page loads
 * thirty: without the list of features, which has no meaning there, they are 17 kB less.
 */
export const PAGE_FILE: Headers = Object.fromEntries(
  Object.entries(DATA).filter(([name]) => name !== 'Permissions-Policy'),
);

/** Data that other origins may read (CORS) or that is for widgets. */
export const SHARED_DATA: Headers = { ...DATA, 'Cross-Origin-Resource-Policy': 'cross-origin' };

const OWN_FILES = ["script-src 'self'", "style-src 'self'", "font-src 'self'", "img-src 'self'", "connect-src 'self'"];

/** A browser may install the board as an application. */
const INSTALLABLE = [...OWN_FILES, "manifest-src 'self'"];

export const PAGE = document({ loads: INSTALLABLE });

/** A page whose form is sent, to the service itself. */
export const FORM_PAGE = document({ loads: INSTALLABLE, sendsForms: true });

/** The API reference: a search, and buttons that copy. */
export const DOCS_PAGE: Headers = { ...FORM_PAGE, 'Permissions-Policy': permissions('clipboard-write') };

/** Pages with forms that are sent, with buttons that copy, and with passkeys. */
export const ACCOUNT_PAGE: Headers = {
  ...document({ loads: OWN_FILES, sendsForms: true }),
  'Permissions-Policy': permissions('clipboard-write', 'publickey-credentials-create', 'publickey-credentials-get'),
};

/** An account page with a token in its address, which it sends to no other page. */
export const TOKEN_PAGE: Headers = { ...ACCOUNT_PAGE, 'Referrer-Policy': 'no-referrer' };

/** Swagger UI, whose style sheet has images in its text. */
export const REFERENCE = document({
  loads: ["script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'"],
});

/**
 * The page of a widget: `style` is all that stands in its text, `sites` the origins that may frame it.
 * `X-Frame-Options` cannot name a site.
 */
export function widgetPage(style: string, sites: readonly string[]): Headers {
  const hash = createHash('sha256').update(style).digest('base64');
  const loads = ["script-src 'self'", `style-src 'self' 'sha256-${hash}'`, "connect-src 'self'"];
  return {
    ...EVERYWHERE,
    ...ISOLATED,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Content-Security-Policy': contentPolicy({ loads, framedBy: sites }),
  };
}

/** Those that differ between the kinds of answer. */
export const SECURITY_HEADERS: readonly string[] = Object.keys(PAGE);

const YEAR_SECONDS = 31_536_000;

/** Browsers come back by https alone (HSTS): always where the public address is https, and never otherwise. */
export const transportSecurity = (baseUrl: string): Headers =>
  new URL(baseUrl).protocol === 'https:'
    ? { 'Strict-Transport-Security': `max-age=${YEAR_SECONDS}; includeSubDomains` }
    : {};
