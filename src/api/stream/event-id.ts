// The ids of a stream's events: the `server_time` that a client goes on from, and how far its plan looked. Opaque to clients.
import type { Selection } from './selection';

type Rights = Pick<Selection, 'horizonHours' | 'betslip'>;

const ID = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z)(?: (.*))?$/;

export const eventId = (serverTime: string, rights: Rights): string => `${serverTime} ${textOf(rights)}`;

/** Race time. Not of a stream with other rights: what its client has is not what these rights see. */
export function readEventId(id: string, rights: Rights): number | 'unreadable' | 'other_rights' {
  const [, serverTime = '', of] = ID.exec(id) ?? [];
  const sinceMs = Date.parse(serverTime);
  if (Number.isNaN(sinceMs)) return 'unreadable';
  // A client may send a bare `server_time`, of `changes` for example.
  return of === undefined || of === textOf(rights) ? sinceMs : 'other_rights';
}

const textOf = ({ horizonHours, betslip }: Rights): string => `${horizonHours}${betslip ? ' betslip' : ''}`;
