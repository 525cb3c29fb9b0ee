// The header of every page: the ways to the other pages, on a phone in a menu that opens without a script.
import { assetUrl } from '../assets';
import { type Html, html } from '../html';

/** Whether the browser sends a session; null: this service has no accounts. */
export type SignIn = 'signed_in' | 'signed_out' | null;

interface Place {
  readonly path: string;
  readonly title: string;
  /** The addresses below it. */
  readonly below: RegExp;
}

const PLACES: readonly Place[] = [
  { path: '/live', title: 'Next', below: /^\/live$/ },
  { path: '/today', title: 'Races', below: /^\/(today$|tomorrow$|races\/)/ },
  { path: '/results', title: 'Results', below: /^\/results(\/|$)/ },
  { path: '/movers', title: 'Movers', below: /^\/movers$/ },
  { path: '/sports', title: 'Sports', below: /^\/sports(\/|$)/ },
  { path: '/past', title: 'Past', below: /^\/past(\/|$)/ },
  { path: '/search', title: 'Search', below: /^\/(search$|(venue|jockey|trainer|horse|greyhound)\/)/ },
  { path: '/docs', title: 'Docs', below: /^\/docs(\/|$)/ },
];

interface Choice {
  readonly name: 'theme' | 'zone';
  readonly title: string;
  /** By value; the first, which is empty, until the visitor chooses. */
  readonly options: Readonly<Record<string, string>>;
}

const CHOICES: readonly Choice[] = [
  {
    name: 'theme',
    title: 'Colours',
    options: { '': 'As the system', light: 'Light', dark: 'Dark', contrast: 'High contrast' },
  },
  { name: 'zone', title: 'Times', options: { '': 'Sydney', mine: 'My zone', both: 'Both' } },
];

const optionsOf = ({ name, options }: Choice): Html =>
  html`${Object.entries(options).map(([value, text]) => html`<label><input type="radio" name="view-${name}" value="${value}" autocomplete="off"${value === '' && html` checked`}> ${text}</label>`)}`;

/** Kept by the browser: without a script there is no such menu, and the browser's own wishes hold. */
const VIEW_MENU = html`<details class="view"><summary title="Colours and times"><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false"><circle cx="8" cy="8" r="6.5" fill="none" stroke="currentcolor" stroke-width="1.5"/><path d="M8 1.5a6.5 6.5 0 0 1 0 13z" fill="currentcolor"/></svg><span class="vh">View</span></summary><div class="view-choices">${CHOICES.map((choice) => html`<fieldset><legend>${choice.title}</legend>${optionsOf(choice)}</fieldset>`)}</div></details>`;

/** `bar`: the clock and the state of the prices. */
export function siteHeader(path: string, signIn: SignIn, bar: Html | null): Html {
  const links = html`<ul>${PLACES.map((place) => html`<li>${placeLink(place, path)}</li>`)}</ul>`;
  const menu = html`<details class="menu"><summary>Menu</summary><nav aria-label="Site">${links}${accountLinks(signIn)}</nav></details>`;
  return html`<header class="top">
<a class="brand" href="/"><img src="${assetUrl('icon.svg')}" alt="" width="26" height="26"><span class="brand-name">Racing Odds</span></a>
${menu}<nav class="places" aria-label="Site">${links}</nav>
${bar}${VIEW_MENU}${signIn !== null && html`<nav class="who-am-i" aria-label="Account">${accountLinks(signIn)}</nav>`}
</header>`;
}

const placeLink = ({ path, title, below }: Place, current: string): Html =>
  html`<a href="${path}"${below.test(current) && html` aria-current="page"`}>${title}</a>`;

function accountLinks(signIn: SignIn): Html | null {
  if (signIn === null) return null;
  return signIn === 'signed_in'
    ? html`<a href="/account">Account</a>`
    : html`<a class="sign-in" href="/login">Sign in</a><a class="button primary" href="/signup">Get a key</a>`;
}
