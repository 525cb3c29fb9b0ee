// The types that `compression.ts` uses: the package's own types end at version 0.6.
declare module 'negotiator' {
  class Negotiator {
    constructor(request: { headers: Record<string, string> });
    /** The encoding that the caller prefers; of equals, the first of `preferred`. */
    encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
  }
  export = Negotiator;
}
