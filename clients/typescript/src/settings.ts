// The settings of a client, checked once. The key stays in a private member: it is in no URL, no error and no print of
// the client.

export interface OddsClientOptions {
  /** Default: the environment variable `ODDS_API_KEY`. Without one, only what needs no key can be called. */
  readonly apiKey?: string | undefined;
  /** Address of the service, such as `https://api.example.com`. Default: the environment variable `ODDS_API_URL`. */
  readonly baseUrl?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Of one attempt, until its last byte. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first one. Default: 2; 0: none. */
  readonly maxRetries?: number | undefined;
  /** A longer wait before a retry is an error instead. Default: 30. */
  readonly maxWaitSeconds?: number | undefined;
  /** Epoch milliseconds. */
  readonly now?: (() => number) | undefined;
  /** At least 0 and below 1, for the variation of waits. */
  readonly random?: (() => number) | undefined;
  /** A new name of a call, never used before. */
  readonly newIdempotencyKey?: (() => string) | undefined;
  /** Rejects with the reason of the signal when it is aborted. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

export type Settings = {
  readonly [N in Exclude<keyof OddsClientOptions, 'apiKey'>]-?: NonNullable<OddsClientOptions[N]>;
} & {
  readonly apiKey: string | null;
};

export function settingsOf(options: OddsClientOptions): Settings {
  return {
    apiKey: keyOf(options.apiKey ?? fromEnvironment('ODDS_API_KEY')),
    baseUrl: baseOf(options.baseUrl ?? fromEnvironment('ODDS_API_URL')),
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    timeoutMs: atLeast('timeoutMs', 1, options.timeoutMs ?? 30_000),
    maxRetries: atLeast('maxRetries', 0, options.maxRetries ?? 2),
    maxWaitSeconds: atLeast('maxWaitSeconds', 0, options.maxWaitSeconds ?? 30),
    now: options.now ?? Date.now,
    random: options.random ?? Math.random,
    newIdempotencyKey: options.newIdempotencyKey ?? (() => crypto.randomUUID()),
    sleep: options.sleep ?? sleep,
  };
}

/** Browsers have no environment. */
function fromEnvironment(name: string): string | undefined {
  const { process } = globalThis as unknown as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}

/** A header with another character would be an error of fetch, whose text has the whole value. */
function keyOf(text: string | undefined): string | null {
  const key = text?.trim() ?? '';
  if (key === '') return null;
  if (!/^[!-~]+$/.test(key)) throw new TypeError('apiKey has characters that no key has.');
  return key;
}

function baseOf(text: string | undefined): string {
  if (text === undefined || text === '') throw new TypeError('baseUrl is missing: pass it, or set ODDS_API_URL.');
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain =
    url && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (!isPlain) throw new TypeError('baseUrl must be an http or https address without user, query or fragment.');
  return url.href.endsWith('/') ? url.href.slice(0, -1) : url.href;
}

export function atLeast(name: string, least: number, value: number): number {
  if (!(value >= least)) throw new RangeError(`${name} must be a number of at least ${least}.`);
  return value;
}

/** The longest wait of a timer; a longer one would end at once. */
export const LONGEST_MS = 2_147_483_647;

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, failed) => {
    if (signal?.aborted) return failed(signal.reason);
    const leave = (): void => {
      clearTimeout(timer);
      failed(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', leave);
        done();
      },
      Math.min(ms, LONGEST_MS),
    );
    signal?.addEventListener('abort', leave, { once: true });
  });
}
