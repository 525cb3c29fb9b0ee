// The premiership pages: this season from the world's own races; the previous season is drawn, because it has no races.

import type { Day } from '../../../domain/race/race';
import {
  PREMIERSHIP_SCOPES,
  PREMIERSHIP_STATES,
  PREMIERSHIP_TOP,
  type PremiershipRole,
  type PremiershipScope,
  type PremiershipState,
  seasonOf,
} from '../../../domain/registry/premiership';
import { REGISTRY_STATES, type RegistryState } from '../../../domain/registry/registry';
import { aetDay } from '../../../domain/time/aet';
import { type BookReply, type BookRequest, page } from '../../books/reply';
import { mix, unit } from '../../world/random';
import type { World } from '../../world/world';
import type { History } from '../form/history';
import { escaped, frame, MONTHS, row } from '../markup';
import { codeText, personCodeOf } from '../meetings';
import { createSeason, type Season, type Totals } from './totals';

export const PREMIERSHIPS = '/FreeServices/Premierships.aspx';
const ROLES: Readonly<Record<string, PremiershipRole>> = { Jockey: 'jockey', Trainer: 'trainer' };
const TIERS = ['metro', 'provincial', 'country'];
const COLUMNS = ['1st', '2nd', '3rd', '4th', '5th', 'Prize Money', 'Strike Rate', 'Starts'];

export function premierships(world: World, history: History): (request: BookRequest) => BookReply | null {
  const season = createSeason(history);
  return ({ path, query, nowMs }) => {
    if (path !== PREMIERSHIPS) return null;
    const role = ROLES[query.get('Table') ?? ''];
    const state = PREMIERSHIP_STATES.find(
      (one) => one === (query.get('State') === 'Undefined' ? 'AUS' : query.get('State')),
    );
    const scope = PREMIERSHIP_SCOPES.find((one) => one === (query.get('Category') ?? 'All').toLowerCase());
    if (!role || !state || !scope) return page(404, frame('Not found', ''));
    return write(world, season, { role, state, scope, year: Number(query.get('Season')) }, nowMs);
  };
}

interface Wanted {
  readonly role: PremiershipRole;
  readonly state: PremiershipState;
  readonly scope: PremiershipScope;
  readonly year: number;
}

function write(world: World, season: Season, wanted: Wanted, nowMs: number): BookReply {
  const { role, state, scope, year } = wanted;
  const current = seasonOf(aetDay(nowMs));
  const states: readonly RegistryState[] = state === 'AUS' ? REGISTRY_STATES : [state];
  const tiers = scope === 'all' ? TIERS : [scope];
  if (year === current) {
    const totals = season.of(role, states, tiers, nowMs);
    if (totals === null) return page(503, frame('Busy', ''));
    return page(200, table(wanted, totals, season.beginsOn(nowMs), aetDay(nowMs)));
  }
  if (year !== current - 1) return page(200, frame('Premierships', ''));
  const names = season.of(role, REGISTRY_STATES, TIERS, nowMs);
  if (names === null) return page(503, frame('Busy', ''));
  const drawn = new Map([...names.keys()].map((name) => [name, drawnTotals(world.seed, name, year, states, tiers)]));
  return page(200, table(wanted, drawn, `${year}-08-01`, `${year + 1}-07-31`));
}

/** A person has races in two of the eight states. A total is the sum of its parts. */
function drawnTotals(
  seed: number,
  name: string,
  year: number,
  states: readonly RegistryState[],
  tiers: readonly string[],
): Totals {
  const person = mix(seed, personCodeOf(name), year);
  const home = [mix(person, 1) % REGISTRY_STATES.length, mix(person, 2) % REGISTRY_STATES.length];
  const parts = states.flatMap((state) =>
    tiers.flatMap((tier) => {
      const at = REGISTRY_STATES.indexOf(state);
      return home.includes(at) ? [partOf(mix(person, at, TIERS.indexOf(tier)))] : [];
    }),
  );
  return {
    starts: parts.reduce((sum, { starts }) => sum + starts, 0),
    places: [0, 1, 2, 3, 4].map((i) => parts.reduce((sum, { places }) => sum + places[i]!, 0)),
    prizeMoney: parts.reduce((sum, { prizeMoney }) => sum + prizeMoney, 0),
  };
}

function partOf(seed: number): Totals {
  const starts = 20 + Math.floor(180 * unit(seed, 1));
  const places = [0, 1, 2, 3, 4].map((i) => Math.floor(starts * (0.05 + 0.12 * unit(seed, 2, i))));
  return { starts, places, prizeMoney: places[0]! * 18_000 + places[1]! * 6000 };
}

function table({ role, state, scope, year }: Wanted, totals: ReadonlyMap<string, Totals>, from: Day, to: Day): string {
  const title = role === 'jockey' ? 'Jockey' : 'Trainer';
  const first = [...totals]
    .filter(([, { starts }]) => starts > 0)
    .sort(([a, x], [b, y]) => y.places[0]! - x.places[0]! || y.places[1]! - x.places[1]! || (a < b ? -1 : 1))
    .slice(0, PREMIERSHIP_TOP);
  const rows = first.map(([name, one]) => row([linkOf(role, name), ...cellsOf(one)]));
  return frame(
    'Premierships',
    `<h2>${title} Premiership - ${state} - ${scope} - ${year}/${year + 1}</h2>
<div class="premiership-period">Period: ${longDate(from)} to ${longDate(to)}</div>
<table class="premiership-table">
${[row([title, ...COLUMNS], 'th'), ...rows].join('\n')}
</table>`,
  );
}

const PAGES: Record<PremiershipRole, string> = { jockey: 'JockeyLastRuns', trainer: 'TrainerLastRuns' };

const linkOf = (role: PremiershipRole, name: string): string =>
  `<a href="/InteractiveForm/${PAGES[role]}.aspx?${role}code=${codeText(personCodeOf(name))}">${escaped(name)}</a>`;

const cellsOf = ({ starts, places, prizeMoney }: Totals): string[] => [
  ...places.map(String),
  `$${Math.round(prizeMoney).toLocaleString('en-AU')}`,
  `${((places[0]! * 100) / starts).toFixed(1)}%`,
  String(starts),
];

const longDate = (day: Day): string => `${day.slice(8)}-${MONTHS[Number(day.slice(5, 7)) - 1]}-${day.slice(0, 4)}`;
