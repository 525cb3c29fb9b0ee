// Server-sent events as bytes (WHATWG HTML, 9.2). Data is JSON, which has no line breaks.
import { CHUNK_END, type Chunk, chunkIn, chunkOf } from '../http/response/chunk';

/**
 * Events of which the last gets the id of each client that receives them. They are composed once for a place, and only
 * the name of the connection in them is written for each.
 */
export class EventGroup {
  private composed: Composed | null = null;

  /** `data`: what follows the id of the last event. */
  constructor(
    private readonly head: Buffer,
    private readonly data: Buffer,
  ) {}

  /**
   * `place`, `connection`: the two parts of an id. `take` returns true if it has passed the bytes on: the next
   * connection's name then overwrites this one's. Otherwise they are never changed.
   */
  give(place: string, connection: string, take: (bytes: Buffer, framed: Buffer) => unknown): void {
    const composed = this.composedFor(place, connection.length);
    const { framed, bytes } = composed.chunk;
    framed.write(connection, composed.nameAt, 'latin1');
    this.composed = null;
    if (take(bytes, framed) === true) this.composed = composed;
    else this.composed = { ...composed, isTaken: true };
  }

  private composedFor(place: string, nameLength: number): Composed {
    const last = this.composed;
    if (last?.place !== place || last.nameLength !== nameLength) return this.compose(place, nameLength);
    if (!last.isTaken) return last;
    const chunk = chunkIn(Buffer.from(last.chunk.framed), last.chunk.bytes.length);
    return { ...last, chunk, isTaken: false };
  }

  private compose(place: string, nameLength: number): Composed {
    const after = Buffer.concat([LINE_END, this.data]);
    const chunk = chunkOf([this.head, Buffer.from(`id: ${place} `), Buffer.alloc(nameLength), after]);
    const nameAt = chunk.framed.length - CHUNK_END.length - after.length - nameLength;
    return { place, nameLength, nameAt, chunk, isTaken: false };
  }
}

interface Composed {
  readonly place: string;
  readonly nameLength: number;
  readonly nameAt: number;
  readonly chunk: Chunk;
  /** Somebody keeps these bytes. */
  readonly isTaken: boolean;
}

/** `id`: where the client continues after this event. */
export function eventBytes(name: string, data: string | Buffer, id?: string): Buffer {
  const head = `event: ${name}\n${id === undefined ? '' : idLine(id)}data: `;
  return Buffer.concat([Buffer.from(head), typeof data === 'string' ? Buffer.from(data) : data, END]);
}

/** At least one event, as its name and its data. */
export function eventGroup(events: readonly (readonly [name: string, data: string | Buffer])[]): EventGroup {
  const [name, data] = events.at(-1)!;
  const before = events.slice(0, -1).map(([name, data]) => eventBytes(name, data));
  return new EventGroup(
    Buffer.concat([...before, Buffer.from(`event: ${name}\n`)]),
    Buffer.concat([Buffer.from('data: '), typeof data === 'string' ? Buffer.from(data) : data, END]),
  );
}

const idLine = (id: string): string => `id: ${id}\n`;

const LINE_END = Buffer.from('\n');
const END = Buffer.from('\n\n');

/** The id alone: clients that follow the standard keep it. */
export const idBytes = (id: string): Buffer => Buffer.from(`${idLine(id)}\n`);

/** A comment keeps the connection open. */
export const heartbeatChunk = (id: string): Chunk => chunkOf([Buffer.from(`: ${id}\n${idLine(id)}\n`, 'latin1')]);

/** How long a client waits before it reconnects. */
export const retryBytes = (ms: number): Buffer => Buffer.from(`retry: ${ms}\n\n`);
