// The tests that every registry of full fields must pass, over real HTTP and in its own format. A registry's own test
// file calls this with replies that it composed, and adds only its peculiarities.

import type { PublishedListing, PublishedMeeting, PublishedRace } from '../../src/domain/results/published-results';
import { addDays } from '../../src/domain/time/aet';
import type { FeedEndpoint, FeedReply } from '../../src/feeds/feed';
import type { ResultsRegistry } from '../../src/feeds/results-registry';
import { PATIENT_MS } from '../support/patient';
import type { Answers } from './support/book';
import { type Answer, type BookServer, type Change, serve, startBookServer, status } from './support/book-server';
import { unpublishable } from './support/publishable';

export interface RegistryCase {
  readonly name: string;
  readonly create: (endpoint: FeedEndpoint, now: () => number) => ResultsRegistry;
  /** Replies of a registry on which the meeting of `listing` has run, with every race final. */
  readonly answers: Answers;
  /** The listing that the registry must return. */
  readonly listing: PublishedListing;
  /** The prefix of every `runner_ref`. */
  readonly refPrefix: 'ra:' | 'grv:';
  /** It returns 404 for a list without a meeting; elsewhere a list that is not found is a failure. */
  readonly emptyListIs404?: true;
}

const NOW = Date.parse('2026-11-21T04:00:00.000Z');
const AT = new Date(NOW).toISOString();
const WALLS = ['Just a moment...', 'Are you human?', 'Access Denied', 'Attention Required! | Cloudflare'];
const page = (title: string): Change => ({
  headers: { 'content-type': 'text/html' },
  body: () => `<!DOCTYPE html><html><head><title>${title}</title></head><body></body></html>`,
});

export function testResultsRegistry(registryCase: RegistryCase): void {
  const { name, create, answers, listing, refPrefix } = registryCase;
  describe(`${name} as a registry of results`, () => {
    let server: BookServer;
    let registry: ResultsRegistry;
    beforeAll(async () => {
      server = await startBookServer();
    });
    afterAll(() => server.close());
    beforeEach(() => {
      const endpoint = { baseUrl: server.url, contact: 'ops@example.org', partner: 'example', timeoutMs: PATIENT_MS };
      registry = create(endpoint, () => NOW);
      server.answer(serve(answers));
    });
    const listed = (from = listing.day, to = listing.day) => registry.listings(listing.region, from, to);
    const meeting = async (): Promise<PublishedMeeting> => valueIn(await registry.meeting(listing.key));

    test('lists the meeting on its day, both ends included, and on no other', async () => {
      expect(valueIn(await listed())).toContainEqual(listing);
      expect(valueIn(await listed(addDays(listing.day, -2), listing.day))).toContainEqual(listing);
      expect(valueIn(await listed(listing.day, addDays(listing.day, 2)))).toContainEqual(listing);
      expect(valueIn(await listed(addDays(listing.day, -3), addDays(listing.day, -1)))).not.toContainEqual(listing);
      expect(valueIn(await listed(addDays(listing.day, 1), addDays(listing.day, 3)))).not.toContainEqual(listing);
      expect(registry.regions).toContain(listing.region);
    });

    test('identifies itself and reports when it was answered', async () => {
      expect(await registry.meeting(listing.key)).toMatchObject({ kind: 'ok', observedAt: AT, dropped: {} });
      expect(await listed()).toMatchObject({ kind: 'ok', observedAt: AT });
      for (const request of server.requests) expect(request.headers['user-agent']).toContain('ops@example.org');
    });

    test('the meeting is the requested one, its races run, each once and in order', async () => {
      const { races, ...about } = await meeting();
      const { key, day, venue } = listing;
      expect(about).toEqual({ source: registry.source, category: registry.category, key, day, venue, note: null });
      expect(races.length).toBeGreaterThan(0);
      const numbers = races.map((race) => race.raceNumber);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      expect(races.map((race) => race.stage)).toEqual(races.map(() => 'final'));
    });

    test('a field has every required member', async () => {
      for (const race of (await meeting()).races) expectAField(race);
      for (const runner of (await meeting()).races.flatMap((race) => race.runners)) {
        expect(runner.origin).toBe(registry.source);
        expect(runner.runner_ref === null || runner.runner_ref.startsWith(refPrefix)).toBe(true);
      }
    });

    test.each<[string, Answer, object]>([
      ['403', status(403), { reason: 'blocked' }],
      ['404', status(404), NOT_FOUND],
      ['500', status(500), { reason: 'http_error' }],
      ['a redirect', status(302, { location: 'https://example.org/' }), { reason: 'http_error' }],
      ['429 with Retry-After', status(429, { 'retry-after': '60' }), { reason: 'rate_limited', retryAfterMs: 60_000 }],
      ['nothing at all', (_, response) => void response.destroy(), { reason: 'network' }],
      ['an empty body', serve(answers, { body: () => '' }), { reason: 'malformed' }],
      ['another document', serve(answers, { body: ({ type }) => (isPage(type) ? '<p>Hi</p>' : '"hi"') }), MALFORMED],
      ...WALLS.map((title): [string, Answer, object] => [
        `"${title}" with 200`,
        serve(answers, page(title)),
        { reason: 'blocked' },
      ]),
    ])('%s is a failure, never an exception and never a race with another outcome', async (_, answer, failure) => {
      server.answer(answer);
      expect(await registry.meeting(listing.key)).toMatchObject({ kind: 'failed', observedAt: AT, ...failure });
      const isEmpty = registryCase.emptyListIs404 && failure === NOT_FOUND;
      expect(await listed()).toMatchObject(
        isEmpty ? { kind: 'ok', value: [] } : { kind: 'failed', observedAt: AT, ...failure },
      );
    });

    test('the caller can abort', async () => {
      const caller = new AbortController();
      server.answer(() => caller.abort());
      const reply = await registry.meeting(listing.key, { signal: caller.signal });
      expect(reply).toMatchObject({ kind: 'failed', reason: 'network' });
    });
  });
}

const MALFORMED = { reason: 'malformed' };
const NOT_FOUND = { reason: 'not_found' };
const isPage = (type: string | undefined): boolean => type?.startsWith('text/html') ?? false;

export function valueIn<T>(reply: FeedReply<T>): T {
  if (reply.kind !== 'ok') throw new Error(JSON.stringify(reply));
  return reply.value;
}

/** Invariants of every published race of any registry: the tests of a registry's own pages may call it too. */
export function expectAField(race: PublishedRace): void {
  const { stage, runners } = race;
  expect(unpublishable(race)).toEqual([]);
  if (stage === 'none' || stage === 'abandoned') expect(runners).toEqual([]);
  const numbers = runners.map((runner) => runner.number);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  if (stage === 'final') expect(runners.filter((runner) => runner.position === 1).length).toBeGreaterThan(0);
  for (const runner of runners) {
    const { position, status: how, sp, sp_note: note, dead_heat: deadHeat, time_s: timeS } = runner;
    expect(runner.name).not.toBe('');
    expect(position === null || how === 'ran').toBe(true);
    expect(sp === null || sp > 1).toBe(true);
    expect([null, 'F', 'EF']).toContain(note);
    expect(note === null || sp !== null).toBe(true);
    expect(timeS === null || timeS > 0).toBe(true);
    expect(deadHeat).toBe(position !== null && runners.filter((other) => other.position === position).length > 1);
    const before = runners.filter((other) => other.position !== null && other.position < (position ?? 0)).length;
    if (stage === 'final' && position !== null) expect(before).toBe(position - 1);
  }
}
