// Reads one line of the stream as a message; null if it is not one. An undocumented part is left out and counted; the
// rest is kept. Must never throw: the same image is sent again after each reconnect, so every field that is folded or
// published is checked here.
import type { Drops } from '../../reading/drops';
import { asRow, type JsonObject, listOf, numberOf, serialOf, textOf } from '../../reading/read';
import { MARKET_STATUSES, RUNNER_STATUSES } from '../market';
import type {
  DefinedRunner,
  MarketChange,
  MarketChangeMessage,
  MarketDefinition,
  RunnerChange,
  StreamMessage,
} from './payload';

export function readMessage(line: string, drops: Drops): StreamMessage | null {
  const row = rowOfJson(line);
  if (!row) return null;
  if (row.op === 'mcm') return changesOf(row, drops);
  return row.op === 'connection' || row.op === 'status' ? (row as unknown as StreamMessage) : null;
}

function rowOfJson(line: string): JsonObject | null {
  try {
    return asRow(JSON.parse(line));
  } catch {
    return null;
  }
}

function changesOf(row: JsonObject, drops: Drops): MarketChangeMessage | null {
  const pt = numberOf(row.pt);
  if (pt === null) return null;
  const { initialClk, clk } = row;
  const message = row as unknown as MarketChangeMessage;
  return {
    ...message,
    initialClk: typeof initialClk === 'string' ? initialClk : undefined,
    clk: typeof clk === 'string' ? clk : undefined,
    pt,
    mc: eachOf(row.mc, (change) => changeOf(change, drops), 'market_change_unreadable', drops),
  };
}

function changeOf(row: JsonObject, drops: Drops): MarketChange | null {
  const id = textOf(row.id);
  if (id === null) return null;
  const marketDefinition = definitionOf(row.marketDefinition, drops);
  return {
    id,
    ...(row.img === true && { img: true }),
    ...(marketDefinition && { marketDefinition }),
    ...(row.rc !== undefined && {
      rc: eachOf(row.rc, (runner) => runnerOf(runner, drops), 'runner_change_unreadable', drops),
    }),
    ...figureOf(row, 'tv'),
  };
}

/** The readable rows; the others are counted. */
function eachOf<T>(raw: unknown, read: (row: JsonObject) => T | null, reason: string, drops: Drops): T[] {
  return listOf(raw).flatMap((one) => {
    const row = asRow(one);
    const value = row && read(row);
    if (value === null) drops.add(reason);
    return value === null ? [] : [value];
  });
}

const figureOf = <K extends string>(row: JsonObject, name: K): { readonly [N in K]?: number } => {
  const figure = numberOf(row[name]);
  return (figure === null ? {} : { [name]: figure }) as { readonly [N in K]?: number };
};

function runnerOf(row: JsonObject, drops: Drops): RunnerChange | null {
  const id = serialOf(row.id);
  if (id === null) return null;
  return {
    id,
    ...stepsOf(row, 'atb', 2, drops),
    ...stepsOf(row, 'atl', 2, drops),
    ...stepsOf(row, 'batb', 3, drops),
    ...stepsOf(row, 'batl', 3, drops),
    ...figureOf(row, 'ltp'),
    ...figureOf(row, 'tv'),
  };
}

function stepsOf(
  row: JsonObject,
  ladder: 'atb' | 'atl' | 'batb' | 'batl',
  width: number,
  drops: Drops,
): Partial<RunnerChange> {
  if (row[ladder] === undefined) return {};
  const isStep = (step: unknown): step is number[] =>
    Array.isArray(step) && step.length === width && step.every((figure) => Number.isFinite(figure));
  const steps = listOf(row[ladder]).filter(isStep);
  drops.add('ladder_step_unreadable', listOf(row[ladder]).length - steps.length);
  return { [ladder]: steps };
}

function definitionOf(raw: unknown, drops: Drops): MarketDefinition | null {
  if (raw === undefined) return null;
  const row = asRow(raw);
  const version = serialOf(row?.version);
  const marketType = textOf(row?.marketType);
  const status = MARKET_STATUSES.find((one) => one === row?.status);
  if (!row || !version || !marketType || !status || !Array.isArray(row.runners)) {
    drops.add('market_definition_unreadable');
    return null;
  }
  return {
    // Fields that are not read.
    ...(row as unknown as MarketDefinition),
    version,
    marketType,
    status,
    inPlay: row.inPlay === true,
    bspReconciled: row.bspReconciled === true,
    runners: eachOf(row.runners, definedRunnerOf, 'selection_unreadable', drops),
  };
}

/** As in a poll, an unknown status costs that runner, not the market. */
function definedRunnerOf(row: JsonObject): DefinedRunner | null {
  const id = serialOf(row.id);
  const status = RUNNER_STATUSES.find((one) => one === row.status);
  return id && status ? { ...(row as unknown as DefinedRunner), id, status } : null;
}
