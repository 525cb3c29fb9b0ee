// Reads the lists and documents that registries publish about meetings that have run. Concurrent requests for one page
// share one read, and a page read since `since` is not read again. A failed page is not retried for a while, and
// neither is a whole registry that refuses us.

import type { Day, Instant } from '../../domain/race/race';
import { RESULTS_CONNECTOR } from '../../domain/registry/connectors';
import type { FieldSource } from '../../domain/results/field-coverage';
import type { FeedCall, FeedFailure, FeedReply } from '../../feeds/feed';
import type { ResultsRegistry } from '../../feeds/results-registry';
import { within } from '../../feeds/transport/deadline';
import type { ConnectorPoll } from '../../store/health';
import { createWorkQueue } from '../../work-queue';
import { type CollectDeps, instantNow } from '../deps';
import { healthOf } from '../polling/poll-book';
import { type FailureKind, failureKind, type RegistryFailure } from '../registry/registry-failure';
import { type AppliedDocument, applyDocument } from './join';

export interface RegistryRead {
  /**
   * `fresh`: the stored copy is new enough. `walled` and `paused`: make no further call to this registry for now.
   */
  readonly kind: 'read' | 'fresh' | FailureKind;
  /** Null unless a document was read. */
  readonly applied: AppliedDocument | null;
}

export interface ResultsReader {
  /** The list of one region's days, read at `since` or later. */
  list(registry: ResultsRegistry, region: string, days: DaySpan, since: Instant): Promise<RegistryRead>;
  /** One document, read at `since` or later and applied to our results. */
  document(registry: ResultsRegistry, key: string, since: Instant): Promise<RegistryRead>;
}

/** Both inclusive. */
export interface DaySpan {
  readonly from: Day;
  readonly to: Day;
}

/** Wall time. Pages are read one a second, so a page may wait for dozens of others. */
const DEADLINE_MS = 5 * 60_000;
const MINUTE_MS = 60_000;
/** Race time. */
const FAILED_RESTS_MS = MINUTE_MS;

interface RegistryQuery<T> {
  readonly source: FieldSource;
  readonly of: 'list' | 'document';
  /** Queries with the same text share one read. */
  readonly what: string;
  readonly isFresh: () => Promise<boolean>;
  readonly send: (call: FeedCall) => Promise<FeedReply<T>>;
  /** Returns how many rows changed, and the applied document. */
  readonly save: (
    value: T,
    at: Instant,
  ) => Promise<{ readonly written: number; readonly applied: AppliedDocument | null }>;
}

/** Failures of a single page. Every other failure is of the whole site, and ends when a list is read. */
const OF_ITS_PAGE: ReadonlySet<string> = new Set<FeedFailure>([
  'http_error',
  'malformed',
  'not_found',
  'too_large',
  'wrong_content_type',
]);

export function createResultsReader(deps: CollectDeps): ResultsReader {
  const { published } = deps.stores;
  const read = createRegistryReads(deps);
  return {
    list: (registry, region, { from, to }, since) => {
      const { source, category } = registry;
      return read({
        source,
        of: 'list',
        what: `${source} list ${region} ${from} ${to}`,
        isFresh: async () => from === to && (await published.listedSince(source, from, since)).has(region),
        send: (call) => registry.listings(region, from, to, call),
        save: async (listings, at) => {
          await published.saveList({ source, category, region, from, to, listings }, at);
          return { written: 0, applied: null };
        },
      });
    },
    document: (registry, key, since) => {
      const document = { source: registry.source, key };
      return read({
        source: registry.source,
        of: 'document',
        what: `${registry.source} document ${key}`,
        isFresh: async () => ((await published.readAt(document)) ?? '') >= since,
        send: (call) => registry.meeting(key, call),
        save: async (meeting, at) => {
          const written = await published.saveMeeting(meeting, at);
          return { written, applied: await applyDocument(deps, document) };
        },
      });
    },
  };
}

/** One call at a time per registry, and one read of a page for all who want it now. */
function createRegistryReads(deps: CollectDeps) {
  const { health } = deps.stores;
  const underWay = new Map<string, Promise<RegistryRead>>();
  /** Counts reads that have ended. */
  let ended = 0;
  /** A waiting call must not run into the wall that the call before has met. */
  const turns = new Map<FieldSource, ReturnType<typeof createWorkQueue>>();
  const rests = createRests(deps.now);
  const asConnector = createConnectorState();

  function turnOf(source: FieldSource): ReturnType<typeof createWorkQueue> {
    const turn = turns.get(source) ?? createWorkQueue();
    turns.set(source, turn);
    return turn;
  }

  /**
   * Shares the in-flight read, not the freshness check (callers differ in `since`). If a read finished during our
   * check, checks again.
   */
  async function once<T>(query: RegistryQuery<T>): Promise<RegistryRead> {
    const before = ended;
    if (await query.isFresh()) return { kind: 'fresh', applied: null };
    const running = underWay.get(query.what);
    if (running) return running;
    if (ended !== before) return once(query);
    const reading = turnOf(query.source)(() => readNow(query)).finally(() => {
      underWay.delete(query.what);
      ended += 1;
    });
    underWay.set(query.what, reading);
    return reading;
  }

  async function readNow<T>({ source, of, what, send, save }: RegistryQuery<T>): Promise<RegistryRead> {
    const rest = rests.of(source) ?? rests.of(what);
    if (rest) return rest;
    const reply = await replyTo(deps, source, send);
    const saved = reply.kind === 'ok' ? await save(reply.value, reply.observedAt) : null;
    const poll = healthOf({ bookmakerKey: RESULTS_CONNECTOR[source] }, reply, saved?.written ?? 0);
    await health.recordPolls([asConnector(source, of, poll)]);
    if (reply.kind === 'failed') return rests.begin(source, what, reply);
    return { kind: 'read', applied: saved?.applied ?? null };
  }

  return once;
}

/** The pages not retried after a failure. `now`: race time. */
function createRests(now: () => number) {
  /** By query or source. */
  const rests = new Map<string, { readonly untilMs: number; readonly kind: RegistryRead['kind'] }>();
  return {
    of(what: string): RegistryRead | null {
      const rest = rests.get(what);
      return rest && rest.untilMs > now() ? { kind: rest.kind, applied: null } : null;
    },
    begin(source: FieldSource, what: string, failure: RegistryFailure): RegistryRead {
      const kind = failureKind(failure);
      // Behind a wall the registry's door sends nothing until it opens again: a longer pause would outlast the wall.
      const restMs = (kind === 'walled' ? null : failure.retryAfterMs) ?? FAILED_RESTS_MS;
      rests.set(kind === 'failed' ? what : source, { untilMs: now() + restMs, kind });
      return { kind, applied: null };
    },
  };
}

/**
 * A successful list must not hide failing documents, which are the purpose of reading the registry: health shows their
 * failure.
 */
function createConnectorState() {
  /** By source: the last failure of a single page, until a document is read. */
  const lastDocument = new Map<FieldSource, Pick<ConnectorPoll, 'status' | 'message'>>();
  return (source: FieldSource, of: RegistryQuery<unknown>['of'], poll: ConnectorPoll): ConnectorPoll => {
    if (of === 'list') return poll.ok ? { ...poll, ...lastDocument.get(source) } : poll;
    const { status, message } = poll;
    if (OF_ITS_PAGE.has(status)) lastDocument.set(source, { status, message });
    else lastDocument.delete(source);
    return poll;
  };
}

/** A registry that throws or hangs counts as failed. */
async function replyTo<T>(
  deps: CollectDeps,
  source: FieldSource,
  send: (call: FeedCall) => Promise<FeedReply<T>>,
): Promise<FeedReply<T>> {
  try {
    return await within(DEADLINE_MS, undefined, (signal) => send({ signal, urgency: 'idle', whole: true }));
  } catch (err) {
    deps.log.error({ err, source }, 'a registry of results threw');
    const detail = 'the collector could not take the reply';
    return { kind: 'failed', reason: 'malformed', detail, retryAfterMs: null, observedAt: instantNow(deps) };
  }
}
