// Which operations are tools, and how arguments become requests: no tool changes anything, no argument reaches another
// operation, and a shortened answer says only what is true.
import fc from 'fast-check';
import { requestOf } from '../../../src/api/mcp/arguments';
import { fitted } from '../../../src/api/mcp/fitted';
import { type McpTool, toolsOf } from '../../../src/api/mcp/tools';
import { ENDPOINTS } from '../../../src/api/operations';
import { runs } from '../../support/property';

const TOOLS = toolsOf(ENDPOINTS);
const byOperation = new Map(TOOLS.map((one) => [one.endpoint.operationId, one]));

/** The tools of `puntersedge-mcp` 0.4.4. */
const PUBLISHED = `racing_next_to_go racing_best_odds racing_movers racing_changes racing_events racing_track_conditions
  racing_acceptances racing_markets racing_venues racing_results racing_results_coverage racing_price_history
  racing_closing_lines racing_closing_lines_coverage racing_clv horse_form horse_runs greyhound_form greyhound_stats
  jockey_stats trainer_stats list_sports sports_odds best_odds arb_best_prices check_usage check_overage bulk_datasets
  connector_health demo_next_to_go demo_best_odds`.split(/\s+/);

describe('the list', () => {
  test('it has every tool of the published server, each name once, and no alias', () => {
    const names = TOOLS.map(({ name }) => name);
    expect(PUBLISHED.filter((name) => !names.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z][a-z_]{2,63}$/.test(name))).toEqual([]);
    expect(Object.keys(byOperation.get('racing_best_odds')!.listed.inputSchema.properties as object)).not.toContain(
      'limit',
    );
  });

  test('no tool changes an account, signs in, pays, sends a file or a stream, or is for operators', () => {
    const isSafe = ({ endpoint }: McpTool): boolean =>
      (endpoint.method === 'get' || endpoint.operationId === 'race_clv') &&
      !endpoint.currentKeyOnly &&
      !endpoint.servesFile &&
      !endpoint.sendsEvents &&
      ['key', 'session_or_key', 'none'].includes(endpoint.auth) &&
      !['Session', 'Signup', 'Ingest', 'Webhooks', 'Widgets', 'Site'].includes(endpoint.tag);
    expect(TOOLS.filter((one) => !isSafe(one)).map(({ name }) => name)).toEqual([]);
  });

  test('the reads that are no tools are these', () => {
    const reads = ENDPOINTS.filter(({ method }) => method === 'get').map(({ operationId }) => operationId);
    expect(reads.filter((name) => !byOperation.has(name)).sort()).toEqual([
      ...['account', 'billing_portal', 'billing_upgrade', 'bulk_file', 'bulk_keys', 'coverage_report'],
      ...['get_widget'],
      ...['list_team_keys', 'list_webhook_deliveries', 'list_webhook_events', 'list_webhooks', 'list_widgets'],
      ...['platform_facts', 'racing_changes_stream', 'racing_replay', 'referral', 'uptime_stats'],
    ]);
  });

  test('each states its cost and its arguments, without references, in less than 100 kB together', () => {
    expect(TOOLS.filter(({ listed }) => !/\n\nCost: /.test(listed.description))).toEqual([]);
    const text = JSON.stringify(TOOLS.map(({ listed }) => listed));
    expect(text).not.toMatch(/"\$ref"|"x-/);
    expect(text.length).toBeLessThan(100_000);
    expect(byOperation.get('get_event_odds')!.listed.inputSchema.required).toEqual(['sport_key', 'event_id']);
    const { num_races: races } = byOperation.get('next_to_go')!.listed.inputSchema.properties as Record<string, object>;
    expect(races).toMatchObject({ type: 'integer', default: 3, maximum: 200 });
  });
});

describe('arguments', () => {
  const tool = (operationId: string): McpTool => byOperation.get(operationId)!;

  test('a list is joined, null is not sent, the smaller default is sent under no other name', () => {
    const path = (operationId: string, given: Record<string, unknown>) => {
      const request = requestOf(tool(operationId), given);
      return 'path' in request ? request.path : request.refused;
    };
    const given = { country: ['AU', 'NZ'], venue: null, include_unresolved: true };
    expect(path('next_to_go', given)).toBe('/v1/racing/next-to-go?num_races=3&country=AU%2CNZ&include_unresolved=true');
    expect(path('racing_best_odds', { limit: 5 })).toBe('/v1/racing/best-odds?limit=5');
    expect(path('race_results', { offset: 20 })).toBe('/v1/racing/results?limit=20&offset=20');
    expect(path('get_sport_odds', { sport_key: 'nrl', markets: 'h2h' })).toBe('/v1/sports/nrl/odds?markets=h2h');
  });

  test('a missing value of the path, and a format, are refused', () => {
    expect(requestOf(tool('get_sport_odds'), {})).toEqual({ refused: 'Name a value of sport_key.' });
    expect(requestOf(tool('closing_lines'), { format: 'csv' })).toMatchObject({ refused: /leave `format` out/ });
  });

  test('more arguments than the tool has are refused before they become texts', () => {
    const trap = {
      toJSON: () => {
        throw new Error('it became a text');
      },
    };
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`a${i}`, trap]));
    expect(requestOf(tool('get_sport_odds'), many)).toMatchObject({ refused: /: 1000 were sent\.$/ });
    const unsent = Object.fromEntries(Object.keys(many).map((name) => [name, null]));
    expect(requestOf(tool('get_sport_odds'), { ...unsent, sport_key: 'nrl' })).toHaveProperty('path');
  });

  test('half of a surrogate pair is refused, a whole one is sent', () => {
    for (const given of [{ sport_key: '\ud800' }, { sport_key: 'nrl', markets: ['h2h', '\udc00'] }])
      expect(requestOf(tool('get_sport_odds'), given)).toMatchObject({ refused: /surrogate/ });
    expect(requestOf(tool('get_sport_odds'), { sport_key: '\ud83d\ude00' })).toHaveProperty('path');
  });

  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('.', '..', '../..', '%2e%2e', '/', '\\', '?x=1', '#', '', '\ud800'),
  );
  const names = fc.constantFrom('sport_key', 'event_id', 'job_id', 'run_id', 'venue');
  const anything = fc.dictionary(names, value);

  test('no argument reaches another operation', () => {
    const rule = fc.property(fc.constantFrom(...TOOLS), anything, (one, given) => {
      const request = requestOf(one, given);
      if ('refused' in request) return;
      const { pathname } = new URL(request.path, 'https://api.example.com');
      const own = new RegExp(`^${one.endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      expect(pathname).toMatch(own);
    });
    fc.assert(rule, { numRuns: runs(5000) });
  });
});

describe('a shortened answer', () => {
  type Json = ReturnType<typeof JSON.parse>;
  const isPrefix = (short: Json, whole: Json, at: string, cut: Map<string, [number, number]>): boolean => {
    if (!Array.isArray(whole)) {
      if (typeof whole !== 'object' || whole === null) return Object.is(short, whole);
      const names = Object.keys(whole);
      return (
        JSON.stringify(Object.keys(short)) === JSON.stringify(names) &&
        names.every((name) => isPrefix(short[name], whole[name], JSON.stringify([at, name]), cut))
      );
    }
    if (short.length < whole.length) {
      const [kept, of] = cut.get(at) ?? [];
      if (kept !== short.length || of !== whole.length) return false;
    }
    return short.every((item: Json, i: number) => isPrefix(item, whole[i], JSON.stringify([at, i]), cut));
  };
  const rows = fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 12 });
  const body = fc.oneof(rows, fc.record({ count: fc.integer(), races: rows, more: fc.jsonValue({ maxDepth: 3 }) }));

  test('it fits, or no list is left to cut; every value is that of the whole; every cut is named', () => {
    const rule = fc.property(body, fc.integer({ min: 2, max: 400 }), (whole, most) => {
      const text = JSON.stringify(whole);
      const { text: short, cuts } = fitted(text, most);
      const shown = JSON.parse(short);
      const named = new Map(
        cuts.map(({ path, kept, of }) => [
          path.reduce<string>((at, name) => JSON.stringify([at, name]), ''),
          [kept, of] as [number, number],
        ]),
      );
      expect(isPrefix(shown, JSON.parse(text), '', named)).toBe(true);
      expect(cuts.length > 0).toBe(Buffer.byteLength(text) > most && short !== text);
      if (Buffer.byteLength(short) > most) expect(hasLongList(shown)).toBe(false);
    });
    fc.assert(rule, { numRuns: runs(3000) });
  });

  const hasLongList = (value: Json): boolean =>
    Array.isArray(value)
      ? value.length > 1 || value.some(hasLongList)
      : typeof value === 'object' && value !== null && Object.values(value).some(hasLongList);

  test('whole items come first: a list is emptied to one before its first item is cut', () => {
    const race = { runners: [{ price: 2.5 }, { price: null }, { price: 4 }] };
    const whole = JSON.stringify([race, race]);
    expect(fitted(whole, 60)).toEqual({ text: JSON.stringify([race]), cuts: [{ path: [], kept: 1, of: 2 }] });
    expect(fitted(whole, 50)).toEqual({
      text: JSON.stringify([{ runners: race.runners.slice(0, 2) }]),
      cuts: [
        { path: [], kept: 1, of: 2 },
        { path: [0, 'runners'], kept: 2, of: 3 },
      ],
    });
  });
});
