// What operations of an account see of the browser: its address, its name and its cookies, and nothing else of HTTP.
import type { Context } from 'koa';
import { type Client, clientOf } from './client-address';

export interface Browser extends Client {
  /** The header; empty without one. */
  readonly userAgent: string;
  cookie(name: string): string | undefined;
  /** HttpOnly, SameSite=Lax, for the whole host, and over https only if the service is. `seconds` 0: deletes it. */
  setCookie(name: string, value: string, seconds: number): void;
}

export function browserOf(ctx: Context, baseUrl: string): Browser {
  const secure = baseUrl.startsWith('https:');
  // The connection behind a proxy is not encrypted, but the one before it is.
  ctx.cookies.secure = secure;
  return {
    ...clientOf(ctx),
    userAgent: ctx.get('User-Agent'),
    cookie: (name) => ctx.cookies.get(name),
    setCookie: (name, value, seconds) =>
      void ctx.cookies.set(name, value, { secure, maxAge: seconds * 1000, httpOnly: true, sameSite: 'lax', path: '/' }),
  };
}
