// One line of the stream as a message. What is not as documented is left out and counted, the rest of the message stands; null: no message at all.
import type { Drops } from '../../drops';
import { asRow, countOf, listOf, numberOf, type Row, textOf } from '../../read';
import { MARKET_STATUSES, RUNNER_STATUSES } from '../market';
import type { MarketChange, MarketChangeMessage, MarketDefinition, StreamMessage } from './payload';

export function readMessage(line: string, drops: Drops): StreamMessage | null {
  const row = rowOfJson(line);
  if (!row) return null;
  if (row.op === 'mcm') return changesOf(row, drops);
  return row.op === 'connection' || row.op === 'status' ? (row as unknown as StreamMessage) : null;
}

function rowOfJson(line: string): Row | null {
  try {
    return asRow(JSON.parse(line));
  } catch {
    return null;
  }
}

function changesOf(row: Row, drops: Drops): MarketChangeMessage | null {
  if (numberOf(row.pt) === null) return null;
  const mc = listOf(row.mc).flatMap((raw) => {
    const change = asRow(raw);
    if (!change || !textOf(change.id)) {
      drops.add('market_change_unreadable');
      return [];
    }
    return [withSoundDefinition(change, drops) as unknown as MarketChange];
  });
  return { ...(row as unknown as MarketChangeMessage), mc };
}

function withSoundDefinition(change: Row, drops: Drops): Row {
  const { marketDefinition, ...rest } = change;
  if (marketDefinition === undefined) return change;
  if (isDefinition(asRow(marketDefinition))) return change;
  drops.add('market_definition_unreadable');
  return rest;
}

function isDefinition(row: Row | null): row is Row & MarketDefinition {
  return (
    row !== null &&
    countOf(row.version) !== null &&
    textOf(row.marketType) !== null &&
    MARKET_STATUSES.some((known) => known === row.status) &&
    Array.isArray(row.runners) &&
    row.runners.every((runner) => {
      const { id, status } = asRow(runner) ?? {};
      return countOf(id) !== null && RUNNER_STATUSES.some((known) => known === status);
    })
  );
}
