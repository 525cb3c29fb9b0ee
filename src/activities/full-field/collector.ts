// Collects full fields (D25): one race for its pass, one region for the scheduled run, one race or day for an operator.
// Decides what to read and when; the reader reads, `join.ts` applies. One collector per process, so that a document is
// read once for all its races.

import type { Day, Instant } from '../../domain/race/race';
import { type FieldSource, fieldSource, nextFieldPass } from '../../domain/results/field-coverage';
import { addDays, aetDay } from '../../domain/time/aet';
import type { ResultsRegistry } from '../../feeds/results-registry';
import type { CollectedRace } from '../../store/registry/published-races';
import type { PublishedDocument } from '../../store/registry/published-results';
import { unlessCancelled } from '../activity-context';
import { type CollectDeps, instantNow } from '../deps';
import { registryUnavailable } from '../registry/registry-failure';
import { applyDocument } from './join';
import { createResultsReader, type DaySpan, type RegistryRead, type ResultsReader } from './reader';

/** The unit of a scheduled run: regions of one registry are read one after another. */
export interface RegistryRegion {
  readonly source: FieldSource;
  readonly region: string;
}

export interface CollectReport {
  /** Required lists and documents, whether read now or still fresh. */
  readonly documents: number;
  readonly failed: number;
  readonly filled: number;
  readonly refused: number;
  readonly abandoned: number;
}

/** The longest horizon (D25) and a day, so that the last pass is not cut off. */
const DAYS_BACK = 11;
/** Every run reads the documents of today and yesterday, except those that a race's pass read this recently. */
const FRESH_MS = 15 * 60_000;

export interface ResultsCollector {
  readonly regions: readonly RegistryRegion[];
  /**
   * Reads the documents about the race unless they were read at `since` or later. Returns whether its field is stored
   * now.
   */
  pass(raceId: string, since: Instant): Promise<boolean>;
  /** Reads what races without a field need from one region. `alive` is called after every document. */
  region(of: RegistryRegion, alive: () => void): Promise<CollectReport>;
  /** Reads one race, or all races of a day, now and in any state. */
  race(raceId: string): Promise<CollectReport>;
  day(day: Day): Promise<CollectReport>;
  /** Called when a result is saved: applies documents already stored. Does not call the registry. */
  applyPublished(raceId: string): Promise<void>;
}

export function createResultsCollector(deps: CollectDeps): ResultsCollector {
  return new Collector(deps);
}

class Collector implements ResultsCollector {
  private readonly reader: ResultsReader;

  constructor(private readonly deps: CollectDeps) {
    this.reader = createResultsReader(deps);
  }

  get regions(): readonly RegistryRegion[] {
    return this.deps.resultsRegistries.flatMap(({ source, regions }) => regions.map((region) => ({ source, region })));
  }

  async pass(raceId: string, since: Instant): Promise<boolean> {
    const { published } = this.deps.stores;
    const race = await published.race(raceId);
    if (race && race.fieldStatus !== 'complete') await this.collect(race, since, new Tally());
    return (await published.race(raceId))?.fieldStatus === 'complete';
  }

  async race(raceId: string): Promise<CollectReport> {
    const race = await this.deps.stores.published.race(raceId);
    if (!race) throw new Error(`there is no race ${raceId}`);
    const registry = this.registryOf(race);
    if (!registry) throw new Error(`no registry publishes the field of this race (${race.category})`);
    const tally = new Tally();
    await this.collectNow(registry, [race], race.meetingDate, tally);
    return tally;
  }

  async day(day: Day): Promise<CollectReport> {
    const tally = new Tally();
    for (const registry of this.deps.resultsRegistries) {
      const races = await this.deps.stores.published.racesOn(registry.category, day);
      if (races.length > 0) await this.collectNow(registry, races, day, tally);
    }
    return tally;
  }

  async applyPublished(raceId: string): Promise<void> {
    const race = await this.deps.stores.published.race(raceId);
    const registry = race && this.registryOf(race);
    if (!race || !registry) return;
    const documents = await this.documents(registry, [race], { from: race.meetingDate, to: race.meetingDate });
    for (const { document } of documents) if (document.asOf !== null) await applyDocument(this.deps, document);
  }

  async region({ source, region }: RegistryRegion, alive: () => void): Promise<CollectReport> {
    const tally = new Tally();
    const registry = this.deps.resultsRegistries.find((each) => each.source === source);
    if (!registry) return tally;
    const today = aetDay(this.deps.now());
    const races = await this.deps.stores.published.wanting(registry.category, addDays(today, -DAYS_BACK), today);
    const days = races.map(({ meetingDate }) => meetingDate).sort();
    if (days.length === 0) return tally;
    const span = { from: days[0]!, to: days.at(-1)! };
    tally.addList(await unlessCancelled(this.reader.list(registry, region, span, instantNow(this.deps))));
    alive();
    for (const { document, about } of await this.documents(registry, races, span)) {
      if (document.region !== region || tally.stopped) continue;
      const since = this.dueSince(document, about);
      if (since === null) await applyDocument(this.deps, document);
      else await this.read(registry, document, since, tally);
      alive();
    }
    tally.mustHaveRead(`${source} ${region}`);
    return tally;
  }

  /**
   * The instant since which the document must have been read; null when it was read since the last pass over its races
   * became due. Every run reads today's and yesterday's documents: a registry may publish early, and it abandons
   * meetings on the day.
   */
  private dueSince({ day, asOf }: PublishedDocument, about: readonly CollectedRace[]): Instant | null {
    const now = this.deps.now();
    if (asOf === null || day >= addDays(aetDay(now), -1)) return new Date(now - FRESH_MS).toISOString();
    const due = about.flatMap((race) => nextFieldPass(race, asOf) ?? []);
    return due.some((pass) => Date.parse(pass) <= now) ? instantNow(this.deps) : null;
  }

  private async collectNow(registry: ResultsRegistry, races: readonly CollectedRace[], day: Day, tally: Tally) {
    const since = instantNow(this.deps);
    await this.lists(registry, day, since, tally);
    const documents = await this.documents(registry, races, { from: day, to: day });
    for (const { document } of documents) await this.read(registry, document, since, tally);
  }

  /** Reads one race's documents, and first the lists of its day when no stored document covers it. */
  private async collect(race: CollectedRace, since: Instant, tally: Tally): Promise<void> {
    const registry = this.registryOf(race);
    if (!registry) return;
    const span = { from: race.meetingDate, to: race.meetingDate };
    const listed = await this.documents(registry, [race], span);
    if (listed.length === 0) await this.lists(registry, race.meetingDate, since, tally);
    const documents = listed.length > 0 ? listed : await this.documents(registry, [race], span);
    for (const { document } of documents) await this.read(registry, document, since, tally);
  }

  private async lists(registry: ResultsRegistry, day: Day, since: Instant, tally: Tally): Promise<void> {
    for (const region of registry.regions) {
      if (!tally.stopped)
        tally.addList(await unlessCancelled(this.reader.list(registry, region, { from: day, to: day }, since)));
    }
  }

  /** Applies the document even if it was read before: the race's result may have arrived since. */
  private async read(registry: ResultsRegistry, document: PublishedDocument, since: Instant, tally: Tally) {
    const reading = await unlessCancelled(this.reader.document(registry, document.key, since));
    tally.add({ ...reading, applied: reading.applied ?? (await applyDocument(this.deps, document)) });
  }

  private async documents({ source }: ResultsRegistry, races: readonly CollectedRace[], { from, to }: DaySpan) {
    const documents = await this.deps.stores.published.documents(source, from, to);
    return documents.flatMap((document) => {
      const about = races.filter((race) => isAbout(document, race));
      return about.length > 0 ? [{ document, about }] : [];
    });
  }

  private registryOf({ category, country }: CollectedRace): ResultsRegistry | undefined {
    const source = fieldSource(category, country);
    return this.deps.resultsRegistries.find((registry) => registry.source === source);
  }
}

const isAbout = ({ raceIds, day, venueId }: PublishedDocument, race: CollectedRace): boolean =>
  raceIds.includes(race.raceId) || (day === race.meetingDate && venueId === race.venueId);

class Tally implements CollectReport {
  documents = 0;
  failed = 0;
  filled = 0;
  refused = 0;
  abandoned = 0;
  private walled = false;
  private paused = false;
  /** A list could not be read: nothing is known about its contents. */
  private unlisted = false;

  get stopped(): boolean {
    return this.walled || this.paused;
  }

  add({ kind, applied }: RegistryRead): void {
    this.documents += 1;
    if (kind !== 'read' && kind !== 'fresh') this.failed += 1;
    if (kind === 'walled') this.walled = true;
    if (kind === 'paused') this.paused = true;
    this.filled += applied?.filled.length ?? 0;
    this.refused += applied?.refused ?? 0;
    this.abandoned += applied?.abandoned ?? 0;
  }

  addList(read: RegistryRead): void {
    this.add(read);
    if (read.kind === 'failed') this.unlisted = true;
  }

  /**
   * Throws when nothing could be read, or no list, so that the activity is retried. Behind a wall there is no retry
   * before the next run.
   */
  mustHaveRead(what: string): void {
    if (this.walled) return;
    if (this.paused) throw registryUnavailable(`a pause before the rest of ${what}`);
    if (this.failed === this.documents) throw registryUnavailable(`no document of ${what} could be read`);
    if (this.unlisted) throw registryUnavailable(`the list of ${what} could not be read`);
  }
}
