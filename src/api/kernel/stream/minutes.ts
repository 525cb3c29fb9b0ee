// The cost of a stream: each started minute of a connection is charged in advance, once (D61).
import { createHash } from 'node:crypto';
import { chargeId } from '../charging/charge-id';
import type { Caller } from '../endpoint/caller';
import type { Meter, MeteredCall, SetHeader } from '../endpoint/meter';

const MINUTE_MS = 60_000;
/** Streams are checked more often than this. */
const LATE_MS = 2000;

export interface Minutes {
  /** Milliseconds that the next charge pays for; null: the started minute is paid. */
  due(): number | null;
  /** For how many milliseconds nothing is due; 0 or less: a charge is. */
  paidForMs(): number;
  /** Charges the started minute, unless it is paid. Throws to refuse, which ends the stream. */
  charge(caller: Caller, setHeader?: SetHeader): Promise<void>;
  /** This much is paid from now on: the rest of the minute of the connection that this one replaces (D64). */
  carryOn(paidMs: number): void;
  /** It has charged a minute, and not refunded it. */
  isCharged(): boolean;
  /** For a minute that the service itself cuts short. */
  giveBack(): void;
}

export interface MinuteDeps {
  readonly meter: Pick<Meter, 'charge'>;
  /** Epoch milliseconds. */
  wallMs(): number;
  /** Monotonic. */
  elapsedMs(): number;
}

export function minutesOf(
  call: Pick<MeteredCall, 'endpoint' | 'credits'>,
  connection: string,
  { meter, wallMs, elapsedMs }: MinuteDeps,
): Minutes {
  let started = 0;
  let nextMs = Number.NEGATIVE_INFINITY;
  let undo: (() => void) | undefined;
  /** Minutes follow each other, however late each is noticed; the first starts now. */
  const endOf = (nowMs: number): number =>
    (Number.isFinite(nextMs) ? Math.max(nextMs, nowMs - LATE_MS) : nowMs) + MINUTE_MS;
  return {
    due() {
      const nowMs = elapsedMs();
      return nowMs < nextMs ? null : endOf(nowMs) - nowMs;
    },
    paidForMs: () => nextMs - elapsedMs(),
    async charge(caller, setHeader = () => {}) {
      const nowMs = elapsedMs();
      if (nowMs < nextMs) return;
      const atMs = wallMs();
      const id = chargeId(atMs, minuteId(connection, started));
      undo = await meter.charge({ ...call, caller, chargeId: id, setHeader });
      started++;
      nextMs = endOf(nowMs);
    },
    carryOn(paidMs) {
      nextMs = elapsedMs() + paidMs;
    },
    isCharged: () => undo !== undefined,
    giveBack() {
      undo?.();
      undo = undefined;
    },
  };
}

/** In the form of a UUID: the same for the same minute of a connection. */
function minuteId(connection: string, minute: number): string {
  const hex = createHash('sha256').update(`stream ${connection} ${minute}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
