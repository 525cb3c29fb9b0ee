// The types in use: the package's own types end at version 0.6.
declare module 'negotiator' {
  class Negotiator {
    constructor(request: { headers: Record<string, string> });
    /** The encoding that the caller prefers; among equals, the first of `preferred`. */
    encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
    /** The accepted ones, without their parameters, preferred ones first. */
    mediaTypes(): string[];
  }
  export = Negotiator;
}
