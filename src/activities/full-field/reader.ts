// Reads what registries publish of meetings that have run: each list and document once however many races ask for it, and not at all when it
// was read since. One that cannot be had rests for a while, and so does a registry that has put up a wall.

import type { Day, Instant } from '../../domain/race/race';
import { RESULTS_CONNECTOR } from '../../domain/registry/connectors';
import type { FieldSource } from '../../domain/results/field-coverage';
import type { FeedCall, FeedFailure, FeedReply } from '../../feeds/feed';
import type { ResultsRegistry } from '../../feeds/results-registry';
import { within } from '../../feeds/transport/deadline';
import { createTurns } from '../../feeds/transport/turns';
import type { ConnectorPoll } from '../../store/health';
import { type CollectDeps, instantNow } from '../deps';
import { healthOf } from '../polling/poll-book';
import { type FailureKind, failureKind, type RegistryFailure } from '../registry/registry-failure';
import { type AppliedDocument, applyDocument } from './join';

export interface RegistryRead {
  /**
   * `known`: held as new as it was asked for. Nothing more is to be asked of this registry now where it is `walled`, nor where it wants a
   * pause (`paused`).
   */
  readonly kind: 'read' | 'fresh' | FailureKind;
  /** What came of a document that was read. */
  readonly applied: AppliedDocument | null;
}

export interface ResultsReader {
  /** The list of one region's days, read at `since` or later. */
  list(registry: ResultsRegistry, region: string, days: DaySpan, since: Instant): Promise<RegistryRead>;
  /** One document, read at `since` or later; what it brings is taken into our results. */
  document(registry: ResultsRegistry, key: string, since: Instant): Promise<RegistryRead>;
}

/** Both inclusive. */
export interface DaySpan {
  readonly from: Day;
  readonly to: Day;
}

/** Wall. Pages are read one a second, so that one may wait for dozens. */
const DEADLINE_MS = 5 * 60_000;
const MINUTE_MS = 60_000;
/** Race time. */
const FAILED_RESTS_MS = MINUTE_MS;
const WALLED_RESTS_MS = 30 * MINUTE_MS;

interface RegistryQuery<T> {
  readonly source: FieldSource;
  readonly of: 'list' | 'document';
  /** Equal: the same query. */
  readonly what: string;
  readonly isFresh: () => Promise<boolean>;
  readonly send: (call: FeedCall) => Promise<FeedReply<T>>;
  /** How many rows changed, and what came of it. */
  readonly save: (
    value: T,
    at: Instant,
  ) => Promise<{ readonly written: number; readonly applied: AppliedDocument | null }>;
}

/** Failures of one page; the others are of the whole site, and a list that is read ends them. */
const OF_ITS_PAGE: ReadonlySet<string> = new Set<FeedFailure>([
  'http_error',
  'malformed',
  'not_found',
  'too_large',
  'wrong_content_type',
]);

export function createResultsReader(deps: CollectDeps): ResultsReader {
  const { published, health } = deps.stores;
  const underWay = new Map<string, Promise<RegistryRead>>();
  /** How many readings have ended. */
  let ended = 0;
  /** By query or source; race time. */
  const rests = new Map<string, { readonly untilMs: number; readonly kind: RegistryRead['kind'] }>();

  /** One at a time to a registry: of those that wait, none is to run into the wall that the one before has met. */
  const turns = new Map<FieldSource, ReturnType<typeof createTurns>>();
  /** By source: how the last document went. */
  const lastDocument = new Map<FieldSource, Pick<ConnectorPoll, 'status' | 'message'>>();

  function turnOf(source: FieldSource): ReturnType<typeof createTurns> {
    const turn = turns.get(source) ?? createTurns({ wait: async () => undefined });
    turns.set(source, turn);
    return turn;
  }

  /** A list that can be read says nothing of documents whose pages cannot: those are what the registry is read for. */
  function asConnector(source: FieldSource, of: RegistryQuery<unknown>['of'], poll: ConnectorPoll): ConnectorPoll {
    if (of === 'list') return poll.ok ? { ...poll, ...lastDocument.get(source) } : poll;
    const { status, message } = poll;
    if (OF_ITS_PAGE.has(status)) lastDocument.set(source, { status, message });
    else lastDocument.delete(source);
    return poll;
  }

  function resting(what: string): RegistryRead | null {
    const rest = rests.get(what);
    return rest && rest.untilMs > deps.now() ? { kind: rest.kind, applied: null } : null;
  }

  /**
   * Only a reading is shared: what is new enough for one who asks may be too old for another. Who looked while one ended may not have seen
   * what it saved, and looks again.
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
    const rest = resting(source) ?? resting(what);
    if (rest) return rest;
    const reply = await replyTo(deps, source, send);
    const saved = reply.kind === 'ok' ? await save(reply.value, reply.observedAt) : null;
    const poll = healthOf({ bookmakerKey: RESULTS_CONNECTOR[source] }, reply, saved?.written ?? 0);
    await health.recordPolls([asConnector(source, of, poll)]);
    if (reply.kind === 'failed') return letRest(source, what, reply);
    return { kind: 'read', applied: saved?.applied ?? null };
  }

  function letRest(source: FieldSource, what: string, failure: RegistryFailure): RegistryRead {
    const kind = failureKind(failure);
    const restMs = kind === 'walled' ? WALLED_RESTS_MS : (failure.retryAfterMs ?? FAILED_RESTS_MS);
    rests.set(kind === 'failed' ? what : source, { untilMs: deps.now() + restMs, kind });
    return { kind, applied: null };
  }

  return {
    list: (registry, region, { from, to }, since) => {
      const { source, category } = registry;
      return once({
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
      return once({
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

/** A registry that throws or hangs is one that failed. */
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
