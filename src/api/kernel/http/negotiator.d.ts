// The types that are used: the package's own types end at version 0.6.
declare module 'negotiator' {
  class Negotiator {
    constructor(request: { headers: Record<string, string> });
    /** The encoding that the caller prefers; of equals, the first of `preferred`. */
    encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
    /** Those that the caller accepts, without their parameters, the preferred ones first. */
    mediaTypes(): string[];
  }
  export = Negotiator;
}
