// What a handler answers with, apart from how it travels.

/** A 200. `body` is serialised and tagged by `mount`; `bytes` is already both. `dataAgeSeconds` where the body has an age (D32). */
export type Reply<T> =
  | { readonly body: T; readonly dataAgeSeconds?: number | null }
  | { readonly bytes: Buffer; readonly tag: string; readonly dataAgeSeconds?: number | null };
