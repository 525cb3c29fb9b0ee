// Server-sent events as bytes (WHATWG HTML, 9.2). Data is JSON, which has no line breaks.

/** Events of which the last gets the id of each client that receives them. */
export interface EventGroup {
  readonly head: Buffer;
  readonly data: Buffer;
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
  return {
    head: Buffer.concat([...before, Buffer.from(`event: ${name}\n`)]),
    data: Buffer.concat([Buffer.from('data: '), typeof data === 'string' ? Buffer.from(data) : data, END]),
  };
}

export const groupBytes = ({ head, data }: EventGroup, id: string): Buffer =>
  Buffer.concat([head, Buffer.from(idLine(id)), data]);

const idLine = (id: string): string => `id: ${id}\n`;

const END = Buffer.from('\n\n');

/** The id alone: clients that follow the standard keep it. */
export const idBytes = (id: string): Buffer => Buffer.from(`${idLine(id)}\n`);

/** A comment keeps the connection open. */
export const heartbeatBytes = (id: string): Buffer => Buffer.from(`: ${id}\n${idLine(id)}\n`);

/** How long a client waits before it reconnects. */
export const retryBytes = (ms: number): Buffer => Buffer.from(`retry: ${ms}\n\n`);
