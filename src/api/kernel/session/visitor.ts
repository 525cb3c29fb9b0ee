// Cookies of sign-up and sign-in: turns a browser's into a `Visitor`, and what an owner's browser keeps into cookies.
// The pages use it too.
import type { SessionCookies, Visitor } from '../../../accounts/visitor';
import type { Browser } from './browser';
import { hostCookie, sessionCookie } from './session';

const browserCookie = (baseUrl: string): string => hostCookie(baseUrl, 'browser');
const signupCookie = (baseUrl: string): string => hostCookie(baseUrl, 'signup');
const passkeyCookie = (baseUrl: string): string => hostCookie(baseUrl, 'passkey');

export const visitorOf = ({ address, network, userAgent, cookie }: Browser, baseUrl: string): Visitor => ({
  address,
  network,
  userAgent,
  cookies: {
    session: cookie(sessionCookie(baseUrl)),
    browser: cookie(browserCookie(baseUrl)),
    signup: cookie(signupCookie(baseUrl)),
    passkey: cookie(passkeyCookie(baseUrl)),
  },
});

export function keepSignedIn({ setCookie }: Browser, baseUrl: string, { session, browser }: SessionCookies): void {
  setCookie(sessionCookie(baseUrl), session.token, session.seconds);
  setCookie(browserCookie(baseUrl), browser.token, browser.seconds);
}

export function keepSignup(
  { setCookie }: Browser,
  baseUrl: string,
  { token, seconds }: { readonly token: string; readonly seconds: number },
): void {
  setCookie(signupCookie(baseUrl), token, seconds);
}

export function keepPasskeyTry(
  { setCookie }: Browser,
  baseUrl: string,
  { token, seconds }: { readonly token: string; readonly seconds: number },
): void {
  setCookie(passkeyCookie(baseUrl), token, seconds);
}
