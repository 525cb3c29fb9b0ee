// The exchange's stream as a Temporal activity: one long heartbeating attempt for the whole service. It ends only when
// it is cancelled. On a worker's shutdown the attempt fails at once, so that another worker takes over. Saves are
// idempotent: two attempts at once do no harm.
import type { Context } from '@temporalio/activity';
import type { StreamEnd } from '../../feeds/betfair/stream/connection';
import { StreamFollower } from '../../feeds/betfair/stream/follow';
import type { Dropped } from '../../feeds/feed';
import type { ConnectorPoll } from '../../store/health';
import { type ActivityDeps, instantNow } from '../deps';
import { waitInActivity, workerStops } from '../wait';
import { ExchangeRecorder } from './exchange-recorder';

const BOOK = 'betfair_ex_au';
/** Wall time between two saves. Changes in between are conflated, except versions of a market. */
const SAVE_EVERY_MS = 250;

export interface StreamHost {
  readonly signal: AbortSignal;
  heartbeat(details: StreamProgress): void;
  /** Rejects when the activity is cancelled. Wall milliseconds. */
  wait(ms: number): Promise<void>;
}

/** Heartbeat details, for an operator to read under the pending activity. */
export interface StreamProgress {
  readonly changes: number;
  readonly breaks: number;
  readonly lastBreak: string | null;
}

type StreamDeps = Pick<ActivityDeps, 'stores' | 'now' | 'log' | 'exchangeStream'>;

/** Does nothing where no stream is configured. Otherwise rejects when the host ends it. */
export async function runExchangeStream(deps: StreamDeps, host: StreamHost): Promise<void> {
  const source = deps.exchangeStream;
  if (!source) return;
  const progress = { changes: 0, breaks: 0, lastBreak: null as string | null };
  const stopping = new AbortController();
  const signal = AbortSignal.any([host.signal, stopping.signal]);
  const recorder = new ExchangeRecorder(deps.stores.exchange, (marketId) => follower.drop(marketId));
  const follower = new StreamFollower({
    ...source,
    signal,
    wait: (ms) => host.wait(ms),
    onMarket: (state, defined) => {
      progress.changes += 1;
      recorder.take(state, defined);
    },
    onEnd: (end, dropped) => {
      progress.breaks += 1;
      progress.lastBreak = `${end.reason}: ${end.detail}`;
      void recordBreak(deps, end, dropped);
    },
  });
  const following = follower.run();
  try {
    await Promise.race([following, saveOn(deps, host, recorder, progress)]);
  } finally {
    stopping.abort();
    await following.catch(() => undefined);
    await recorder.flush(instantNow(deps));
  }
}

async function saveOn(deps: StreamDeps, host: StreamHost, recorder: ExchangeRecorder, progress: StreamProgress) {
  for (;;) {
    await host.wait(SAVE_EVERY_MS);
    host.heartbeat({ ...progress });
    // Our own database failed, not the exchange: the next save includes these changes.
    await recorder
      .flush(instantNow(deps))
      .catch((err: unknown) => deps.log.warn({ err }, "the exchange's stream was not saved"));
  }
}

/** Records a break of the stream as a failed call of the exchange, with the rows dropped since the last break. */
async function recordBreak(deps: StreamDeps, end: StreamEnd, dropped: Dropped): Promise<void> {
  if (end.reason === 'called_off') return;
  deps.log.warn({ book: BOOK, reason: end.reason, detail: end.detail }, "the exchange's stream broke");
  const reason = `stream_${end.reason}`;
  const poll: ConnectorPoll = {
    connector: BOOK,
    at: instantNow(deps),
    ok: false,
    status: reason,
    message: end.detail,
    recordsWritten: 0,
    counts: [
      { kind: 'failed', reason, count: 1 },
      ...Object.entries(dropped).map(([why, count]) => ({ kind: 'dropped' as const, reason: why, count })),
    ],
  };
  await deps.stores.health.recordPolls([poll]).catch((err: unknown) => deps.log.warn({ err }, 'health not written'));
}

export async function streamExchange(deps: ActivityDeps, context: Context): Promise<void> {
  try {
    await runExchangeStream(deps, {
      signal: context.cancellationSignal,
      heartbeat: (details) => context.heartbeat(details),
      wait: (ms) => waitInActivity(context, ms),
    });
  } catch (error) {
    if (!context.cancellationDetails?.workerShutdown) throw error;
    throw workerStops();
  }
}
