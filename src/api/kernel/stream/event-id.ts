// The ids of a stream's events: the instant from which a client continues, what its plan and this release show, its
// filters, and its connection. Opaque to clients.
import { createHash } from 'node:crypto';
import { CUSTOMERS } from '../endpoint/visibility';
import { filtersKey, type Selection } from './selection';

/** What a client with an id has. */
export interface IdScope {
  /** Depends on its plan and on this release. */
  readonly rights: string;
  readonly filters: string;
}

/**
 * Raise it when the same board is presented differently, because clients then have something else than they would get.
 */
const FORM = 1;

const ID = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z) (\S+)-([0-9a-f]{8}) ([0-9a-f-]{36})$/;

/** `betslipTemplates`: by bookmaker key. */
export function idScope(selection: Selection, betslipTemplates: Readonly<Record<string, string>>): IdScope {
  const { horizonHours, betslip } = selection;
  const templates = betslip ? Object.entries(betslipTemplates).sort() : null;
  const shown = digest([FORM, CUSTOMERS.bookmakers, templates]);
  return { rights: `${horizonHours}${betslip ? '-betslip' : ''}-${shown}`, filters: digest(filtersKey(selection)) };
}

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 8);

/** What the ids of all connections with this scope begin with. `serverMs`: race time. */
export function idPlace(serverMs: number, { rights, filters }: IdScope): string {
  if (last.serverMs !== serverMs || last.rights !== rights || last.filters !== filters)
    last = { serverMs, rights, filters, place: `${new Date(serverMs).toISOString()} ${rights}-${filters}` };
  return last.place;
}

/** Connections of one selection follow each other. */
let last = { serverMs: Number.NaN, rights: '', filters: '', place: '' };

export const eventId = (serverMs: number, scope: IdScope, connection: string): string =>
  `${idPlace(serverMs, scope)} ${connection}`;

/**
 * For a client that has no state, or one that it must not continue from: it names only the connection, and is always
 * too old.
 */
export const noPlaceId = (scope: IdScope, connection: string): string => eventId(0, scope, connection);

/** Race time. Not for a stream with other rights or filters: its client has other data than this one's. */
export function readEventId(id: string, scope: IdScope): number | 'unreadable' | 'other_rights' | 'other_filters' {
  const [, serverTime = '', rights, filters] = ID.exec(id) ?? [];
  const sinceMs = Date.parse(serverTime);
  if (Number.isNaN(sinceMs)) return 'unreadable';
  if (rights !== scope.rights) return 'other_rights';
  return filters === scope.filters ? sinceMs : 'other_filters';
}

/** The connection that sent the event; null: it names none. */
export const connectionOf = (id: string): string | null => ID.exec(id)?.[4] ?? null;
