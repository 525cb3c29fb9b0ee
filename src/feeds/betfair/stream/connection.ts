// One connection to the stream from start to end: authenticate, subscribe, pass every message on, detect silence. Never
// reconnects, and never throws for what the server does: it resolves with the reason for the end.
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Drops } from '../../reading/drops';
import { textOf } from '../../reading/read';
import type { Credentials } from '../session';
import { lineReader } from './lines';
import { readMessage } from './message';
import type { MarketChangeMessage, MarketSubscription, StreamFilter, StreamRequest, StreamStatus } from './payload';

export interface StreamAddress {
  readonly host: string;
  readonly port: number;
  /** The real stream speaks only TLS; the simulator plain TCP. */
  readonly tls: boolean;
}

/** Where the last connection stopped; null starts from the beginning. */
export interface StreamClock {
  readonly initialClk: string;
  readonly clk: string;
}

export interface StreamConnection {
  readonly address: StreamAddress;
  readonly credentials: Credentials;
  readonly filter: StreamFilter;
  readonly resumeFrom: StreamClock | null;
  readonly drops: Drops;
  /** The longest interval we request between messages; after three such intervals of silence the connection ends. */
  readonly heartbeatMs?: number;
  readonly signal: AbortSignal;
  onMessage(message: MarketChangeMessage): void;
}

export interface StreamEnd {
  readonly reason: 'closed' | 'silent' | 'refused' | 'malformed' | 'network' | 'called_off';
  /** The server's error code, or the socket's error. */
  readonly detail: string;
}

const HEARTBEAT_MS = 5000;
/** Missed heartbeats after which the server counts as gone. */
const MISSED_HEARTBEATS = 3;
/** Best prices, volumes, last price, market definitions. */
const FIELDS = ['EX_MARKET_DEF', 'EX_BEST_OFFERS', 'EX_LTP', 'EX_TRADED_VOL'];
const AUTHENTICATION = 1;
const SUBSCRIPTION = 2;

export function followStream(options: StreamConnection): Promise<StreamEnd> {
  return new Promise((resolve) => {
    const socket = open(options.address);
    let ended = false;
    const end = (reason: StreamEnd['reason'], detail: string): void => {
      if (ended) return;
      ended = true;
      options.signal.removeEventListener('abort', callOff);
      socket.destroy();
      resolve({ reason, detail });
    };
    const callOff = (): void => end('called_off', 'called off by the caller');
    if (options.signal.aborted) return callOff();
    options.signal.addEventListener('abort', callOff, { once: true });
    const read = lineReader((line) => {
      if (!ended) answer(line, options, socket, end);
    });
    socket.setTimeout((options.heartbeatMs ?? HEARTBEAT_MS) * MISSED_HEARTBEATS, () => end('silent', 'no heartbeat'));
    socket.on('error', (error: NodeJS.ErrnoException) => end('network', error.code ?? error.message));
    socket.on('close', () => end('closed', 'the other side closed'));
    socket.on('data', (chunk: Buffer) => {
      try {
        read(chunk);
      } catch (error) {
        end('malformed', (error as Error).message);
      }
    });
  });
}

const open = ({ host, port, tls }: StreamAddress): Socket =>
  tls ? connectTls({ host, port, servername: host }) : connectPlain({ host, port });

type End = (reason: StreamEnd['reason'], detail: string) => void;

/**
 * The server speaks first: we answer its greeting with our credentials, and its success message with our subscription.
 */
function answer(line: string, options: StreamConnection, socket: Socket, end: End): void {
  const message = readMessage(line, options.drops);
  const send = (request: StreamRequest): void => void socket.write(`${JSON.stringify(request)}\r\n`);
  if (!message) end('malformed', 'not a documented message');
  else if (message.op === 'mcm') options.onMessage(message);
  else if (message.op === 'connection') {
    const { appKey, session } = options.credentials;
    send({ op: 'authentication', id: AUTHENTICATION, appKey, session });
  } else if (message.statusCode !== 'SUCCESS') end('refused', codeOf(message));
  else if (message.id === AUTHENTICATION) send(subscription(options));
}

const codeOf = ({ errorCode, errorMessage }: StreamStatus): string =>
  textOf(errorCode) ?? textOf(errorMessage) ?? 'FAILURE';

const subscription = ({ filter, resumeFrom, heartbeatMs = HEARTBEAT_MS }: StreamConnection): MarketSubscription => ({
  op: 'marketSubscription',
  id: SUBSCRIPTION,
  marketFilter: filter,
  marketDataFilter: { fields: FIELDS, ladderLevels: 1 },
  heartbeatMs,
  conflateMs: 0,
  ...resumeFrom,
});
