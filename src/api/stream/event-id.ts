// The ids of a stream's events: the instant that a client goes on from, what its plan and this release show, and its connection. Opaque to clients.
import { createHash } from 'node:crypto';
import { CUSTOMERS } from '../access/visibility';
import type { Selection } from './selection';

type Rights = Pick<Selection, 'horizonHours' | 'betslip'>;

/** Raised when the same board is presented otherwise: what a client has is not what it would get. */
const FORM = 1;

const SHOWN = createHash('sha256')
  .update(JSON.stringify([FORM, CUSTOMERS.bookmakers]))
  .digest('hex')
  .slice(0, 8);

const ID = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z)(?: (\S+) ([0-9a-f-]{36}))?$/;

/** `serverMs`: race time. */
export const eventId = (serverMs: number, rights: Rights, connection: string): string =>
  `${new Date(serverMs).toISOString()} ${textOf(rights)} ${connection}`;

/** Of a client that has no state, or one that it must not go on from: it names the connection alone, and is too old for ever. */
export const noPlaceId = (rights: Rights, connection: string): string => eventId(0, rights, connection);

/** Race time. Not of a stream with other rights: what its client has is not what these rights see. */
export function readEventId(id: string, rights: Rights): number | 'unreadable' | 'other_rights' {
  const [, serverTime = '', of] = ID.exec(id) ?? [];
  const sinceMs = Date.parse(serverTime);
  if (Number.isNaN(sinceMs)) return 'unreadable';
  // A client may send a bare `server_time`, of `changes` for example.
  return of === undefined || of === textOf(rights) ? sinceMs : 'other_rights';
}

/** The connection that sent the event; null: it names none. */
export const connectionOf = (id: string): string | null => ID.exec(id)?.[3] ?? null;

const textOf = ({ horizonHours, betslip }: Rights): string => `${horizonHours}${betslip ? '-betslip' : ''}-${SHOWN}`;
