// Reads one state of the thoroughbred registry, document after document: calendar, acceptances, scratchings, track
// conditions. A failed document is counted and the next one is read. Joined data is merged into our races.
import { REGISTRY, type RegistryListing, type RegistryState } from '../../domain/registry/registry';
import { stateDay } from '../../domain/registry/state-time';
import type { FeedReply } from '../../feeds/feed';
import type { RegistryFeed } from '../../feeds/racing-australia/fetch';
import { unlessCancelled } from '../activity-context';
import type { RegistryDeps } from '../deps';
import { healthOf } from '../polling/poll-book';
import { joinRegistry } from './join-registry';
import { failureKind, LIMITED_FOR_MS, type RegistryFailure, registryUnavailable } from './registry-failure';

export interface RegistryReport {
  readonly meetings: number;
  readonly documents: number;
  readonly failed: number;
  readonly changes: number;
}

/** `alive` is called after every document: many of them, a second apart, take minutes. */
export async function readRegistry(
  deps: RegistryDeps,
  state: RegistryState,
  alive: () => void = () => undefined,
): Promise<RegistryReport> {
  if (!deps.registry) return { meetings: 0, documents: 0, failed: 0, changes: 0 };
  const reading = new StateReading(deps, deps.registry, alive);
  const listings = [...(await reading.calendar(state)), ...(await reading.missed(state))];
  for (const listing of listings) await reading.meeting(listing);
  await reading.tracks(state);
  await joinRegistry(deps);
  reading.mustHaveRead(state);
  return { meetings: listings.length, ...reading.counts };
}

class StateReading {
  readonly counts = { documents: 0, failed: 0, changes: 0 };
  private walled = false;
  /** A list of meetings could not be read: nothing is known about its contents. */
  private unlisted = false;
  /** The pause that the registry requested, in ms; null: none. */
  private pauseMs: number | null = null;

  constructor(
    private readonly deps: RegistryDeps,
    private readonly feed: RegistryFeed,
    private readonly alive: () => void,
  ) {}

  async calendar(state: RegistryState): Promise<readonly RegistryListing[]> {
    const { registry } = this.deps.stores;
    let listings: readonly RegistryListing[] | null = null;
    await this.read(this.feed.calendar(state), async (value, at) => {
      listings = value;
      await registry.saveCalendar(value, at);
      return 0;
    });
    return this.listed(listings);
  }

  /**
   * Meetings in progress whose acceptances were never read, because we were not running when they were on the calendar.
   */
  async missed(state: RegistryState): Promise<readonly RegistryListing[]> {
    const { registry } = this.deps.stores;
    let missed: readonly RegistryListing[] | null = null;
    if (this.stopped) return [];
    await this.read(this.feed.underWay(state, stateDay(this.deps.now(), state)), async (value, at) => {
      const unread = await registry.unread(value.map(({ key }) => key));
      missed = value.filter(({ key }) => unread.has(key));
      await registry.saveCalendar(missed, at);
      return 0;
    });
    return this.listed(missed);
  }

  private listed(listings: readonly RegistryListing[] | null): readonly RegistryListing[] {
    if (listings === null) this.unlisted = true;
    return listings ?? [];
  }

  async meeting({ key, acceptances, scratchings }: RegistryListing): Promise<void> {
    const { registry } = this.deps.stores;
    if (acceptances && !this.stopped) {
      await this.read(this.feed.acceptances(key), (card, at) => registry.saveAcceptances(card, at));
    }
    if (scratchings && !this.stopped) {
      await this.read(this.feed.scratchings(key), (sheet, at) => registry.saveSheet(sheet, at));
    }
  }

  async tracks(state: RegistryState): Promise<void> {
    if (this.stopped) return;
    const { registry } = this.deps.stores;
    await this.read(this.feed.trackConditions(state), (rows, at) => registry.saveTracks(state, rows, at));
  }

  /**
   * Throws when nothing could be read, or no list of meetings, so that the activity is retried. Behind a wall there is
   * no retry before the next run.
   */
  mustHaveRead(state: RegistryState): void {
    const { documents, failed } = this.counts;
    if (this.walled) return;
    if (this.pauseMs !== null) throw registryUnavailable(`a pause before the rest of ${state}`, this.pauseMs);
    if (failed === documents) throw registryUnavailable(`no document of ${state} could be read`);
    if (this.unlisted) throw registryUnavailable(`a list of the meetings of ${state} could not be read`);
  }

  private get stopped(): boolean {
    return this.walled || this.pauseMs !== null;
  }

  private async read<T>(
    request: Promise<FeedReply<T>>,
    save: (value: T, at: string) => Promise<number>,
  ): Promise<void> {
    const reply = await unlessCancelled(request);
    this.alive();
    const written = reply.kind === 'ok' ? await save(reply.value, reply.observedAt) : 0;
    this.counts.documents += 1;
    this.counts.changes += written;
    if (reply.kind === 'failed') this.noteFailure(reply);
    await this.deps.stores.health.recordPolls([healthOf({ bookmakerKey: REGISTRY }, reply, written)]);
  }

  private noteFailure(failure: RegistryFailure): void {
    this.counts.failed += 1;
    const kind = failureKind(failure);
    if (kind === 'walled') this.walled = true;
    if (kind === 'paused') this.pauseMs = failure.retryAfterMs ?? LIMITED_FOR_MS;
  }
}
