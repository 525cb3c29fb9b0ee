// One round of the sports feed (ADR 0023): due sports are polled, the nearest start first, as far as the month's
// credits allow. All state of a round is in the database, so that any process continues where another ended. Lists are
// free: they come before the first call that costs, and after each that failed, so that an unresponsive source costs
// nothing.

import { setTimeout as delay } from 'node:timers/promises';
import { creditLimit, creditMonthOf, dueAtMs } from '../../domain/sports/feed-plan';
import { toWallDelayMs } from '../../domain/time/clock';
import type { Metered } from '../../feeds/sports-feed';
import type { FeedSportLevel } from '../../store/sports/feed-levels';
import { stillWanted, unlessCancelled } from '../activity-context';
import { instantNow, type SportsDeps } from '../deps';
import { healthOf } from '../polling/poll-book';
import { saveOdds } from './save-odds';

export interface SportsRound {
  /** Until the next round. Wall time. Null: there is no sports feed. */
  readonly waitMs: number | null;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** Lists are read again after this long, and no round waits longer. */
const LISTS_EVERY_MS = 15 * MINUTE_MS;
/** Sports that had no credits, or failed, are retried in a later round. */
const AGAIN_MS = 30 * SECOND_MS;
/** A refused key, or one without credits. */
const REFUSED_FOR_MS = 15 * MINUTE_MS;
/** Lists of starts that fail in a row before the round ends. */
const MOST_FAILURES = 3;
/** Turns at the source's rate, and the wait for one. Wall. */
const MOST_TURNS = 5;
const LONGEST_TURN_MS = SECOND_MS;

export async function pollSports(deps: SportsDeps, alive: () => void = () => undefined): Promise<SportsRound> {
  if (!deps.sportsFeed) return { waitMs: null };
  const raceMs = await new Round(deps, deps.sportsFeed, alive).run();
  return { waitMs: Math.max(SECOND_MS, toWallDelayMs(deps.clock, raceMs)) };
}

type Configured = NonNullable<SportsDeps['sportsFeed']>;

class Round {
  /** How long the source is left alone; null: the round continues. */
  private endedForMs: number | null = null;

  constructor(
    private readonly deps: SportsDeps,
    private readonly of: Configured,
    private readonly alive: () => void,
  ) {}

  async run(): Promise<number> {
    if (mustList(await this.levels(), this.deps.now())) await this.list();
    if (this.endedForMs === null) await this.readStarts();
    if (this.endedForMs === null) await this.pollDue();
    return this.endedForMs ?? untilNext(await this.levels(), this.deps.now());
  }

  private levels(): Promise<readonly FeedSportLevel[]> {
    return this.deps.stores.feedLevels.sports(this.of.feed.source);
  }

  private async list(): Promise<void> {
    const sports = await this.free(() => this.of.feed.sports());
    if (sports) await this.deps.stores.feedLevels.saveSports(this.of.feed.source, sports, instantNow(this.deps));
    else this.endedForMs ??= AGAIN_MS;
  }

  private async readStarts(): Promise<void> {
    let failures = 0;
    for (const { sourceKey } of (await this.levels()).filter((one) => startsAreOld(one, this.deps.now()))) {
      if (this.endedForMs !== null || failures === MOST_FAILURES) return;
      const starts = await this.free(() => this.of.feed.starts(sourceKey));
      if (starts) await this.saveStart(sourceKey, starts);
      else failures += 1;
    }
  }

  private saveStart(sourceKey: string, starts: readonly string[]): Promise<void> {
    const next = starts
      .filter((one) => Date.parse(one) > this.deps.now())
      .toSorted((a, b) => Date.parse(a) - Date.parse(b));
    return this.deps.stores.feedLevels.saveStart(
      this.of.feed.source,
      sourceKey,
      next[0] ?? null,
      instantNow(this.deps),
    );
  }

  private async pollDue(): Promise<void> {
    const due = (await this.levels()).filter((one) => dueOf(one, this.deps.now()) <= this.deps.now());
    for (const one of due.toSorted((a, b) => Date.parse(a.nextStart!) - Date.parse(b.nextStart!))) {
      if (this.endedForMs !== null) return;
      await this.poll(one);
    }
  }

  private async poll({ sourceKey, sportKey, nextStart }: FeedSportLevel): Promise<void> {
    stillWanted();
    const { feed, monthlyCredits } = this.of;
    const { feedLevels } = this.deps.stores;
    const nowMs = this.deps.now();
    const order = { source: feed.source, month: creditMonthOf(nowMs), credits: feed.creditsPerCall };
    const limit = creditLimit(monthlyCredits, nowMs, Date.parse(nextStart!) - nowMs);
    if (!(await feedLevels.take(order, limit))) return this.count('over_credits');
    await feedLevels.saveTry(feed.source, sourceKey, instantNow(this.deps));
    const metered = await this.send(() => feed.odds({ sourceKey, sportKey }, { urgency: 'near' }));
    const { reply } = metered;
    const isUnsent = reply.kind === 'failed' && (reply.reason === 'over_budget' || reply.reason === 'breaker_open');
    await feedLevels.settle(order, isUnsent ? NOTHING_SENT : metered.credits, reply.observedAt);
    if (reply.kind !== 'ok') return this.failed(metered);
    await saveOdds(this.deps, { source: feed.source, sourceKey, sportKey }, reply);
    await this.saveStart(sourceKey, reply.value.starts);
  }

  /** A call that finds its rate used up waits for its turn, a few times. */
  private async send<T>(call: () => Promise<Metered<T>>): Promise<Metered<T>> {
    for (let tried = 1; ; tried++) {
      const metered = await unlessCancelled(call());
      this.alive();
      const { reply } = metered;
      if (reply.kind !== 'failed' || reply.reason !== 'over_budget' || tried === MOST_TURNS) return metered;
      await unlessCancelled(delay(Math.min(LONGEST_TURN_MS, reply.retryAfterMs ?? LONGEST_TURN_MS)));
    }
  }

  /** Null: it failed. */
  private async free<T>(call: () => Promise<Metered<T>>): Promise<T | null> {
    const metered = await this.send(call);
    const { reply, credits } = metered;
    const order = { source: this.of.feed.source, month: creditMonthOf(this.deps.now()), credits: 0 };
    if (credits.remaining !== null) await this.deps.stores.feedLevels.settle(order, credits, reply.observedAt);
    if (reply.kind === 'ok') {
      await this.deps.stores.health.recordPolls([healthOf({ bookmakerKey: this.of.feed.source }, reply, 0)]);
      return reply.value;
    }
    await this.failed(metered);
    return null;
  }

  private async failed({ reply }: Metered<unknown>): Promise<void> {
    if (reply.kind !== 'failed') return;
    await this.deps.stores.health.recordPolls([healthOf({ bookmakerKey: this.of.feed.source }, reply, 0)]);
    if (reply.reason === 'blocked') this.endedForMs = REFUSED_FOR_MS;
    else if (reply.retryAfterMs !== null)
      this.endedForMs = Math.min(LISTS_EVERY_MS, Math.max(AGAIN_MS, reply.retryAfterMs));
  }

  private count(reason: string): Promise<void> {
    const counts = [{ kind: 'refused', reason, count: 1 }] as const;
    const nothing = { ok: true, status: 'ok', message: null, recordsWritten: 0, sent: false };
    return this.deps.stores.health.recordPolls([
      { connector: this.of.feed.source, at: instantNow(this.deps), ...nothing, counts },
    ]);
  }
}

const NOTHING_SENT = { last: 0, used: null, remaining: null };

/** Null if it never was, or if it is in the future because a clock was set back. */
const msOf = (instant: string | null, nowMs: number): number | null => {
  const ms = instant === null ? Number.POSITIVE_INFINITY : Date.parse(instant);
  return ms <= nowMs ? ms : null;
};

const isOld = (instant: string | null, nowMs: number): boolean =>
  (msOf(instant, nowMs) ?? -Infinity) <= nowMs - LISTS_EVERY_MS;

/** Also after a failed call for prices: a list that comes shows that the source answers. */
const mustList = (levels: readonly FeedSportLevel[], nowMs: number): boolean =>
  levels.length === 0 || levels.some((one) => isOld(one.listedAt, nowMs) || hasFailed(one, nowMs));

function hasFailed({ triedAt, polledAt, listedAt }: FeedSportLevel, nowMs: number): boolean {
  const tried = msOf(triedAt, nowMs);
  return tried !== null && tried > (msOf(polledAt, nowMs) ?? -Infinity) && tried >= Date.parse(listedAt);
}

const startsAreOld = ({ startsAt, nextStart }: FeedSportLevel, nowMs: number): boolean =>
  isOld(startsAt, nowMs) || (nextStart !== null && Date.parse(nextStart) <= nowMs);

/** Infinity: it has no upcoming start. */
const dueOf = ({ nextStart, triedAt }: FeedSportLevel, nowMs: number): number =>
  nextStart === null || Date.parse(nextStart) <= nowMs
    ? Number.POSITIVE_INFINITY
    : dueAtMs(Date.parse(nextStart), msOf(triedAt, nowMs));

function untilNext(levels: readonly FeedSportLevel[], nowMs: number): number {
  const due = levels.map((one) => {
    // Its starts could not be read; or its prices, and a list shows whether the source answers.
    if (startsAreOld(one, nowMs) || hasFailed(one, nowMs)) return nowMs + AGAIN_MS;
    const ms = dueOf(one, nowMs);
    const startMs = one.nextStart === null ? Number.POSITIVE_INFINITY : Date.parse(one.nextStart);
    return Math.min(ms <= nowMs ? nowMs + AGAIN_MS : ms, startMs <= nowMs ? nowMs + AGAIN_MS : startMs);
  });
  return Math.max(0, Math.min(LISTS_EVERY_MS, ...due.map((ms) => ms - nowMs)));
}
