// What the API must keep to under hostile requests.
const MEGABYTE = 1_048_576;

export const LIMITS = {
  /** CPU of the main thread without a turn of the event loop, after three tries. */
  turnMs: 250,
  /** Processor time of the thread, the middle of the requests to a route: without a key, and for each credit. */
  keylessMs: 10,
  creditMs: 20,
  /** Live heap and external memory after a forced collection, above what it was after the warm-up. */
  grownBytes: 64 * MEGABYTE,
  /** A reader that takes nothing, or a request that does not come to its end, is let go within this. */
  letGoMs: 80_000,
  /** What is cached for a second is no growth. */
  settleMs: 1_500,
};

export const megabytes = (bytes) => `${(bytes / MEGABYTE).toFixed(1)} MB`;
