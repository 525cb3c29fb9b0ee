// The rules for everything that a connector publishes, field by field: it fits our type, a database column can store
// it, and a client can receive it. A field that is not listed here is an error.
import { FACTS } from '../../../src/domain/race/race-facts';

const MOST_SMALL = 32_767;
const MOST_INTEGER = 2_147_483_647;
const INSTANT = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const DAY = /^20\d\d-\d\d-\d\d$/;

type Is = (value: unknown) => boolean;

const isText: Is = (value) =>
  typeof value === 'string' &&
  value !== '' &&
  value === value.trim() &&
  !/[\0\p{Cs}]/u.test(value) &&
  value.length <= 2000;
const isInstant: Is = (value) =>
  typeof value === 'string' && INSTANT.test(value) && new Date(value).toISOString() === value;
const isDay: Is = (value) =>
  typeof value === 'string' && DAY.test(value) && new Date(value).toISOString().startsWith(value);
const isWhole =
  (least: number, most: number): Is =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
const isCount = isWhole(1, MOST_SMALL);
const isNumber: Is = (value) => typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
const isAbove =
  (least: number, most = Number.MAX_SAFE_INTEGER): Is =>
  (value) =>
    isNumber(value) && (value as number) > least && (value as number) <= most;
const isPrice = isAbove(1, 1_000_000);
const isFraction: Is = (value) => isNumber(value) && (value as number) >= 0 && (value as number) <= 1;
const isFlag: Is = (value) => typeof value === 'boolean';
const oneOf =
  (...literals: readonly unknown[]): Is =>
  (value) =>
    literals.includes(value);

/** For facts of a race; figures have their own limits. */
const OF_TYPE: Readonly<Record<string, Is>> = { text: isText, flag: isFlag };

const FIELDS: Readonly<Record<string, Is>> = {
  ...Object.fromEntries(FACTS.flatMap(([key, { type }]) => (type in OF_TYPE ? [[key, OF_TYPE[type]!]] : []))),
  ...named(isText, 'sourceRaceId venue country name'),
  ...named(
    isText,
    'jockey trainer form runnerRef sourceUrl note product type selection code marketId key region source',
  ),
  ...named(
    isText,
    'margin abnormal runner_ref origin sp_note state horseCode raceEntryCode jockeyCode trainerCode last10',
  ),
  ...named(isText, 'startLocal trackType penetrometer rainfall irrigation updated grade pir'),
  ...named(isInstant, 'startTime at removedAt marketTime settledAt publishedAt'),
  ...named(isDay, 'meetingDate day'),
  ...named(isCount, 'raceNumber number barrier placesPaid position box distanceM fieldLimit statedRunners'),
  ...named(isWhole(0, MOST_SMALL), 'numberOfWinners activeRunners'),
  ...named(isWhole(1, MOST_INTEGER), 'prizeTotal'),
  ...named(isWhole(1, Number.MAX_SAFE_INTEGER), 'selectionId version'),
  ...named(isPrice, 'win place top2 top3 top4 backPrice layPrice lastTraded bsp sp'),
  ...named(isAbove(0), 'weightKg claimKg rating amount backSize laySize time_s weight_kg carried_kg'),
  ...named(isAbove(0), 'first_split_s second_split_s last_600m_s'),
  ...named(isNumber, 'tradedVolume totalMatched adjustmentFactor'),
  ...named(isFraction, 'winDeduction placeDeduction'),
  ...named(isFlag, 'emergency inPlay late protest bspReconciled dead_heat acceptances scratchings'),
  category: oneOf('horse', 'harness', 'greyhound'),
  marketStatus: oneOf('OPEN', 'SUSPENDED', 'CLOSED'),
  market: oneOf('WIN', 'PLC'),
  stage: oneOf('none', 'interim', 'final', 'abandoned'),
  marketType: isText,
  status: oneOf(
    'INACTIVE',
    'OPEN',
    'SUSPENDED',
    'CLOSED',
    'ACTIVE',
    'WINNER',
    'LOSER',
    'PLACED',
    'REMOVED',
    'REMOVED_VACANT',
    'HIDDEN',
    'ran',
    'scratched',
    'late_scratching',
    'reserve',
  ),
};

/** Fields whose values are checked by the names inside them, and fields with a plain map of figures or ids. */
const NESTED = new Set(
  'facts result runners races exchange markets scratching placings straight exotics multiRace legs track scratched listed measured'.split(
    ' ',
  ),
);
const MAPS: Readonly<Record<string, Is>> = { toteWin: isPrice, prizes: isWhole(1, MOST_INTEGER), sourceIds: isText };

function named(is: Is, names: string): Record<string, Is> {
  return Object.fromEntries(names.split(' ').map((name) => [name, is]));
}

/** `a.b[1].c: value` for everything that may not be published; empty if everything may. */
export function unpublishable(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((row, i) => unpublishable(row, `${at}[${i}]`));
  if (typeof value !== 'object' || value === null) return [`${at}: ${String(value)}`];
  return Object.entries(value).flatMap(([name, field]) => fieldFaults(name, field, `${at}.${name}`));
}

function fieldFaults(name: string, value: unknown, at: string): string[] {
  if (value === null) return [];
  if (NESTED.has(name)) return typeof value === 'boolean' ? [] : unpublishable(value, at);
  const map = MAPS[name];
  if (map) return Object.values(value as object).every((one) => one === null || map(one)) ? [] : [shown(at, value)];
  const is = FIELDS[name];
  if (!is) return [`${at}: a field without a rule`];
  return is(value) ? [] : [shown(at, value)];
}

const shown = (at: string, value: unknown): string =>
  `${at}: ${typeof value} ${(JSON.stringify(value) ?? String(value)).slice(0, 60)}`;
