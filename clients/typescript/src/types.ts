// What the generated types say about a call: its options and its result, by path and method, or by group and name.
import type { components, paths } from './generated/openapi.ts';
import type { OPERATIONS } from './generated/operations.ts';

export type Schemas = components['schemas'];
export type Method = 'get' | 'post' | 'patch' | 'delete';

/** The paths that have this method. A stream of events is followed, not called. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, infer O extends Declared> ? (O extends Streamed ? never : P) : never;
}[keyof paths];

interface Streamed {
  responses: { 200: { content: { 'text/event-stream': unknown } } };
}

interface Declared {
  parameters: { query?: unknown; path?: unknown };
  responses: unknown;
}

export type OperationAt<M extends Method, P extends PathOf<M>> = paths[P][M] & Declared;

type Json<R> = R extends { content: { 'application/json': infer T } } ? T : undefined;

/** The JSON of a success. */
export type ResultOf<O extends Declared> = O['responses'] extends { 200: infer R }
  ? Json<R>
  : O['responses'] extends { 202: infer R }
    ? Json<R>
    : undefined;

/** The paths of which JSON is read. */
export type JsonPath = {
  [P in PathOf<'get'>]: [ResultOf<OperationAt<'get', P>>] extends [undefined] ? never : P;
}[PathOf<'get'>];

export interface CallSettings {
  /** Ends the call and every wait in it. */
  readonly signal?: AbortSignal | undefined;
  /** Of one attempt; default: that of the client. */
  readonly timeoutMs?: number | undefined;
  /** Yours, for calls that take one; default: a new one for each call. */
  readonly idempotencyKey?: string | undefined;
}

export interface DownloadSettings extends CallSettings {
  /** What follows the first `from` bytes of the file that has this `ETag`. */
  readonly rest?: { readonly from: number; readonly etag: string } | undefined;
}

type Sent<K extends string, T> = [T] extends [undefined]
  ? unknown
  : undefined extends T
    ? { [N in K]?: T }
    : { [N in K]: T };
type BodyOf<O> = O extends { requestBody: { content: { 'application/json': infer B } } }
  ? { body: B }
  : O extends { requestBody?: { content: { 'application/json': infer B } } }
    ? { body?: B }
    : unknown;

/** A list that is sent need not be writable. */
export type Immutable<T> = {
  [N in keyof T]: T[N] extends infer V ? (V extends (infer E)[] ? readonly E[] : V) : never;
};

/** `path`, `query` and `body`, as the operation declares them. */
type InputOf<O extends Declared> = Sent<'path', O['parameters']['path']> &
  Sent<'query', Immutable<O['parameters']['query']>> &
  BodyOf<O>;

/** Of a rest parameter: the options may be left out if nothing in them is required. */
export type OptionsOf<O extends Declared, More = CallSettings> =
  Record<never, never> extends InputOf<O> ? [options?: InputOf<O> & More] : [options: InputOf<O> & More];

/** The paths whose answers have an ETag, and so can be polled for changes. */
export type PolledPath = {
  [P in PathOf<'get'>]: OperationAt<'get', P>['responses'] extends { 304: unknown } ? P : never;
}[PathOf<'get'>];

type Listed = { [G in keyof Groups]: Groups[G][keyof Groups[G]] }[keyof Groups];
type Groups = typeof OPERATIONS;

/** The paths whose pages name the next one. */
export type PagedPath = Extract<Listed, { paged: true }>['path'];

type MethodFor<O> = O extends { method: infer M extends Method; path: infer P }
  ? P extends PathOf<M>
    ? (...options: OptionsOf<OperationAt<M, P>>) => Promise<ResultOf<OperationAt<M, P>>>
    : never
  : never;

/** `client.racing.nextToGo` and all others. A file is downloaded. */
export type OperationGroups = {
  readonly [G in keyof Groups]: {
    readonly [N in keyof Groups[G] as Groups[G][N] extends { file: true } ? never : N]: MethodFor<Groups[G][N]>;
  };
};
