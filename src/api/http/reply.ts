// What a handler returns, independent of HTTP.

interface ReplyFacts {
  /** If the body has an age (D32). */
  readonly dataAgeSeconds?: number | null;
  /** The body says `cached: false`, which is true for this request only: it is never shared with another. */
  readonly forOneOnly?: boolean;
}

/**
 * A 200. `body` is still to be serialised. `bytes` is serialised JSON, and `tagged` the text that its ETag is
 * computed from: it differs whenever more than the ages of the body do.
 */
export type Reply<T> = ReplyFacts & ({ readonly body: T } | { readonly bytes: Buffer; readonly tagged: string });
