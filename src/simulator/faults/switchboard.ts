// The switches over HTTP while the simulator runs: `GET /faults` lists every scenario and the switches that are on,
// `PUT /faults/{name}` switches one on (`?book=`, `?race=`, `?venue=`, `?seconds=` of race time),
// `DELETE /faults/{name}` and `DELETE /faults` switch off.
import type { Context, Middleware } from 'koa';
import { foldText } from '../../domain/race/venue';
import { TRACKS } from '../world/tracks';
import { SCENARIO_NAMES, SCENARIOS, type Scenario, scenarioOf } from './scenarios';
import type { Switch, Switches } from './switches';

const LONGEST_SECONDS = 7 * 86_400;
const OF_ANY = ['book', 'seconds'];
const OF_WORLD = [...OF_ANY, 'race', 'venue'];

class UnknownFault extends Error {
  override readonly name = 'UnknownFault';
}

export function switchboard(switches: Switches, bookKeys: readonly string[], now: () => number): Middleware {
  return (ctx, next) => {
    const [, root, name, ...rest] = ctx.path.split('/');
    if (root !== 'faults' || rest.length > 0) return next();
    try {
      answer(ctx, name ?? null);
    } catch (error) {
      if (!(error instanceof UnknownFault)) throw error;
      ctx.status = 422;
      ctx.body = { error: error.message };
    }
  };

  function answer(ctx: Context, name: string | null): void {
    const scenario = name === null ? null : scenarioOf(name);
    if (scenario === undefined) {
      ctx.status = 404;
      ctx.body = { error: `no scenario '${name}'; there are ${SCENARIO_NAMES.join(', ')}` };
    } else if (ctx.method === 'PUT' && scenario) {
      switches.on(switchOf(scenario, new URLSearchParams(ctx.querystring), bookKeys, now()));
      ctx.body = statusOf(scenario, switches, now());
    } else if (ctx.method === 'DELETE') {
      switches.off(name, bookOf(new URLSearchParams(ctx.querystring), bookKeys));
      ctx.status = 204;
    } else if (ctx.method === 'GET') {
      ctx.body = scenario
        ? statusOf(scenario, switches, now())
        : SCENARIOS.map((one) => statusOf(one, switches, now()));
    } else {
      ctx.status = 405;
      ctx.set('Allow', scenario ? 'GET, PUT, DELETE' : 'GET, DELETE');
    }
  }
}

function statusOf(scenario: Scenario, switches: Switches, nowMs: number) {
  const on = switches.all(nowMs).filter((one) => one.scenario === scenario.name);
  const instant = (ms: number): string => new Date(ms).toISOString();
  return {
    ...scenario,
    on: on.map(({ book, race, venue, fromMs, untilMs }) => ({
      book,
      race,
      venue,
      from: fromMs === 0 ? null : instant(fromMs),
      until: untilMs === null ? null : instant(untilMs),
    })),
  };
}

/** A wrong parameter is an error that names the valid values: a fault that silently stays off would let a test pass. */
function switchOf(scenario: Scenario, query: URLSearchParams, bookKeys: readonly string[], nowMs: number): Switch {
  const valid = scenario.kind === 'world' ? OF_WORLD : OF_ANY;
  for (const name of query.keys()) {
    if (!valid.includes(name)) throw new UnknownFault(`${scenario.name} takes ${valid.join(', ')}, not '${name}'`);
  }
  const seconds = query.get('seconds');
  if (seconds !== null && !(Number(seconds) > 0 && Number(seconds) <= LONGEST_SECONDS)) {
    throw new UnknownFault(`seconds must be above 0 and at most ${LONGEST_SECONDS}`);
  }
  return {
    scenario: scenario.name,
    book: bookOf(query, bookKeys),
    race: query.get('race'),
    venue: venueOf(query),
    fromMs: nowMs,
    untilMs: seconds === null ? null : nowMs + Number(seconds) * 1000,
  };
}

function bookOf(query: URLSearchParams, bookKeys: readonly string[]): string | null {
  const book = query.get('book');
  if (book !== null && !bookKeys.includes(book)) {
    throw new UnknownFault(`no book '${book}'; there are ${bookKeys.join(', ')}`);
  }
  return book;
}

function venueOf(query: URLSearchParams): string | null {
  const venue = query.get('venue');
  if (venue !== null && !TRACKS.some((track) => foldText(track.name) === foldText(venue))) {
    throw new UnknownFault(`no track '${venue}': /world/races has the venues of today`);
  }
  return venue;
}

/** The scenarios that the configuration names are on from the start. Throws `UnknownFault` for an unknown name. */
export function initialSwitches(
  faults: readonly { readonly scenario: string; readonly book: string | null }[],
  bookKeys: readonly string[],
): Switch[] {
  return faults.map(({ scenario, book }) => {
    if (!scenarioOf(scenario)) {
      throw new UnknownFault(`no scenario '${scenario}'; there are ${SCENARIO_NAMES.join(', ')}`);
    }
    if (book !== null && !bookKeys.includes(book)) {
      throw new UnknownFault(`no book '${book}'; there are ${bookKeys.join(', ')}`);
    }
    return { scenario, book, race: null, venue: null, fromMs: 0, untilMs: null };
  });
}
