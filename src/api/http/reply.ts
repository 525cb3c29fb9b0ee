// What a handler answers with, apart from how it travels.

interface About {
  /** Where the body has an age (D32). */
  readonly dataAgeSeconds?: number | null;
  /** It says of itself that it was made for this very request (`cached`: false): others who ask in the same second are not given it. */
  readonly forOneOnly?: boolean;
}

/** A 200. `body` is serialised by `mount`; `bytes` already is, and `tagged` is JSON text that differs wherever more than ages do. */
export type Reply<T> = About & ({ readonly body: T } | { readonly bytes: Buffer; readonly tagged: string });
