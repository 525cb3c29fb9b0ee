// Reads the runs of past meetings that the service did not follow (D53), registry by registry, newest first: the list
// of a month, then its meetings, then the month before. Every page is stored at once, so that a pass continues where
// the previous one stopped; customers' pages go first.
import { isWhole, nextMonth, runsOfMeeting } from '../../domain/form/history';
import { RESULTS_CONNECTOR } from '../../domain/registry/connectors';
import { aetDay } from '../../domain/time/aet';
import type { FeedReply } from '../../feeds/feed';
import type { ResultsRegistry } from '../../feeds/results-registry';
import type { HistoryMeeting } from '../../store/runs/history';
import { unlessCancelled } from '../activity-context';
import { type ActivityDeps, instantNow } from '../deps';
import { healthOf } from '../polling/poll-book';
import { failureKind } from '../registry/registry-failure';

export interface HistoryReport {
  /** Pages read. */
  readonly read: number;
  readonly failed: number;
  readonly runs: number;
}

type HistoryDeps = Pick<ActivityDeps, 'now' | 'wallMs' | 'resultsRegistries'> & {
  readonly stores: Pick<ActivityDeps['stores'], 'history' | 'health'>;
};

/** Wall. The rest is for the next pass. */
const PASS_MS = 45 * 60_000;
/** Race time. Within a day the authorities have published everything. */
const BETWEEN_TRIES_MS = 6 * 3600_000;
const MOST_TRIES = 4;
/** This many failures in a row are the site's, not the pages'. */
const GIVE_UP_AFTER = 3;

/** `alive` is called after every page. */
export async function collectHistory(deps: HistoryDeps, alive: () => void): Promise<HistoryReport> {
  const report = { read: 0, failed: 0, runs: 0 };
  const untilMs = deps.wallMs() + PASS_MS;
  await Promise.all(
    deps.resultsRegistries.map((registry) => new Reading(deps, registry, report, alive).until(untilMs)),
  );
  return report;
}

class Reading {
  /** Lists that failed in this pass. */
  private readonly failed = new Set<string>();
  private inARow = 0;
  private stopped = false;

  constructor(
    private readonly deps: HistoryDeps,
    private readonly registry: ResultsRegistry,
    private readonly report: { -readonly [K in keyof HistoryReport]: HistoryReport[K] },
    private readonly alive: () => void,
  ) {}

  async until(wallMs: number): Promise<void> {
    while (!this.stopped && this.deps.wallMs() < wallMs && (await this.step()));
  }

  /** False: nothing is due. The list of a month comes before its meetings, and newer meetings before the list. */
  private async step(): Promise<boolean> {
    const { history } = this.deps.stores;
    const { source, regions } = this.registry;
    const today = aetDay(this.deps.now());
    const open = regions.filter((region) => !this.failed.has(region));
    const month = nextMonth(await history.months(source), open, this.registry.beginsOn(today), today);
    const meeting = await history.next(source, instantNow(this.deps));
    if (month && (meeting === null || meeting.day <= month.to)) await this.list(month);
    else if (meeting) await this.meeting(meeting);
    return month !== null || meeting !== null;
  }

  private async list(due: NonNullable<ReturnType<typeof nextMonth>>): Promise<void> {
    const { source, category } = this.registry;
    const { region, month, from, to } = due;
    const reply = await this.page(this.registry.listings(region, from, to, IDLE, 'history'));
    if (reply.kind === 'ok') {
      const list = { source, category, region, month, listings: reply.value };
      await this.deps.stores.history.saveMonth(list, instantNow(this.deps));
    } else this.failed.add(region);
    await this.note(reply, 0);
  }

  private async meeting({ source, key, tries }: HistoryMeeting): Promise<void> {
    const reply = await this.page(this.registry.meeting(key, IDLE, 'history'));
    const runs = reply.kind === 'ok' ? runsOfMeeting(reply.value) : [];
    const tried = tries + Number(isAnswer(reply));
    const isDone = tried >= MOST_TRIES || (reply.kind === 'ok' && isWhole(reply.value));
    const nextTryAt = isDone ? null : new Date(this.deps.now() + BETWEEN_TRIES_MS).toISOString();
    if (!isRefused(reply)) await this.deps.stores.history.saveMeeting({ source, key }, runs, { tried, nextTryAt });
    this.report.runs += runs.length;
    await this.note(reply, runs.length);
  }

  private async page<T>(request: Promise<FeedReply<T>>): Promise<FeedReply<T>> {
    const reply = await unlessCancelled(request);
    this.alive();
    this.report[reply.kind === 'failed' ? 'failed' : 'read'] += 1;
    this.inARow = reply.kind === 'failed' ? this.inARow + 1 : 0;
    if (isRefused(reply) || this.inARow >= GIVE_UP_AFTER) this.stopped = true;
    return reply;
  }

  private note(reply: FeedReply<unknown>, written: number): Promise<void> {
    const bookmakerKey = RESULTS_CONNECTOR[this.registry.source];
    return this.deps.stores.health.recordPolls([healthOf({ bookmakerKey }, reply, written)]);
  }
}

const IDLE = { urgency: 'idle', whole: true } as const;

/** The site's answer for this meeting. A site that is away has not answered, so that is not a try. */
const ANSWERS: readonly Failure['reason'][] = ['not_found', 'malformed', 'wrong_content_type', 'too_large'];
const isAnswer = (reply: FeedReply<unknown>): boolean => reply.kind !== 'failed' || ANSWERS.includes(reply.reason);

/** A wall, a pause, or other pages took every turn: the meeting was not called. */
const isRefused = (reply: FeedReply<unknown>): boolean =>
  reply.kind === 'failed' && (failureKind(reply) !== 'failed' || reply.reason === 'over_budget');

type Failure = Extract<FeedReply<unknown>, { kind: 'failed' }>;
