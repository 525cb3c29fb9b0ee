// The year, day by day: what happens at which hour, and what is looked at afterwards.
import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import type { Day } from '../../../src/domain/race/race';
import { addDays, aetDayBounds } from '../../../src/domain/time/aet';
import { cardOf, hoursOf } from './card';
import type { SteppedClock } from './clock';
import { type Customer, openCustomer } from './customer';
import { JOBS, type JobName } from './jobs';
import { type Archives, openArchives } from './judges/archives';
import { judgeFiles } from './judges/bulk';
import { type Census, takeCensus } from './judges/census';
import { judgeDays } from './judges/days';
import { type Ledger, monthsBefore, openLedger } from './judges/ledger';
import { judgeOrders } from './judges/orders';
import { judgeParts } from './judges/parts';
import { openMatches, type Push } from './matches';
import { liveRace, racesOfDay } from './races';
import type { YearService } from './service';

const HOUR_MS = 3_600_000;
const WEEK = 7;
const MONTH = 30;
/** Not ordered before. */
const KNOWN_HORSES = 'SELECT DISTINCT name FROM registry_runners ORDER BY 1 OFFSET $1 LIMIT 3';
/** Months of the customer's calls before the year, of which one is closed in each of its months. */
export const PAST_MONTHS = 14;

export interface YearParts {
  readonly clock: SteppedClock;
  readonly service: YearService;
  readonly owner: Pool;
  readonly redis: Redis;
  readonly days: readonly Day[];
  readonly say: (line: string) => void;
}

export interface YearEnd {
  readonly broken: readonly string[];
  readonly censuses: readonly Census[];
  readonly races: number;
  readonly archived: number;
  readonly closed: readonly string[];
  readonly calls: number;
  readonly horses: number;
  /** Of Redis, after the calls of a day. */
  readonly mostKeys: number;
  readonly events: number;
  readonly tookMs: ReadonlyMap<string, number>;
}

export async function liveYear(parts: YearParts): Promise<YearEnd> {
  const { service, owner, clock } = parts;
  const push = await openMatches(service, owner, clock.wallMs);
  const year = new Year(parts, await openCustomer(service, owner, clock.wallMs), push);
  try {
    await year.past();
    for (const [index, day] of parts.days.entries()) await year.day(day, index);
    return await year.end();
  } finally {
    await year.customer.close();
  }
}

class Year {
  private readonly broken: string[] = [];
  private readonly censuses: Census[] = [];
  private readonly tookMs = new Map<string, number>();
  private readonly archives: Archives;
  private readonly ledger: Ledger;
  private races = 0;
  private closedMonth = '';
  private stated = 0;
  private mostKeys = 0;

  constructor(
    private readonly parts: YearParts,
    readonly customer: Customer,
    private readonly push: Push,
  ) {
    this.archives = openArchives(parts.owner);
    this.ledger = openLedger(parts.owner);
  }

  /** The customer's months before the year. */
  async past(): Promise<void> {
    const { clock, days } = this.parts;
    const firstMs = aetDayBounds(days[0]!).startMs;
    for (let month = PAST_MONTHS; month > 0; month--) {
      await clock.to(Date.parse(`${monthsBefore(days[0]!, month)}-15`));
      for (let call = 0; call < 3; call++) await this.customer.get('/v1/racing/results?hours_back=24');
    }
    await clock.to(firstMs - 10 * HOUR_MS);
    await this.job('webhook-sweep');
    await this.job('meeting-discovery');
  }

  async day(day: Day, index: number): Promise<void> {
    const { clock, service } = this.parts;
    const { startMs, endMs } = aetDayBounds(day);
    const hour = (n: number): Promise<void> => clock.to(startMs + n * HOUR_MS);
    const night = await racesOfDay(service, day);
    const before = index === 0 ? [] : await racesOfDay(service, addDays(day, -1));
    await hour(1);
    await this.live([...before, ...night], startMs - HOUR_MS, startMs + 6 * HOUR_MS);
    await hour(7);
    await this.morning(index);
    await hour(9);
    await this.job('meeting-discovery');
    await this.timed('pushes', () => this.push(day, 0));
    await this.live(night, startMs + 6 * HOUR_MS, startMs + 15 * HOUR_MS);
    await this.closeMonth();
    await this.timed('pushes', () => this.push(day, 1));
    await this.afternoon(day, index);
    await this.live(night, startMs + 15 * HOUR_MS, endMs - HOUR_MS);
    await this.job('webhook-sweep');
    await this.timed('posts', () => service.posted(this.parts.owner));
    this.broken.push(...(await judgeParts(this.parts.owner, clock.wallMs())));
    if ((index + 1) % MONTH === 0 || index + 1 === this.parts.days.length) await this.count(index + 1);
  }

  /** Those that start in between, together. */
  private async live(races: readonly { id: string; start: string }[], fromMs: number, untilMs: number): Promise<void> {
    const { clock, service } = this.parts;
    const own = races.filter(({ start }) => Date.parse(start) >= fromMs && Date.parse(start) < untilMs);
    if (own.length === 0) return;
    await clock.to(Date.parse(own.at(-1)!.start) + 80 * 60_000);
    await this.timed('races', () =>
      Promise.all(own.map(async (race) => this.archives.lived(race.id, await liveRace(service, clock, race)))),
    );
    this.races += own.length;
  }

  /** The jobs of a night, in the order of their minutes. */
  private async morning(index: number): Promise<void> {
    const jobs: JobName[] = [
      'archive-past',
      'fill-runs',
      'bulk-files',
      'backfill-sweep',
      'webhook-sweep',
      'uptime-probe',
      'audit-credits',
    ];
    if (index % WEEK === 0) jobs.unshift('registry-state', 'registry-join', 'collect-results', 'run-history');
    for (const job of jobs) await this.job(job);
    await this.timed('orders', () => this.customer.collect());
    this.broken.push(...(await this.timed('comparing', () => this.archives.note())));
    await this.timed('housekeeping', () => this.parts.service.housekeeping());
  }

  /** On the 2nd at 03:00 UTC, on the wall clock. */
  private async closeMonth(): Promise<void> {
    const wall = new Date(this.parts.clock.wallMs()).toISOString();
    const month = wall.slice(0, 7);
    if (wall.slice(8, 10) !== '02' || month === this.closedMonth) return;
    this.closedMonth = month;
    this.broken.push(...(await this.ledger.close(month, () => this.job('close-credits'))));
  }

  private async afternoon(day: Day, index: number): Promise<void> {
    const yesterday = addDays(day, -1);
    await this.timed('calls', async () => {
      await this.customer.get(`/v1/racing/results?date=${yesterday}`);
      await this.customer.get('/v1/racing/next-to-go');
      await this.customer.get(`/v1/racing/closing-lines?from=${yesterday}&to=${yesterday}`);
      if (index % WEEK === 3) await this.customer.get(`/v1/bulk/closing_lines/${yesterday}?format=csv`);
    });
    this.mostKeys = Math.max(this.mostKeys, await this.parts.redis.dbsize());
    if (index % MONTH === 5) await this.timed('orders', () => this.order());
  }

  private async order(): Promise<void> {
    const { rows } = await this.parts.owner.query<{ name: string }>(KNOWN_HORSES, [this.customer.delivered]);
    await this.customer.order(rows.map(({ name }) => name));
  }

  private async count(day: number): Promise<void> {
    const { owner, redis, service, say } = this.parts;
    const census = await this.timed('counting', () => takeCensus(owner, redis, service.bulkFolder, day));
    this.censuses.push(census);
    const sizes = [...census.tables.values()];
    const sum = (of: (one: { rows: number; bytes: number }) => number): number =>
      sizes.reduce((all, one) => all + of(one), 0);
    say(
      `day ${day}: ${this.races} races, ${sum(({ rows }) => rows)} rows, ${Math.round(sum(({ bytes }) => bytes) / 1e6)} MB, ${census.files} files, ${census.redisKeys} keys, ${this.broken.length} findings`,
    );
    for (const line of this.broken.slice(this.stated)) say(`✗ ${line}`);
    this.stated = this.broken.length;
  }

  async end(): Promise<YearEnd> {
    const { owner, service, days, clock } = this.parts;
    const last = days.at(-1)!;
    const { endMs } = aetDayBounds(last);
    await clock.to(endMs + HOUR_MS);
    await this.live(await racesOfDay(service, last), endMs - HOUR_MS, endMs);
    await clock.to(endMs + 7 * HOUR_MS);
    await this.morning(1);
    await this.timed('posts', () => service.posted(owner));
    const cards = days.map(cardOf);
    const races = new Map(days.map((day, i) => [day, cards[i]!.length]));
    const abandoned = cards.flat().filter((race) => race.abandonedSecondsBefore !== undefined).length;
    if (this.archives.abandoned !== abandoned || this.archives.noted !== cards.flat().length)
      this.broken.push(
        `${this.archives.noted} archives, ${this.archives.abandoned} of races that were abandoned; expected ${cards.flat().length} and ${abandoned}`,
      );
    const looked = [
      await judgeDays(owner, races, new Date(endMs).toISOString()),
      await this.timed('files', () => judgeFiles(owner, service.bulkFolder, days[0]!, last)),
      await this.timed('comparing', () => this.archives.compare(this.customer)),
      await this.ledger.compare(this.customer.spent, days),
      await judgeOrders(owner, clock.wallMs()),
      await service.wiring.stores.credits.audit(),
    ];
    this.broken.push(...looked.flat());
    if (this.mostKeys === 0) this.broken.push('Redis had no key in the year: nothing of it was used');
    const changes = days.filter((day) => hoursOf(day) !== 24).map((day) => `${day} (${hoursOf(day)} hours)`);
    this.parts.say(`days of another length: ${changes.join(', ') || 'none'}`);
    return {
      broken: this.broken,
      censuses: this.censuses,
      races: this.races,
      archived: this.archives.noted,
      closed: this.ledger.closed,
      calls: this.customer.calls,
      horses: this.customer.delivered,
      mostKeys: this.mostKeys,
      events: this.customer.events.size,
      tookMs: this.tookMs,
    };
  }

  private job(name: JobName): Promise<unknown> {
    return this.timed(name, () => JOBS[name](this.parts.service));
  }

  private async timed<T>(what: string, work: () => Promise<T>): Promise<T> {
    const beganMs = performance.now();
    const done = await work();
    this.tookMs.set(what, (this.tookMs.get(what) ?? 0) + performance.now() - beganMs);
    return done;
  }
}
