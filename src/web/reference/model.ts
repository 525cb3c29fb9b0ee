// What the pages of the API reference show. `api/discovery/reference` makes it from the OpenAPI document, so that pages
// and document cannot differ.

export interface ApiReference {
  /** Public address of the API, without a trailing slash. */
  readonly baseUrl: string;
  /** General rules: authentication, credits, errors and so on. */
  readonly about: readonly Topic[];
  readonly plans: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };
  readonly groups: readonly Group[];
  readonly events: readonly EventEntry[];
}

/** Code is in backticks, here and in all texts. */
interface Topic {
  readonly title: string;
  readonly text: string;
}

export interface Group {
  readonly name: string;
  readonly about: string;
  readonly operations: readonly Operation[];
}

export interface Operation {
  /** Of its page's address. */
  readonly slug: string;
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** Its cost and the plan that it needs come last. */
  readonly paragraphs: readonly string[];
  readonly authentication: string;
  readonly parameters: readonly Member[];
  readonly body: Body | null;
  readonly responses: readonly Response[];
  readonly errors: readonly ErrorEntry[];
  /** None for an operation of the console's session. */
  readonly samples: readonly Sample[];
  /** Null: the clients have no method for it. */
  readonly clientCalls: ClientCalls | null;
}

/** The method of each client. */
export interface ClientCalls {
  readonly python: string;
  readonly typescript: string;
}

/** A parameter, or a member of an object; members of an inner object follow it, one level deeper. */
export interface Member {
  readonly name: string;
  readonly depth: number;
  readonly isRequired: boolean;
  /** In words, with bounds and null. */
  readonly type: string;
  readonly description: string;
  /** As it is sent; null: there is none. */
  readonly example: string | null;
}

export interface Body {
  readonly description: string;
  readonly members: readonly Member[];
  /** JSON, indented. */
  readonly example: string | null;
}

export interface Response {
  readonly status: string;
  readonly description: string;
  readonly media: readonly Media[];
  readonly members: readonly Member[];
}

interface Media {
  readonly type: string;
  readonly example: string | null;
}

export interface ErrorEntry {
  readonly status: string;
  readonly codes: readonly string[];
}

/** A program that makes the call. */
export interface Sample {
  readonly language: string;
  readonly code: string;
  /** The part of the code that reads the key; null: it sends none. */
  readonly key: string | null;
  /** Around a key that is written into the code. */
  readonly quote: string;
}

export interface EventEntry {
  readonly slug: string;
  readonly name: string;
  readonly summary: string;
  readonly paragraphs: readonly string[];
  readonly members: readonly Member[];
  readonly example: string | null;
}
