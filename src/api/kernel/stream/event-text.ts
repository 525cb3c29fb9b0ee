// Server-sent events as bytes (WHATWG HTML, 9.2). Data is JSON, which has no line breaks.
import { CHUNK_END, type Chunk, chunkIn, chunkOf } from '../http/response/chunk';

/**
 * Events of which the last gets the id of each client that receives them. They are composed once for a place: each
 * connection gets a copy with its own name in it.
 */
export class EventGroup {
  private composed: Composed | null = null;

  /** `data`: what follows the id of the last event. */
  constructor(
    private readonly head: Buffer,
    private readonly data: Buffer,
  ) {}

  /** `place`, `connection`: the two parts of an id. */
  chunkFor(place: string, connection: string): Chunk {
    const { composed } = this;
    if (composed?.place === place && composed.nameLength === connection.length) {
      const framed = Buffer.from(composed.chunk.framed);
      framed.write(connection, composed.nameAt, 'latin1');
      return chunkIn(framed, composed.chunk.bytes.length);
    }
    const [before, after] = [Buffer.from(`id: ${place} `), Buffer.concat([LINE_END, this.data])];
    const chunk = chunkOf([this.head, before, Buffer.from(connection, 'latin1'), after]);
    const nameAt = chunk.framed.length - CHUNK_END.length - after.length - connection.length;
    this.composed = { place, nameLength: connection.length, nameAt, chunk };
    return chunk;
  }
}

interface Composed {
  readonly place: string;
  readonly nameLength: number;
  readonly nameAt: number;
  readonly chunk: Chunk;
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
