// The collectors of full fields (D25): one race for its pass, one region for the run that looks after all of them, and what an operator asks
// for now. One of them in a process, so that a document is read once for all its races. What is asked, and when, is decided here; the rest is
// the reader's and the joiner's.

import type { Day, Instant } from '../../domain/race/race';
import { type FieldSource, fieldSource, nextFieldPass } from '../../domain/results/field-coverage';
import { addDays, aetDay } from '../../domain/time/aet';
import type { ResultsRegistry } from '../../feeds/results-registry';
import type { CollectedRace } from '../../store/registry/published-races';
import type { PublishedDocument } from '../../store/registry/published-results';
import { type CollectDeps, instantNow } from '../deps';
import { registryUnavailable } from '../registry/registry-failure';
import { applyDocument } from './join';
import { createResultsReader, type DaySpan, type RegistryRead, type ResultsReader } from './reader';

/** One thing to ask at a time. */
export interface RegistryRegion {
  readonly source: FieldSource;
  readonly region: string;
}

export interface CollectReport {
  /** Lists and documents that were asked for or were known. */
  readonly documents: number;
  readonly failed: number;
  readonly filled: number;
  readonly refused: number;
  readonly abandoned: number;
}

/** The longest horizon (D25) and a day, so that the last pass is not cut off. */
const DAYS_BACK = 11;
/** A document of today or yesterday is read by every run; one that a race's pass has just read is not. */
const FRESH_MS = 15 * 60_000;

export interface ResultsCollector {
  readonly regions: readonly RegistryRegion[];
  /** Reads what is published of the race unless that was read at `since` or later; whether its field is held now. */
  pass(raceId: string, since: Instant): Promise<boolean>;
  /** Whatever races still want of one region. `alive` is called after every document. */
  region(of: RegistryRegion, alive: () => void): Promise<CollectReport>;
  /** One race, or all of a day, now and whatever their state. */
  race(raceId: string): Promise<CollectReport>;
  day(day: Day): Promise<CollectReport>;
  /** A result has come: what is held of the race is taken now. The registry is not asked. */
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
    tally.add(await this.reader.list(registry, region, span, instantNow(this.deps)));
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
   * The instant since which the document must have been read; null: it was read since any pass over its races became due. Today's and
   * yesterday's are read by every run, for a registry may be early and abandons its meetings on the day.
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

  /** One race's documents; the lists of its day first where none is known to be about it. */
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
      if (!tally.stopped) tally.add(await this.reader.list(registry, region, { from: day, to: day }, since));
    }
  }

  /** What was read before is taken all the same: the result may have come since. */
  private async read(registry: ResultsRegistry, document: PublishedDocument, since: Instant, tally: Tally) {
    const reading = await this.reader.document(registry, document.key, since);
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

  /** Of a site that shows a wall nothing is expected before the next run. */
  mustHaveRead(what: string): void {
    if (this.walled || (!this.paused && this.failed < this.documents)) return;
    const message = this.paused ? `a pause before the rest of ${what}` : `no document of ${what} could be read`;
    throw registryUnavailable(message);
  }
}
