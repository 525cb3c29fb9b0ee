// Maps one PlayUp race, pure: the race in `data`, its selections and prices in `included`, joined by id.
// A price of any product but `Fixed Price` is ignored; a runner of any status but `Active` is out.
import type { BookSnapshot, FeedRunner } from '../../domain/race/feed-race';
import { NO_DETAILS, NO_FACTS, OUT } from '../../domain/race/not-reported';
import type { MarketStatus } from '../../domain/race/race';
import { countDrops, type Drops } from '../reading/drops';
import { winAndPlace } from '../reading/legs';
import { asRow, idOf, type JsonObject, listOf, numberOf, rowOf, textOf } from '../reading/read';
import { readRunners } from '../reading/runners';
import type { Mapped } from '../transport/reply';
import { startOf } from './list';

/** Null if it is not a race, or not the requested one. */
export function mapRace(payload: unknown, sourceRaceId: string): Mapped<BookSnapshot> | null {
  const body = asRow(payload);
  const data = asRow(body?.data);
  const race = asRow(data?.attributes);
  if (!body || !data || !race || idOf(data.id) !== sourceRaceId) return null;
  const drops = countDrops();
  const included = listOf(body.included).map(rowOf);
  const value: BookSnapshot = {
    sourceRaceId,
    startTime: startOf(race),
    facts: { ...NO_FACTS, raceName: textOf(race.name) },
    marketStatus: marketStatusOf(textOf(rowOf(race.status).name)),
    inPlay: null,
    runners: runnersOf(selectionsOf(data, included), pricesOf(included), drops),
    result: null,
    sourceUrl: null,
  };
  return { value, bookAt: null, dropped: drops.counts() };
}

/** `Open` is the only documented status: any other status is read as closed, and a missing one as unknown. */
function marketStatusOf(name: string | null): MarketStatus | null {
  if (name === null) return null;
  return name === 'Open' ? 'OPEN' : 'CLOSED';
}

/** The race's own selections, in its order; all selections if the race does not list its own. */
function selectionsOf(race: JsonObject, included: readonly JsonObject[]): readonly (JsonObject | undefined)[] {
  const all = included.filter((row) => row.type === 'selections');
  const own = rowOf(rowOf(race.relationships).selections).data;
  if (!Array.isArray(own)) return all;
  const byId = new Map(all.map((row) => [idOf(row.id), row]));
  return own.map((link) => byId.get(idOf(rowOf(link).id)));
}

/** Fixed prices by id. */
function pricesOf(included: readonly JsonObject[]): ReadonlyMap<string | null, JsonObject> {
  const fixed = included.filter(
    ({ type, attributes }) => type === 'prices' && rowOf(rowOf(attributes).product).name === 'Fixed Price',
  );
  return new Map(fixed.map((row) => [idOf(row.id), rowOf(row.attributes)]));
}

const WIN = 2;
const isWin = ({ id, name }: JsonObject): boolean => name === 'Win' || numberOf(id) === WIN;
const isPlace = ({ name }: JsonObject): boolean => name === 'Place';

const KEYS = { number: ['number'], name: 'name' } as const;

function runnersOf(
  selections: readonly (JsonObject | undefined)[],
  prices: ReadonlyMap<string | null, JsonObject>,
  drops: Drops,
): FeedRunner[] {
  return readRunners(
    selections.map((row) => row && { ...rowOf(row.attributes), quotes: quotes(row, prices) }),
    KEYS,
    (row, number, name) => {
      const quoted = listOf(row.quotes).map(rowOf);
      const priceOf = (is: (betType: JsonObject) => boolean): unknown =>
        quoted.find((quote) => is(rowOf(quote.bet_type)))?.d_price;
      const out = isOut(rowOf(row.status));
      return {
        number,
        name,
        ...NO_DETAILS,
        jockey: textOf(row.jockey),
        trainer: textOf(row.trainer),
        scratching: out ? OUT : null,
        ...winAndPlace(priceOf(isWin), priceOf(isPlace), out, drops),
      };
    },
    drops,
  );
}

function quotes(selection: JsonObject, prices: ReadonlyMap<string | null, JsonObject>): readonly JsonObject[] {
  const links = listOf(rowOf(rowOf(selection.relationships).prices).data);
  return links.map((link) => prices.get(idOf(rowOf(link).id))).filter((price) => price !== undefined);
}

const ACTIVE = 1;

/** A missing status means nothing. */
function isOut({ id, name }: JsonObject): boolean {
  const hasStatus = id != null || name != null;
  return hasStatus && numberOf(id) !== ACTIVE && name !== 'Active';
}
