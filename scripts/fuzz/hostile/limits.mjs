// The limits that the API must keep under hostile requests.
const MEGABYTE = 1_048_576;

export const LIMITS = {
  /** CPU time of the main thread without a turn of the event loop, after three tries. */
  turnMs: 250,
  /** Processor time of the thread, the median over the requests to a route: without a key, and per credit. */
  keylessMs: 10,
  creditMs: 20,
  /** Live heap and external memory after a forced collection, in excess of the amount after the warm-up. */
  grownBytes: 64 * MEGABYTE,
  /** A reader that reads nothing, or a request that never ends, is disconnected within this time. */
  letGoMs: 80_000,
  /** Data cached for a second is not growth. */
  settleMs: 1_500,
};

export const megabytes = (bytes) => `${(bytes / MEGABYTE).toFixed(1)} MB`;
