// Server-sent events as bytes (WHATWG HTML, 9.2). Data is JSON, which has no line breaks.

/** `id`: where the client goes on after this event. */
export function eventBytes(name: string, data: string | Buffer, id?: string): Buffer {
  const head = `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: `;
  return Buffer.concat([Buffer.from(head), typeof data === 'string' ? Buffer.from(data) : data, END]);
}

const END = Buffer.from('\n\n');

/** A comment keeps the connection open; the id is kept by clients that follow the standard. */
export const heartbeatBytes = (id: string): Buffer => Buffer.from(`: ${id}\nid: ${id}\n\n`);

/** How long a client waits before it connects again. */
export const retryBytes = (ms: number): Buffer => Buffer.from(`retry: ${ms}\n\n`);
