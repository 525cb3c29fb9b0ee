// What `compression.ts` uses of the package, whose own types end at version 0.6.
declare module 'negotiator' {
  class Negotiator {
    constructor(request: { headers: Record<string, string> });
    /** The encoding that the caller likes best; of several that it likes alike, the first of `preferred`. */
    encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
  }
  export = Negotiator;
}
